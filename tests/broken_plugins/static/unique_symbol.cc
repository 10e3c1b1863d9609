// BP-9: a static variable of an inline function, which the compiler exports as a unique symbol: one per process.
#include "well_made.h"

__attribute__((visibility("default"))) inline int& Counter() {
  static int counter = 0;
  return counter;
}

WELL_MADE_DESCRIBE("UniqueSymbol")
static uint32_t Count(void) { return static_cast<uint32_t>(++Counter()); }
extern "C" {
BERTH_MANIFEST(WELL_MADE_JSON("UniqueSymbol"));
WELL_MADE_ENTRY(Count)
}
