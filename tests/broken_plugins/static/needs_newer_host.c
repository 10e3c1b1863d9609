/* BP-27: requires a newer host than this one. */
#include "well_made.h"

BERTH_MANIFEST(
    "{\"abi\":[1,901],\"minHost\":900,\"sdk\":\"c/"
    "1.901\",\"version\":\"1.0.0\",\"plugins\":[{\"name\":\"NeedsNewerHost\",\"points\":[\"levitate\"]}]}");
WELL_MADE_DESCRIBE("NeedsNewerHost")
WELL_MADE_ENTRY(well_made_count)
