#include "os/machine/memory.h"

#include <algorithm>
#include <fstream>

#include "os/machine/cgroup.h"

namespace berth::os {
namespace {

// nullopt: the file is missing or contains no number ("max").
std::optional<uint64_t> NumberIn(const std::string& path) {
  std::ifstream file(path);
  uint64_t number = 0;
  return file >> number ? std::optional(number) : std::nullopt;
}

// The number in the line "inactive_file 4096" of memory.stat; 0 when it is missing.
uint64_t StatisticIn(const std::string& path, const std::string& wanted) {
  std::ifstream file(path);
  uint64_t number = 0;
  for (std::string name; file >> name >> number;) {
    if (name == wanted) return number;
  }
  return 0;
}

struct Names {
  const char *limit, *usage, *cache;
};
constexpr Names kV1{"/memory.limit_in_bytes", "/memory.usage_in_bytes", "total_inactive_file"};
constexpr Names kV2{"/memory.max", "/memory.current", "inactive_file"};
constexpr uint64_t kNoLimit = uint64_t{1} << 60;  // v1 reports no limit as a number near 2^63

std::optional<uint64_t> LeftIn(const std::string& folder, const Names& names) {
  const auto limit = NumberIn(folder + names.limit), usage = NumberIn(folder + names.usage);
  if (!limit || !usage || *limit >= kNoLimit) return std::nullopt;
  const uint64_t cache = StatisticIn(folder + "/memory.stat", names.cache);
  const uint64_t used = *usage - std::min(*usage, cache);
  return *limit - std::min(*limit, used);
}

}  // namespace

std::optional<uint64_t> CgroupMemoryLeft(const std::string& root) {
  std::optional<uint64_t> least;
  VisitCgroups(root, "memory", [&](const std::string& folder, CgroupVersion version) {
    const auto left = LeftIn(folder, version == CgroupVersion::kV2 ? kV2 : kV1);
    if (left) least = std::min(*left, least.value_or(*left));
  });
  return least;
}

}  // namespace berth::os
