// A small text file that several processes change: each process holds a lock while it reads, changes and writes. A
// write replaces the file as a whole; a file without a name (in memory, known by a path of /proc) is written in place.
// Thread: any. Ownership: owns the lock, which ends with the object.
#pragma once

#include <chrono>
#include <string>

#include "base/result.h"
#include "os/fd/file_descriptor.h"

namespace berth::os {

class LockedFile {
 public:
  // create: creates a missing file. Waits for other holders of the lock, at most for timeout: a process that was
  // stopped with the lock must not block a start forever.
  static base::Result<LockedFile> Open(const std::string& path, bool create,
                                       std::chrono::milliseconds timeout = std::chrono::seconds(10));
  // valid() is false when the file is missing and create is false.
  bool valid() const { return file_.valid(); }

  std::string Read() const;
  base::Result<void> Write(const std::string& text) const;

 private:
  LockedFile(std::string path, os::FileDescriptor file) : path_(std::move(path)), file_(std::move(file)) {}
  base::Result<void> Failed() const;

  std::string path_;
  os::FileDescriptor file_;
};

// As Read, for callers that do not write: takes no lock unless the file is written in place. "" when it cannot be read.
std::string ReadWhole(const std::string& path);

}  // namespace berth::os
