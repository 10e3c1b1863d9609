#include "loader/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace berth::loader {
namespace {

constexpr size_t kReadAtOnce = size_t{1} << 20;

bool SameState(const struct stat& a, const struct stat& b) {
  const auto same_time = [](const timespec& x, const timespec& y) {
    return x.tv_sec == y.tv_sec && x.tv_nsec == y.tv_nsec;
  };
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino && a.st_size == b.st_size && same_time(a.st_mtim, b.st_mtim) &&
         same_time(a.st_ctim, b.st_ctim);
}

std::optional<Finding> CheckKind(const struct stat& status) {
  if (!S_ISREG(status.st_mode)) return Finding{Rule::kReadable, "is not a regular file"};
  if (status.st_size == 0) return Finding{Rule::kReadable, "is empty"};
  if (static_cast<uint64_t>(status.st_size) > kLargestFile) {
    return Finding{Rule::kReadable, "has " + std::to_string(status.st_size) + " bytes; a plugin may have 512 MiB"};
  }
  return std::nullopt;
}

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

tl::expected<PluginFile, Finding> ReadPluginFile(const std::string& path, const TrustRules& trust,
                                                 const std::function<void()>& progress) {
  // Not blocking: a FIFO by that name must not stop the program.
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!file.valid()) return tl::unexpected(Finding{Rule::kReadable, SystemText("cannot be opened", errno)});
  struct stat before, after;
  if (fstat(file.get(), &before) != 0)
    return tl::unexpected(Finding{Rule::kReadable, SystemText("cannot be examined", errno)});
  if (auto wrong = CheckKind(before)) return tl::unexpected(std::move(*wrong));
  if (auto wrong = CheckTrust(file.get(), path, trust)) return tl::unexpected(std::move(*wrong));
  if (progress) progress();
  base::Result<std::vector<std::byte>> bytes = ReadAll(file.get(), static_cast<size_t>(before.st_size));
  if (!bytes) return tl::unexpected(Finding{Rule::kReadable, bytes.error().message});
  if (progress) progress();
  if (fstat(file.get(), &after) != 0 || !SameState(before, after) ||
      bytes->size() != static_cast<size_t>(before.st_size)) {
    return tl::unexpected(Finding{Rule::kStable, "changed while it was read"});
  }
  return PluginFile{std::move(*bytes), before.st_dev, before.st_ino};
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

}  // namespace berth::loader
