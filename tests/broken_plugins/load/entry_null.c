/* BP-43: refuses every host as too old. */
#include "well_made.h"

BERTH_MANIFEST(WELL_MADE_JSON("EntryNull"));
const berth_entry* berth_entry_v1(uint32_t host_abi_minor) {
  (void)host_abi_minor;
  return WELL_MADE_NULL;
}
