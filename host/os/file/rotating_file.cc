#include "os/file/rotating_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace berth::os {
namespace {

auto Fail(const std::string& path) { return base::Fail(path + ": " + std::strerror(errno)); }

}  // namespace

base::Result<RotatingFile> RotatingFile::Open(std::string path, size_t max_bytes, int files) {
  RotatingFile file(std::move(path), max_bytes, files);
  if (auto opened = file.OpenCurrent(); !opened) return tl::unexpected(opened.error());
  return file;
}

base::Result<void> RotatingFile::OpenCurrent() {
  constexpr mode_t kOwnUser = 0600;
  file_ = FileDescriptor(open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, kOwnUser));
  if (!file_.valid()) return Fail(path_);
  struct stat status {};
  if (fstat(file_.get(), &status) != 0) return Fail(path_);
  size_ = static_cast<size_t>(status.st_size);
  return {};
}

base::Result<void> RotatingFile::Rotate() {
  for (int number = files_ - 1; number > 0; --number) {
    if (rename(Name(number - 1).c_str(), Name(number).c_str()) != 0 && errno != ENOENT) return Fail(Name(number));
  }
  if (files_ == 1 && unlink(path_.c_str()) != 0 && errno != ENOENT) return Fail(path_);
  return OpenCurrent();
}

base::Result<void> RotatingFile::Append(std::string_view lines) {
  if (size_ != 0 && size_ + lines.size() > max_bytes_) {
    if (auto rotated = Rotate(); !rotated) return rotated;
  }
  while (!lines.empty()) {
    const ssize_t n = write(file_.get(), lines.data(), lines.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return Fail(path_);
    size_ += static_cast<size_t>(n);
    lines.remove_prefix(static_cast<size_t>(n));
  }
  return {};
}

}  // namespace berth::os
