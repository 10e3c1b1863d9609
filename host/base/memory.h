// How much memory this process and the others of its cgroup may still take. Thread: any; reads a few small files on
// every call.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace berth::base {

// Bytes up to the lowest limit of the process's group and the groups above it; page cache that can be given back counts
// as left. nullopt: there is no limit. Understands cgroup v2 (memory.max, memory.current) and v1
// (memory.limit_in_bytes, memory.usage_in_bytes). root is put before /proc and /sys, for tests.
std::optional<uint64_t> CgroupMemoryLeft(const std::string& root = "");

}  // namespace berth::base
