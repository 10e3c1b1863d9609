#include "plugin/loader/staging.h"
#include "os/fd/file_descriptor.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <filesystem>

#include "os/crypto/digest.h"
#include "plugin/loader/seal.h"

#ifndef MFD_EXEC
#define MFD_EXEC 0x0010U  // Linux 6.3; not in this libc's headers
#endif

namespace berth::loader {
namespace {

bool WriteAll(int fd, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes = bytes.subspan(static_cast<size_t>(n));
  }
  return true;
}

// Security modules and noexec mounts refuse only when code is mapped.
bool MayBeExecuted(int fd) {
  void* page = mmap(nullptr, 1, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
  if (page == MAP_FAILED) return false;
  munmap(page, 1);
  return true;
}

int CreateMemfd(const std::string& name) {
  const int fd = memfd_create(name.c_str(), MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_EXEC);
  if (fd >= 0) return fd;
  // Kernels before 6.3 do not know MFD_EXEC; vm.memfd_noexec=2 forbids it, though not mapping the code.
  return memfd_create(name.c_str(), MFD_CLOEXEC | MFD_ALLOW_SEALING);
}

base::Result<os::FileDescriptor> WriteMemfd(std::span<const std::byte> bytes, const std::string& label) {
  os::FileDescriptor fd(CreateMemfd(label));
  if (!fd.valid()) return base::Fail(os::SystemText("memfd_create", errno));
  if (!WriteAll(fd.get(), bytes)) return base::Fail(os::SystemText("writing to a memfd", errno));
  return fd;
}

base::Result<os::FileDescriptor> WriteSealedMemfd(std::span<const std::byte> bytes, const std::string& label) {
  constexpr std::chrono::milliseconds kTimeout{1000};
  constexpr int kMemfds = 3;  // a page of the next memfd is probably free
  int refused = 0;
  for (int i = 0; i < kMemfds; ++i) {
    base::Result<os::FileDescriptor> fd = WriteMemfd(bytes, label);
    if (!fd) return fd;
    refused = SealMemfd(fd->get(), kTimeout);
    if (refused == 0) return fd;
    if (refused != EBUSY) break;
  }
  return base::Fail(os::SystemText("sealing a memfd", refused));
}

base::Result<Staged> StageInMemory(std::span<const std::byte> bytes, const std::string& name) {
  constexpr size_t kLongestName = 249;  // the kernel's
  const std::string label = "berth:" + std::filesystem::path(name).filename().string();
  base::Result<os::FileDescriptor> written = WriteSealedMemfd(bytes, label.substr(0, kLongestName));
  if (!written) return tl::unexpected(written.error());
  os::FileDescriptor& fd = *written;
  if (!MayBeExecuted(fd.get())) return base::Fail(os::SystemText("mapping code from a memfd", errno));
  std::string path = "/proc/self/fd/" + std::to_string(fd.get());
  return Staged(std::move(fd), std::move(path), "");
}

base::Result<void> CheckPrivate(const std::string& directory) {
  struct stat status;
  if (stat(directory.c_str(), &status) != 0) return base::Fail(os::SystemText("staging directory " + directory, errno));
  if (!S_ISDIR(status.st_mode) || status.st_uid != geteuid() || (status.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return base::Fail("staging directory " + directory + " is not a directory that only this user may write to");
  }
  return {};
}

// A new file <sha256>.<number>.so; skips numbers that an earlier process left behind.
os::FileDescriptor CreateStagingFile(const std::string& directory, const std::string& sha256, std::string& path) {
  static std::atomic<uint32_t> number{0};
  for (;;) {
    path = directory + "/" + sha256 + "." + std::to_string(++number) + ".so";
    os::FileDescriptor fd(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0500));
    if (fd.valid() || errno != EEXIST) return fd;
  }
}

base::Result<Staged> StageInDirectory(std::span<const std::byte> bytes, const std::string& directory) {
  if (base::Result<void> is_private = CheckPrivate(directory); !is_private) return tl::unexpected(is_private.error());
  std::string path;
  os::FileDescriptor writer =
      CreateStagingFile(std::filesystem::absolute(directory).string(), crypto::Sha256Hex(bytes), path);
  if (!writer.valid()) return base::Fail(os::SystemText("creating " + path, errno));
  Staged staged(os::FileDescriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)), path, path);
  if (staged.fd() < 0 || !WriteAll(writer.get(), bytes)) return base::Fail(os::SystemText("writing " + path, errno));
  return staged;
}

}  // namespace

base::Result<std::vector<std::byte>> Staged::Bytes() const {
  struct stat status;
  if (fstat(fd_.get(), &status) != 0) return base::Fail(os::SystemText("the staged copy cannot be examined", errno));
  return os::ReadAll(fd_.get(), static_cast<size_t>(status.st_size));
}

bool StagesInMemory() {
  const os::FileDescriptor fd(CreateMemfd("berth:probe"));
  return fd.valid() && ftruncate(fd.get(), 1) == 0 && MayBeExecuted(fd.get());
}

void Staged::RemoveFile() {
  if (fd_.valid() && !temporary_.empty()) unlink(temporary_.c_str());
  temporary_.clear();
}

tl::expected<Staged, Finding> Stage(std::span<const std::byte> bytes, const std::string& name,
                                    const StagingOptions& options) {
  std::string why;
  if (options.memfd) {
    base::Result<Staged> staged = StageInMemory(bytes, name);
    if (staged) return std::move(*staged);
    why = staged.error().message + "; ";
  }
  if (options.directory.empty())
    return tl::unexpected(Finding{Rule::kStaging, "cannot be staged: " + why + "no staging directory is set"});
  base::Result<Staged> staged = StageInDirectory(bytes, options.directory);
  if (staged) return std::move(*staged);
  return tl::unexpected(Finding{Rule::kStaging, "cannot be staged: " + why + staged.error().message});
}

}  // namespace berth::loader
