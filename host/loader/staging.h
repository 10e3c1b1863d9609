// A copy of a library's bytes that nobody can change any more, under a path the dynamic linker has never seen: glibc
// tells libraries apart by path and inode, so the user's own path would answer with old code after an update, and code
// mapped from a file that is overwritten dies of SIGBUS. The copy is a sealed memfd, which also works where the plugin
// volume is mounted noexec; where memfds may not be executed it is a file in a private directory.
// Called while opening, by one thread at a time. Ownership: the descriptor must stay open as long as the mapping lives,
// or the number would be used again and the path would name old code.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "loader/file.h"
#include "loader/rule.h"

namespace berth::loader {

struct StagingOptions {
  bool memfd = true;      // false: use the directory at once
  std::string directory;  // private to this process's user; empty: none, and no fallback
};

class Staged {
 public:
  Staged(FileDescriptor fd, std::string linker_path, std::string temporary)
      : fd_(std::move(fd)), linker_path_(std::move(linker_path)), temporary_(std::move(temporary)) {}
  Staged(Staged&&) = default;
  ~Staged() { RemoveFile(); }

  int fd() const { return fd_.get(); }
  const std::string& linker_path() const { return linker_path_; }
  // The bytes that will be mapped, read back from where they are.
  base::Result<std::vector<std::byte>> Bytes() const;
  // The name in the staging directory is of no use once the library is mapped.
  void RemoveFile();
  // Keeps the descriptor open for ever.
  int KeepOpen() { return fd_.Release(); }

 private:
  FileDescriptor fd_;
  std::string linker_path_;
  std::string temporary_;  // to be removed; empty: a memfd
};

// Whether a memfd may be executed here, so that no directory is needed. Makes one to find out.
bool StagesInMemory();

// name: the user's file, for people who look at /proc/<pid>/maps. Fails with BP-39.
tl::expected<Staged, Finding> Stage(std::span<const std::byte> bytes, const std::string& name,
                                    const StagingOptions& options);

}  // namespace berth::loader
