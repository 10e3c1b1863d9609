/* BP-26: built for the next major version of the ABI, whose entry has another name. */
#include "well_made.h"

BERTH_MANIFEST("{\"abi\":[2,3],\"tables\":{}}");
BERTH_EXPORT const void* berth_entry_v2(void);
const void* berth_entry_v2(void) { return WELL_MADE_NULL; }
