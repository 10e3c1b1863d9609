/* BP-47: the plugin has a different name than in the note. */
#include "well_made.h"

BERTH_MANIFEST(WELL_MADE_JSON("NamesNotAsNoted"));
WELL_MADE_DESCRIBE("SomethingElse")
WELL_MADE_ENTRY(well_made_count)
