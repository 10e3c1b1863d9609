/* BP-25: a required field is missing. */
#include "well_made.h"

BERTH_MANIFEST("{\"abi\":[1,0],\"sdk\":\"c/1.0\",\"plugins\":[{\"name\":\"NoVersion\",\"points\":[\"filter\"]}]}");
WELL_MADE_DESCRIBE("NoVersion")
WELL_MADE_ENTRY(well_made_count)
