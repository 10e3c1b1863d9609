#include "telemetry/profile/memory_map.h"

#include <fstream>
#include <iterator>

namespace berth::profile {

std::string MemoryMap() {
  std::ifstream file("/proc/self/maps");
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace berth::profile
