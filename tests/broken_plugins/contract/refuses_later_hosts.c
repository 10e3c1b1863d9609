/* BP-71: refuses a host with a later minor version of the ABI. */
#include "../well_made.h"

BERTH_MANIFEST(WELL_MADE_JSON("RefusesLaterHosts"));
WELL_MADE_DESCRIBE("RefusesLaterHosts")
const berth_entry* berth_entry_v1(uint32_t host_abi_minor) {
  static const berth_entry entry = {sizeof(berth_entry), BERTH_ABI_MINOR,    well_made_count, describe,
                                    well_made_create,    well_made_extension};
  return host_abi_minor <= BERTH_ABI_MINOR ? &entry : WELL_MADE_NULL;
}
