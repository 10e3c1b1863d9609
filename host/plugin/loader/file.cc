#include "plugin/loader/file.h"
#include "os/fd/file_descriptor.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace berth::loader {
namespace {

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

tl::expected<PluginFile, Finding> ReadPluginFile(const std::string& path, const TrustRules& trust,
                                                 const std::function<void()>& progress) {
  // Non-blocking: a FIFO must not stop the program.
  const os::FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!file.valid()) return tl::unexpected(Finding{Rule::kReadable, os::SystemText("cannot be opened", errno)});
  struct stat before, after;
  if (fstat(file.get(), &before) != 0)
    return tl::unexpected(Finding{Rule::kReadable, os::SystemText("cannot be examined", errno)});
  if (auto wrong = CheckKind(before)) return tl::unexpected(std::move(*wrong));
  if (auto wrong = CheckTrust(file.get(), path, trust)) return tl::unexpected(std::move(*wrong));
  if (progress) progress();
  base::Result<std::vector<std::byte>> bytes = os::ReadAll(file.get(), static_cast<size_t>(before.st_size));
  if (!bytes) return tl::unexpected(Finding{Rule::kReadable, bytes.error().message});
  if (progress) progress();
  if (fstat(file.get(), &after) != 0 || !SameState(before, after) ||
      bytes->size() != static_cast<size_t>(before.st_size)) {
    return tl::unexpected(Finding{Rule::kStable, "changed while it was read"});
  }
  return PluginFile{std::move(*bytes), before.st_dev, before.st_ino};
}

}  // namespace berth::loader
