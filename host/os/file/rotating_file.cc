#include "os/file/rotating_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace berth::os {
namespace {

auto Fail(const std::string& path) { return base::Fail(path + ": " + std::strerror(errno)); }

bool IsFifo(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && S_ISFIFO(status.st_mode);
}

// How many of the first `size` bytes are lines with their "\n".
base::Result<off_t> CompleteLines(int file, off_t size) {
  std::array<char, 4096> block;
  while (size > 0) {
    const off_t begin = std::max<off_t>(0, size - static_cast<off_t>(block.size()));
    const ssize_t n = pread(file, block.data(), static_cast<size_t>(size - begin), begin);
    if (n < 0 && errno == EINTR) continue;
    if (n != size - begin) return base::Fail(n < 0 ? std::strerror(errno) : "the file has become shorter");
    const size_t end = std::string_view(block.data(), static_cast<size_t>(n)).rfind('\n');
    if (end != std::string_view::npos) return begin + static_cast<off_t>(end) + 1;
    size = begin;
  }
  return off_t{0};
}

}  // namespace

base::Result<RotatingFile> RotatingFile::Open(std::string path, size_t max_bytes, int files) {
  RotatingFile file(std::move(path), max_bytes, files);
  if (auto opened = file.OpenCurrent(); !opened) return tl::unexpected(opened.error());
  return file;
}

// O_NONBLOCK: the open of a FIFO without a reader fails instead of waiting for one. Writes wait.
base::Result<void> RotatingFile::OpenCurrent() {
  constexpr mode_t kOwnUser = 0600;
  constexpr int kFlags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
  FileDescriptor file(open(path_.c_str(), kFlags, kOwnUser));
  if (!file.valid() && errno == ENXIO && IsFifo(path_)) return base::Fail(path_ + ": no process reads this FIFO");
  if (!file.valid() || fcntl(file.get(), F_SETFL, O_APPEND) != 0) return Fail(path_);
  struct stat status {};
  if (lstat(path_.c_str(), &status) != 0) return Fail(path_);
  own_ = S_ISREG(status.st_mode);
  size_ = own_ ? static_cast<size_t>(status.st_size) : 0;
  file_ = std::move(file);
  if (size_ == 0) return {};
  auto removed = RemovePartOfLine();
  if (!removed) Close();
  return removed;
}

base::Result<void> RotatingFile::RemovePartOfLine() {
  const FileDescriptor file(open(path_.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) return Fail(path_);
  const auto complete = CompleteLines(file.get(), static_cast<off_t>(size_));
  if (!complete) return base::Fail(path_ + ": " + complete.error().message);
  if (static_cast<size_t>(*complete) == size_) return {};
  if (ftruncate(file_.get(), *complete) != 0) return Fail(path_);
  size_ = static_cast<size_t>(*complete);
  return {};
}

void RotatingFile::Close() {
  file_ = FileDescriptor();
  size_ = 0;
}

// Files move up to the first free number, so that a rename that fails again and again pushes no old file out.
base::Result<void> RotatingFile::Rotate() {
  int last = 1;
  while (last < files_ - 1 && access(Name(last).c_str(), F_OK) == 0) ++last;
  for (int number = std::min(last, files_ - 1); number > 0; --number) {
    if (rename(Name(number - 1).c_str(), Name(number).c_str()) != 0 && errno != ENOENT) return Fail(Name(number));
  }
  if (files_ == 1 && unlink(path_.c_str()) != 0 && errno != ENOENT) return Fail(path_);
  Close();
  return {};
}

base::Result<void> RotatingFile::Append(std::string_view lines) {
  if (file_.valid() && own_ && size_ != 0 && size_ + lines.size() > max_bytes_) {
    if (auto rotated = Rotate(); !rotated) return rotated;
  }
  if (!file_.valid()) {
    if (auto opened = OpenCurrent(); !opened) return opened;
  }
  auto written = Write(lines);
  if (written) {
    size_ += lines.size();
  } else if (own_ && ftruncate(file_.get(), static_cast<off_t>(size_)) != 0) {
    Close();  // the next open removes the part of a line
  }
  return written;
}

base::Result<void> RotatingFile::Write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = write(file_.get(), text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return Fail(path_);
    text.remove_prefix(static_cast<size_t>(n));
  }
  return {};
}

}  // namespace berth::os
