// BP-42: a static constructor throws. Only a rehearsal in another process can survive that.
#include <stdexcept>

#include "well_made.h"

WELL_MADE_DESCRIBE("ThrowsWhenLoaded")
static const bool g_never = [] {
  throw std::runtime_error("no luck today");
  return true;
}();
extern "C" {
BERTH_MANIFEST(WELL_MADE_JSON("ThrowsWhenLoaded"));
WELL_MADE_ENTRY(well_made_count)
}
