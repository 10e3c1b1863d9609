/* BP-22: says nothing about itself. */
#include "well_made.h"

WELL_MADE_DESCRIBE("NoNote")
WELL_MADE_ENTRY(well_made_count)
