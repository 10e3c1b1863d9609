/* BP-47: the plugin has another name than the note says. */
#include "well_made.h"

BERTH_MANIFEST(WELL_MADE_JSON("NamesNotAsNoted"));
WELL_MADE_DESCRIBE("SomethingElse")
WELL_MADE_ENTRY(well_made_count)
