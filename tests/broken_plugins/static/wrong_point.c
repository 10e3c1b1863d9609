/* BP-25: names an extension point that Kubernetes does not have. */
#include "well_made.h"

BERTH_MANIFEST(
    "{\"abi\":[1,0],\"sdk\":\"c/"
    "1.0\",\"version\":\"1.0.0\",\"plugins\":[{\"name\":\"WrongPoint\",\"points\":[\"score\",\"prioritize\"]}]}");
WELL_MADE_DESCRIBE("WrongPoint")
WELL_MADE_ENTRY(well_made_count)
