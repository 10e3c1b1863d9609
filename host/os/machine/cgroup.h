// The directories with the limits of the cgroups of this process. Thread: any; every call reads /proc/self/cgroup.
#pragma once

#include <functional>
#include <string>

namespace berth::os {

enum class CgroupVersion { kV1, kV2 };

// Calls visit(folder, version) for the process's group and for each group above it, up to the mount, also for folders
// that do not exist; in a container the mount is the group itself. controller: of v1, "cpu" or "memory". root is a
// prefix of /proc and /sys, for tests.
void VisitCgroups(const std::string& root, const std::string& controller,
                  const std::function<void(const std::string& folder, CgroupVersion version)>& visit);

}  // namespace berth::os
