// Where what must outlive the process is kept: three files of --state-dir or, without one, three anonymous files in
// memory that go from one program to the next through exec.
// Opened first thing at start. Thread: one; the descriptors and paths may be used by any. Ownership: owns the
// descriptors, which are close-on-exec; whoever executes the next program lifts that (departure.h).
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "base/result.h"
#include "loader/file.h"

namespace berth::recovery {

// crash.record: the last crash, binary, until somebody has read it. restarts: a line for each, in Unix seconds.
// quarantine: see quarantine.h.
enum class File : uint8_t { kRecord, kRestarts, kQuarantine };
inline constexpr size_t kFiles = 3;

class Place {
 public:
  // directory "": files in memory; those of the program before are taken over when environment names them. environment:
  // the value of kEnvironment, may be null.
  static base::Result<Place> Open(const std::string& directory, const char* environment);
  static constexpr const char* kEnvironment = "BERTH_STATE_FDS";
  // The path of that file of a place that another process, or a parent, has opened with these words; "" when there is
  // none. process: "self" or a number.
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
  std::array<loader::FileDescriptor, kFiles> files_;
  std::array<std::string, kFiles> paths_;
};

// Everything in the file; "" when it cannot be read.
std::string ReadText(const std::string& path);

}  // namespace berth::recovery
