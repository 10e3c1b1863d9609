// A file descriptor with an owner, and functions that read from one. Thread: any.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"

namespace berth::os {

// Closes its descriptor. -1: none.
class FileDescriptor {
 public:
  explicit FileDescriptor(int fd = -1) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(other.Release()) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  ~FileDescriptor();
  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }
  int Release();

 private:
  int fd_;
};

// The content of an open file from its beginning, with pread. Errors contain the system's text.
base::Result<std::vector<std::byte>> ReadAll(int fd, size_t size);

// "cannot be opened: Permission denied": what and the text of errno.
std::string SystemText(const std::string& what, int error);

}  // namespace berth::os
