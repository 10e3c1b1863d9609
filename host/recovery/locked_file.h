// A small text file that several processes change: each holds a lock while it reads, thinks and writes. What is written
// takes the file's place as a whole; a file without a name (in memory, known by a path of /proc) is written in place.
// Thread: any. Ownership: owns the lock, which ends with the object.
#pragma once

#include <chrono>
#include <string>

#include "base/result.h"
#include "loader/file.h"

namespace berth::recovery {

class LockedFile {
 public:
  // create: when there is no file. Waits for others who hold the lock, at most for `patience`: whoever was stopped
  // while holding it must not hold up a start for ever.
  static base::Result<LockedFile> Open(const std::string& path, bool create,
                                       std::chrono::milliseconds patience = std::chrono::seconds(10));
  // valid() is false when there is no file and none was to be made.
  bool valid() const { return file_.valid(); }

  std::string Read() const;
  base::Result<void> Write(const std::string& text) const;

 private:
  LockedFile(std::string path, loader::FileDescriptor file) : path_(std::move(path)), file_(std::move(file)) {}
  base::Result<void> Failed() const;

  std::string path_;
  loader::FileDescriptor file_;
};

// As Read, for those who do not write: takes no lock unless the file is written in place. "" when it cannot be read.
std::string ReadWhole(const std::string& path);

}  // namespace berth::recovery
