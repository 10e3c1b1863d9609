#include "os/machine/cpus.h"

#include <sched.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <thread>

#include "os/machine/cgroup.h"

namespace berth::os {
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

}  // namespace

uint32_t CgroupCpus(const std::string& root) {
  uint32_t cpus = AffinityCpus();
  VisitCgroups(root, "cpu", [&](const std::string& folder, CgroupVersion version) {
    cpus = std::min(cpus, version == CgroupVersion::kV2 ? QuotaV2(folder) : QuotaV1(folder));
  });
  return std::max(1u, cpus);
}

}  // namespace berth::os
