#include "os/fd/file_descriptor.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace berth::os {
namespace {

constexpr size_t kReadAtOnce = size_t{1} << 20;

}  // namespace

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

FileDescriptor::~FileDescriptor() {
  if (fd_ >= 0) close(fd_);
}

int FileDescriptor::Release() { return std::exchange(fd_, -1); }

std::string SystemText(const std::string& what, int error) {
  return what + ": " + std::generic_category().message(error);
}

base::Result<std::vector<std::byte>> ReadAll(int fd, size_t size) {
  std::vector<std::byte> bytes(size);
  size_t done = 0;
  while (done < size) {
    const ssize_t n = pread(fd, bytes.data() + done, std::min(size - done, kReadAtOnce), static_cast<off_t>(done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return base::Fail(SystemText("cannot be read", errno));
    if (n == 0) break;
    done += static_cast<size_t>(n);
  }
  bytes.resize(done);
  return bytes;
}

}  // namespace berth::os
