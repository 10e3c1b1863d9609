/* BP-45: the note names one plugin, but the library has two. */
#include "well_made.h"

BERTH_MANIFEST(WELL_MADE_JSON("CountNotAsNoted"));
WELL_MADE_DESCRIBE("CountNotAsNoted")
static uint32_t count(void) { return 2; }
WELL_MADE_ENTRY(count)
