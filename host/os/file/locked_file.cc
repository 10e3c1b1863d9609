#include "os/file/locked_file.h"
#include "os/fd/file_descriptor.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <thread>

namespace berth::os {
namespace {

constexpr auto kPause = std::chrono::milliseconds(1);

bool HasNoName(int fd) {
  struct stat file {};
  return fstat(fd, &file) == 0 && file.st_nlink == 0;
}

// False: another file has replaced it in the meantime, and the lock has no effect.
bool IsStillAt(const std::string& path, int fd) {
  struct stat named {
  }, locked{};
  return stat(path.c_str(), &named) == 0 && fstat(fd, &locked) == 0 && named.st_dev == locked.st_dev &&
         named.st_ino == locked.st_ino;
}

std::string ReadFrom(int fd) {
  std::string text;
  std::array<char, 65536> piece;
  for (ssize_t n = 1; n > 0;) {
    n = pread(fd, piece.data(), piece.size(), static_cast<off_t>(text.size()));
    if (n > 0) text.append(piece.data(), static_cast<size_t>(n));
  }
  return text;
}

bool WriteAll(int fd, const std::string& text) {
  return pwrite(fd, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size());
}

// Its owner can still read the file after another user has rewritten it.
void KeepOwner(int from, int to) {
  struct stat file {};
  if (fstat(from, &file) != 0) return;
  if (fchown(to, file.st_uid, file.st_gid) != 0) return;  // the file keeps this user as its owner
  fchmod(to, file.st_mode & 07777);
}

}  // namespace

base::Result<LockedFile> LockedFile::Open(const std::string& path, bool create, std::chrono::milliseconds timeout) {
  const auto until = std::chrono::steady_clock::now() + timeout;
  for (;;) {
    os::FileDescriptor file(open(path.c_str(), O_RDWR | O_CLOEXEC | (create ? O_CREAT : 0), 0600));
    if (!file.valid() && errno == ENOENT && !create) return LockedFile(path, std::move(file));
    if (!file.valid()) return base::Fail(os::SystemText(path, errno));
    if (flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK && errno != EINTR) return base::Fail(os::SystemText(path, errno));
      if (std::chrono::steady_clock::now() > until) return base::Fail(path + ": another process keeps it locked");
      std::this_thread::sleep_for(kPause);
    } else if (IsStillAt(path, file.get())) {
      return LockedFile(path, std::move(file));
    }
  }
}

std::string LockedFile::Read() const { return ReadFrom(file_.get()); }

base::Result<void> LockedFile::Failed() const { return base::Fail(os::SystemText(path_, errno)); }

base::Result<void> LockedFile::Write(const std::string& text) const {
  if (HasNoName(file_.get())) {
    if (!WriteAll(file_.get(), text) || ftruncate(file_.get(), static_cast<off_t>(text.size())) != 0) return Failed();
    return {};
  }
  const std::string beside = path_ + ".new";
  const os::FileDescriptor file(open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file.valid() || !WriteAll(file.get(), text)) return Failed();
  KeepOwner(file_.get(), file.get());
  if (std::rename(beside.c_str(), path_.c_str()) != 0) return Failed();
  return {};
}

std::string ReadWhole(const std::string& path) {
  const os::FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) return {};
  if (HasNoName(file.get())) flock(file.get(), LOCK_SH);
  return ReadFrom(file.get());
}

}  // namespace berth::os
