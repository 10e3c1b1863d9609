// Watched files that are mount points themselves (subPath of a volume, hostPath of a single file). Nobody can rename
// another file over them, and Kubernetes never updates them: they only change when they are written in place. Called at
// start and when the watched files change. Thread: any; a function of its arguments.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "reload/watch/fingerprint.h"

namespace berth::reload {

// The fifth field of each line of /proc/self/mountinfo (proc_pid_mountinfo(5)), with its octal escapes decoded. Lines
// with fewer fields are skipped.
std::set<std::string> ParseMountPoints(std::string_view mountinfo);

// One sentence for each file that can be read and is a mount point: names the file and what to do.
std::vector<std::string> MountPointWarnings(const Fingerprint& fingerprint, const std::set<std::string>& mount_points);

// The text of /proc/self/mountinfo. Fails with the system's text.
base::Result<std::string> ReadMountInfo();

}  // namespace berth::reload
