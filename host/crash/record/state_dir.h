// The storage that outlives the process: three files in --state-dir or, without it, three anonymous files in memory
// that exec passes to the next program. Open it first at start. Thread: one; any thread may use the descriptors and
// paths. Ownership: owns the descriptors, which are close-on-exec; reexec.h clears that flag before exec.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "base/result.h"
#include "os/fd/file_descriptor.h"

namespace berth::crash {

// crash.record: the last crash, binary, until a process has read it. restarts: a line with the Unix seconds of each
// restart. quarantine: see quarantine.h.
enum class File : uint8_t { kRecord, kRestarts, kQuarantine };
inline constexpr size_t kFiles = 3;

class StateDir {
 public:
  // directory "": files in memory; when environment names those of the previous program, they are reused. environment:
  // the value of kEnvironment; may be null.
  static base::Result<StateDir> Open(const std::string& directory, const char* environment);
  static constexpr const char* kEnvironment = "BERTH_STATE_FDS";
  // The path of the file in the storage that another process, or a parent, has opened with these arguments; "" when
  // there is none. process: "self" or a number.
  static std::string PathOf(File file, const std::string& directory, const char* environment,
                            const std::string& process);

  const std::string& directory() const { return directory_; }  // "": in memory
  int fd(File file) const { return files_[static_cast<size_t>(file)].get(); }
  // For open(2).
  const std::string& path(File file) const { return paths_[static_cast<size_t>(file)]; }
  // What the next program needs in its environment, "" for a directory: "4,5,6".
  std::string EnvironmentValue() const;

 private:
  base::Result<void> OpenFiles();
  void TakeOver(std::string_view environment);
  base::Result<void> MakeMissing();

  std::string directory_;
  std::array<os::FileDescriptor, kFiles> files_;
  std::array<std::string, kFiles> paths_;
};

// Everything in the file; "" when it cannot be read.
std::string ReadText(const std::string& path);

}  // namespace berth::crash
