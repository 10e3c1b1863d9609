/* BP-24: the note is not JSON. */
#include "well_made.h"

BERTH_MANIFEST("{\"abi\":[1,0],");
WELL_MADE_DESCRIBE("NoteNotJson")
WELL_MADE_ENTRY(well_made_count)
