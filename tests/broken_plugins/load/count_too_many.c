/* BP-45: the library has more plugins than the limit. */
#include "well_made.h"

BERTH_MANIFEST(WELL_MADE_JSON("CountTooMany"));
WELL_MADE_DESCRIBE("CountTooMany")
static uint32_t count(void) { return 65; }
WELL_MADE_ENTRY(count)
