/* Writes a message and aborts while it creates an instance. */
#include "well_made.h"

_Noreturn void abort(void);
long write(int fd, const void* bytes, size_t n);

static berth_plugin* give_up(const char* name, const berth_host* host) {
  (void)name, (void)host;
  if (write(2, "no instance\ntoday\n", 18) == 18) abort();
  return WELL_MADE_NULL;
}

BERTH_MANIFEST(WELL_MADE_JSON("CreateCrashes"));
WELL_MADE_DESCRIBE("CreateCrashes")
const berth_entry* berth_entry_v1(uint32_t host_abi_minor) {
  static const berth_entry entry = {sizeof(berth_entry), BERTH_ABI_MINOR, well_made_count, describe, give_up,
                                    well_made_extension};
  (void)host_abi_minor;
  return &entry;
}
