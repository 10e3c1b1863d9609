// An immutable copy of a library, under a path that is new to the dynamic linker. glibc identifies libraries by path
// and inode, so the path of the user would return old code after an update; and code that is mapped from a file ends in
// SIGBUS when the file is overwritten. The copy is a sealed memfd, which works on volumes mounted noexec, too. Where
// the system does not execute memfds, it is a file in a private directory. Caller: opening, one thread at a time.
// Ownership: the descriptor must stay open as long as the mapping exists; otherwise its number, and with it the path,
// would be used again.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "os/fd/file_descriptor.h"
#include "plugin/loader/rule.h"

namespace berth::loader {

struct StagingOptions {
  bool memfd = true;      // false: use the directory only
  std::string directory;  // private to this process's user; empty: none, and no fallback
};

class Staged {
 public:
  Staged(os::FileDescriptor fd, std::string linker_path, std::string temporary)
      : fd_(std::move(fd)), linker_path_(std::move(linker_path)), temporary_(std::move(temporary)) {}
  Staged(Staged&&) = default;
  ~Staged() { RemoveFile(); }

  int fd() const { return fd_.get(); }
  const std::string& linker_path() const { return linker_path_; }
  // The bytes to be mapped, read from the copy.
  base::Result<std::vector<std::byte>> Bytes() const;
  // Removes the name in the staging directory, which nothing needs after the mapping.
  void RemoveFile();
  // Keeps the descriptor open until the process ends.
  int KeepOpen() { return fd_.Release(); }

 private:
  os::FileDescriptor fd_;
  std::string linker_path_;
  std::string temporary_;  // file to remove; empty: a memfd
};

// Whether this system executes memfds, so that staging needs no directory. Creates one to find out.
bool StagesInMemory();

// name: the file of the user, which /proc/<pid>/maps then shows. Fails with BP-39.
tl::expected<Staged, Finding> Stage(std::span<const std::byte> bytes, const std::string& name,
                                    const StagingOptions& options);

}  // namespace berth::loader
