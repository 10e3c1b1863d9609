// Which files the child process may open: all that its user may read, except hidden ones, and none for writing. It
// uses Landlock, which needs no privilege. Names can be listed everywhere. The memory, environment and descriptors of
// other processes are hidden, too. Thread: the child's only one; the rules also apply to threads that it starts
// later.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace berth::canary {

struct FileView {
  std::vector<std::string> hidden;  // files and directories, links followed; they need not exist
  std::string writable;             // a directory in which files may be made and removed; "" = none
};

// Cannot be undone. Files that are later created in a directory above a hidden file cannot be read either. Needs
// PR_SET_NO_NEW_PRIVS. Fails where the kernel has no Landlock.
base::Result<void> Restrict(const FileView& view);

}  // namespace berth::canary
