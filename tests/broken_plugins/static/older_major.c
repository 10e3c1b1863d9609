/* BP-26: built for a major version of the ABI that is no longer supported. */
#include "well_made.h"

BERTH_MANIFEST("{\"abi\":[0,9]}");
BERTH_EXPORT const void* berth_entry_v0(void);
const void* berth_entry_v0(void) { return WELL_MADE_NULL; }
