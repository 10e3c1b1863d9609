/* BP-44: the table ends before extension(). */
#include "well_made.h"

BERTH_MANIFEST(WELL_MADE_JSON("EntrySmall"));
WELL_MADE_DESCRIBE("EntrySmall")
const berth_entry* berth_entry_v1(uint32_t host_abi_minor) {
  static const berth_entry entry = {
      offsetof(berth_entry, extension), BERTH_ABI_MINOR, well_made_count, describe, well_made_create, WELL_MADE_NULL};
  (void)host_abi_minor;
  return &entry;
}
