// Whose files may become part of the scheduler: plugins run in its process with all its rights.
// Thread: any.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "loader/rule.h"

namespace berth::loader {

struct TrustRules {
  // Files must lie below one of these, symbolic links resolved; empty: anywhere. Directories that do not exist allow
  // nothing.
  std::vector<std::string> allowed_directories;
  bool check_owner = false;     // of root or the process's user, not writable by group or others; the directory as well
  bool require_digest = false;  // opening needs a pinned digest
};

// Judges an open file: the answer holds for the file that is read, whatever its name points to by now. Fails with BP-2.
std::optional<Finding> CheckTrust(int fd, const TrustRules& rules);

}  // namespace berth::loader
