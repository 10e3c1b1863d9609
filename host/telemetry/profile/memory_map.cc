#include "telemetry/profile/memory_map.h"

#include <fstream>

#include "base/read_all.h"

namespace berth::profile {

std::string MemoryMap() {
  std::ifstream file("/proc/self/maps");
  return base::ReadAll(file);
}

}  // namespace berth::profile
