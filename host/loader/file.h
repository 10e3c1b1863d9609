// Reading a plugin file into memory: bytes that belong together, of a file that may be trusted. Called by inspection
// and by opening, on any thread; nothing stays open.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "loader/rule.h"
#include "loader/trust.h"

namespace berth::loader {

inline constexpr size_t kLargestFile = size_t{512} << 20;

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

struct PluginFile {
  std::vector<std::byte> bytes;
  uint64_t device = 0, inode = 0;
};

// Fails with BP-1, BP-2 or BP-3. progress is called before and after the bytes are read, for tests that meddle with the
// file.
tl::expected<PluginFile, Finding> ReadPluginFile(const std::string& path, const TrustRules& trust,
                                                 const std::function<void()>& progress = {});

// Everything in an open file from its beginning, by pread. Fails with the system's text.
base::Result<std::vector<std::byte>> ReadAll(int fd, size_t size);

// "cannot be opened: Permission denied", for errno.
std::string SystemText(const std::string& what, int error);

}  // namespace berth::loader
