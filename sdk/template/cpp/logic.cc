#include "logic.h"

#include <algorithm>

namespace template_plugin {

int64_t FreePercent(int64_t allocatable, int64_t requested) {
  if (allocatable <= 0) return 0;
  const double free = static_cast<double>(std::clamp<int64_t>(allocatable - requested, 0, allocatable));
  return static_cast<int64_t>(free * 100 / static_cast<double>(allocatable));
}

}  // namespace template_plugin
