#include "base/cpus.h"

#include <sched.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>

namespace berth::base {
namespace {

constexpr uint32_t kNoQuota = std::numeric_limits<uint32_t>::max();

uint32_t AffinityCpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return static_cast<uint32_t>(std::max(1, CPU_COUNT(&set)));
  return std::max(1u, std::thread::hardware_concurrency());
}

uint32_t Cpus(int64_t quota_us, int64_t period_us) {
  if (quota_us <= 0 || period_us <= 0) return kNoQuota;
  const int64_t cpus = quota_us / period_us + (quota_us % period_us != 0);
  return static_cast<uint32_t>(std::min<int64_t>(cpus, kNoQuota));
}

// cpu.max: "max 100000" or "150000 100000".
uint32_t QuotaV2(const std::string& folder) {
  std::ifstream file(folder + "/cpu.max");
  std::string quota;
  int64_t period = 0;
  if (!(file >> quota >> period)) return kNoQuota;
  std::istringstream number(quota);
  int64_t quota_us = 0;
  return number >> quota_us ? Cpus(quota_us, period) : kNoQuota;
}

uint32_t QuotaV1(const std::string& folder) {
  std::ifstream quota_file(folder + "/cpu.cfs_quota_us"), period_file(folder + "/cpu.cfs_period_us");
  int64_t quota = 0, period = 0;
  return quota_file >> quota && period_file >> period ? Cpus(quota, period) : kNoQuota;
}

// The smallest quota of a group and of the groups above it; in a container the mount already is the group's.
template <class Quota>
uint32_t SmallestUpwards(const std::string& mount, std::string group, Quota quota) {
  uint32_t smallest = kNoQuota;
  while (true) {
    smallest = std::min(smallest, quota(mount + group));
    const size_t slash = group.find_last_of('/');
    if (group.empty() || slash == std::string::npos) return smallest;
    group.resize(slash);
  }
}

// One line of /proc/self/cgroup: "0::/a/b" (v2) or "4:cpu,cpuacct:/a/b" (v1).
uint32_t LineQuota(const std::string& root, const std::string& line) {
  const size_t first = line.find(':');
  const size_t second = first == std::string::npos ? first : line.find(':', first + 1);
  if (second == std::string::npos) return kNoQuota;
  const std::string controllers = line.substr(first + 1, second - first - 1);
  std::string group = line.substr(second + 1);
  if (group == "/") group.clear();
  if (controllers.empty()) return SmallestUpwards(root + "/sys/fs/cgroup", group, QuotaV2);
  if (("," + controllers + ",").find(",cpu,") == std::string::npos) return kNoQuota;
  return std::min(SmallestUpwards(root + "/sys/fs/cgroup/" + controllers, group, QuotaV1),
                  SmallestUpwards(root + "/sys/fs/cgroup/cpu", group, QuotaV1));
}

}  // namespace

uint32_t CgroupCpus(const std::string& root) {
  uint32_t cpus = AffinityCpus();
  std::ifstream groups(root + "/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) cpus = std::min(cpus, LineQuota(root, line));
  return std::max(1u, cpus);
}

}  // namespace berth::base
