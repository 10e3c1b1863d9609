/* BP-44: a function of the table is NULL. */
#include "well_made.h"

BERTH_MANIFEST(WELL_MADE_JSON("EntryWithoutCreate"));
WELL_MADE_DESCRIBE("EntryWithoutCreate")
const berth_entry* berth_entry_v1(uint32_t host_abi_minor) {
  static const berth_entry entry = {sizeof(berth_entry), BERTH_ABI_MINOR,    well_made_count, describe,
                                    WELL_MADE_NULL,      well_made_extension};
  (void)host_abi_minor;
  return &entry;
}
