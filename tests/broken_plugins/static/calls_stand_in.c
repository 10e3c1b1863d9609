/* BP-13, BP-14, BP-15, or BP-40, depending on the linked stand-in: imports a function that this host does not have. */
#include "well_made.h"

int berth_stand_in(void);

BERTH_MANIFEST(WELL_MADE_JSON("CallsStandIn"));
WELL_MADE_DESCRIBE("CallsStandIn")
static uint32_t count(void) { return (uint32_t)berth_stand_in(); }
WELL_MADE_ENTRY(count)
