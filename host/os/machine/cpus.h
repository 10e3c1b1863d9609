// The number of CPUs that this process may use, limited by its affinity mask and by the quota of its cgroup. Thread:
// any; every call reads a few small files, so call it once at start.
#pragma once

#include <cstdint>
#include <string>

namespace berth::os {

// At least 1. A quota is rounded up to whole CPUs. Supports cgroup v2 (cpu.max of the process's group and all groups
// above it) and v1 (cpu.cfs_quota_us, cpu.cfs_period_us). root is a prefix of /proc and /sys, for tests.
uint32_t CgroupCpus(const std::string& root = "");

}  // namespace berth::os
