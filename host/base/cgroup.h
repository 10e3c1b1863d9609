// The cgroups that this process is in, where their limits are to be read. Thread: any; reads /proc/self/cgroup on every
// call.
#pragma once

#include <functional>
#include <string>

namespace berth::base {

enum class CgroupVersion { kV1, kV2 };

// visit(folder, version) for the process's group and for each group above it, up to the mount, whether the folder
// exists or not; in a container the mount already is the group's. controller: of v1, "cpu" or "memory". root is put
// before /proc and /sys, for tests.
void VisitCgroups(const std::string& root, const std::string& controller,
                  const std::function<void(const std::string& folder, CgroupVersion version)>& visit);

}  // namespace berth::base
