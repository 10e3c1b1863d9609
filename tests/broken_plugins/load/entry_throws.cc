// BP-42: an exception leaves berth_entry_v1.
#include <stdexcept>

#include "well_made.h"

extern "C" {
BERTH_MANIFEST(WELL_MADE_JSON("EntryThrows"));
const berth_entry* berth_entry_v1(uint32_t) { throw std::runtime_error("no entry today"); }
}
