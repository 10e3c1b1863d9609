// A file that grows by whole lines and starts again when it has reached a size: PATH is renamed to PATH.1, PATH.1 to
// PATH.2, and so on, and the oldest is removed. Only the own user can read it.
// Thread: one at a time. Ownership: owns the descriptor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "os/fd/file_descriptor.h"

namespace berth::os {

class RotatingFile {
 public:
  // Continues an existing file. files: how many there are at most, PATH included; at least 1.
  static base::Result<RotatingFile> Open(std::string path, size_t max_bytes, int files);

  // Writes the lines, each with its "\n", at the end of one file. Errors name the file; what was written stays.
  base::Result<void> Append(std::string_view lines);

 private:
  RotatingFile(std::string path, size_t max_bytes, int files)
      : path_(std::move(path)), max_bytes_(max_bytes), files_(files) {}
  base::Result<void> OpenCurrent();
  base::Result<void> Rotate();
  std::string Name(int number) const { return number == 0 ? path_ : path_ + "." + std::to_string(number); }

  std::string path_;
  size_t max_bytes_;
  int files_;
  FileDescriptor file_;
  size_t size_ = 0;
};

}  // namespace berth::os
