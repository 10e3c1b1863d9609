/* BP-60: the build makes two libraries of this file, which offer the same plugin name. */
#include "well_made.h"

BERTH_MANIFEST("{\"abi\":[1,0],\"sdk\":\"c/1.0\",\"version\":\"" VERSION
               "\",\"plugins\":[{\"name\":\"Twice\",\"points\":[\"filter\"]}]}");
WELL_MADE_DESCRIBE("Twice")
WELL_MADE_ENTRY(well_made_count)
