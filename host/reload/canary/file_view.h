// Which files the child process may open: all that its user may read, but none of those that are hidden, and none for
// writing, by Landlock, which needs no privilege. Names can be listed everywhere. Hidden as well are memory,
// environment and descriptors of other processes. Thread: the child's only one; threads that it starts later are bound
// as well.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace berth::canary {

struct FileView {
  std::vector<std::string> hidden;  // files and directories, links followed; they need not exist
  std::string writable;             // a directory in which files may be made and removed; "" = none
};

// Cannot be taken back. What comes into a directory above a hidden file later cannot be read either. Needs
// PR_SET_NO_NEW_PRIVS. Fails where the kernel has no Landlock.
base::Result<void> Restrict(const FileView& view);

}  // namespace berth::canary
