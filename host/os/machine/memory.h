// The memory that this process and the others of its cgroup may still allocate. Thread: any; every call reads a few
// small files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace berth::os {

// Bytes up to the lowest limit of the process's group and the groups above it; reclaimable page cache counts as free.
// nullopt: no limit. Supports cgroup v2 (memory.max, memory.current) and v1 (memory.limit_in_bytes,
// memory.usage_in_bytes). root is a prefix of /proc and /sys, for tests.
std::optional<uint64_t> CgroupMemoryLeft(const std::string& root = "");

}  // namespace berth::os
