/* BP-22: has no note. */
#include "well_made.h"

WELL_MADE_DESCRIBE("NoNote")
WELL_MADE_ENTRY(well_made_count)
