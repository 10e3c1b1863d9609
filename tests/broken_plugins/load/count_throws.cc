// BP-45: an exception leaves count().
#include <stdexcept>

#include "well_made.h"

WELL_MADE_DESCRIBE("CountThrows")
static uint32_t Count(void) { throw std::runtime_error("cannot count"); }
extern "C" {
BERTH_MANIFEST(WELL_MADE_JSON("CountThrows"));
WELL_MADE_ENTRY(Count)
}
