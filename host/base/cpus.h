// How many CPUs this process may use: what its affinity mask and its cgroup's quota leave of the machine's.
// Thread: any; reads a few small files on every call, so ask once at start.
#pragma once

#include <cstdint>
#include <string>

namespace berth::base {

// At least 1. A quota of a fraction of a CPU counts as a whole one. Understands cgroup v2 (cpu.max of the process's
// group and all groups above it) and v1 (cpu.cfs_quota_us, cpu.cfs_period_us). root is put before /proc and /sys, for
// tests.
uint32_t CgroupCpus(const std::string& root = "");

}  // namespace berth::base
