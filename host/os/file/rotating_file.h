// A file that grows by whole lines and starts again when it has reached a size: PATH is renamed to PATH.1, PATH.1 to
// PATH.2, and so on, and the oldest is removed. Only the own user can read it. A link, a FIFO, or a device, such as
// /dev/stdout, can have other writers: it is never renamed or truncated.
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
  // Continues an existing file, without a last line that has no "\n": a write that ended early. files: how many there
  // are at most, PATH included; at least 1. Errors name the file; a FIFO that no process reads is one.
  static base::Result<RotatingFile> Open(std::string path, size_t max_bytes, int files);

  // Writes the lines, each with its "\n", at the end of one file. Errors name the file. After an error the file has
  // none of the lines, except for a link, a FIFO, or a device, and the next call opens a file if none is open.
  base::Result<void> Append(std::string_view lines);

 private:
  RotatingFile(std::string path, size_t max_bytes, int files)
      : path_(std::move(path)), max_bytes_(max_bytes), files_(files) {}
  base::Result<void> OpenCurrent();
  base::Result<void> Rotate();                      // leaves no file open
  base::Result<void> RemovePartOfLine();            // at the end of a regular file
  base::Result<void> Write(std::string_view text);  // size_ does not change
  void Close();
  std::string Name(int number) const { return number == 0 ? path_ : path_ + "." + std::to_string(number); }

  std::string path_;
  size_t max_bytes_;
  int files_;
  FileDescriptor file_;
  bool own_ = false;  // PATH itself is a regular file: only this object writes it
  size_t size_ = 0;
};

}  // namespace berth::os
