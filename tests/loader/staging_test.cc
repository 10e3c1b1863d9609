// Immutable copies, in memory or in a private directory.
#include "plugin/loader/staging.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>

#include "os/crypto/digest.h"
#include "plugin/loader/loader.h"
#include "plugin/loader/seal.h"
#include "zoo.h"

namespace berth::loader {
namespace {

using namespace std::chrono_literals;
using zoo::PrivateFolder;
using zoo::ReadBytes;
using zoo::ZooFile;

size_t FilesIn(const std::string& folder) {
  const std::filesystem::directory_iterator all(folder);
  return static_cast<size_t>(std::distance(begin(all), end(all)));
}

TEST(StagingInMemory, SealsTheBytesAndNamesTheFile) {
  const auto bytes = ReadBytes(ZooFile("good"));
  const auto staged = Stage(bytes, "/plugins/mine.so", {});
  ASSERT_TRUE(staged) << staged.error().text;
  EXPECT_EQ(staged->linker_path(), "/proc/self/fd/" + std::to_string(staged->fd()));
  EXPECT_EQ(std::filesystem::read_symlink(staged->linker_path()), "/memfd:berth:mine.so (deleted)");
  EXPECT_EQ(*staged->Bytes(), bytes);
  EXPECT_EQ(fcntl(staged->fd(), F_GET_SEALS) & (F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL),
            F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL);
  EXPECT_EQ(pwrite(staged->fd(), "x", 1, 0), -1);
  EXPECT_EQ(ftruncate(staged->fd(), 1), -1);
}

TEST(StagingInMemory, TakesNamesOfAnyLength) {
  const auto staged = Stage(ReadBytes(ZooFile("good")), "/plugins/" + std::string(300, 'n') + ".so", {});
  EXPECT_TRUE(staged) << staged.error().text;
}

// A memfd of one page with an extra reference, so that the kernel does not seal it: EBUSY, as when it moves memory.
class HeldMemfd {
 public:
  HeldMemfd() : fd_(memfd_create("held", MFD_CLOEXEC | MFD_ALLOW_SEALING)) {
    if (ftruncate(fd_, kSize) == 0) held_ = mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
  }
  ~HeldMemfd() {
    Release();
    close(fd_);
  }
  int fd() const { return fd_; }
  void Release() {
    if (held_ != MAP_FAILED) munmap(held_, kSize);
    held_ = MAP_FAILED;
  }

 private:
  static constexpr size_t kSize = 4096;
  int fd_;
  void* held_ = MAP_FAILED;
};

TEST(SealMemfd, WaitsUntilThePagesAreReleased) {
  HeldMemfd memfd;
  ASSERT_EQ(SealMemfd(memfd.fd(), 0ms), EBUSY);
  std::jthread other([&] {
    std::this_thread::sleep_for(30ms);
    memfd.Release();
  });
  EXPECT_EQ(SealMemfd(memfd.fd(), 1min), 0);
  EXPECT_NE(fcntl(memfd.fd(), F_GET_SEALS) & F_SEAL_WRITE, 0);
}

TEST(SealMemfd, GivesUpWhenItsPatienceEndsAndAtOnceOnOtherErrors) {
  HeldMemfd memfd;
  EXPECT_EQ(SealMemfd(memfd.fd(), 20ms), EBUSY);
  EXPECT_EQ(fcntl(memfd.fd(), F_GET_SEALS) & F_SEAL_WRITE, 0);
  memfd.Release();
  ASSERT_EQ(SealMemfd(memfd.fd(), 1min), 0);
  EXPECT_EQ(SealMemfd(memfd.fd(), 1h), EPERM);  // sealed already
}

TEST(StagingInADirectory, WorksLikeMemoryAndLeavesNoFileBehind) {
  PrivateFolder plugins, staging;
  Loader loader({.staging = {.memfd = false, .directory = staging.path()}});
  const std::string path = plugins.Copy("good", "staged.so");
  std::ofstream(path, std::ios::app) << "bytes of its own, so that it is mapped again";
  const size_t open_before = zoo::OpenDescriptors();
  const auto library = loader.Open(path);
  ASSERT_TRUE(library) << library.error().message;
  EXPECT_EQ((*library)->entry()->count(), 1u);
  EXPECT_EQ(zoo::OpenDescriptors(), open_before + 1);
  EXPECT_EQ(FilesIn(staging.path()), 0u);
  const auto refused = loader.Open(ZooFile("no_entry"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(FilesIn(staging.path()), 0u);
  EXPECT_EQ(zoo::OpenDescriptors(), open_before + 1);
}

TEST(StagingInADirectory, NamesFilesByDigestAndNeverTwice) {
  PrivateFolder staging;
  const auto bytes = ReadBytes(ZooFile("good"));
  const std::string start = staging.path() + "/" + crypto::Sha256Hex(bytes) + ".";
  const auto one = Stage(bytes, "good.so", {.memfd = false, .directory = staging.path()});
  const auto two = Stage(bytes, "good.so", {.memfd = false, .directory = staging.path()});
  ASSERT_TRUE(one && two);
  EXPECT_THAT(one->linker_path(), testing::StartsWith(start));
  EXPECT_THAT(two->linker_path(), testing::StartsWith(start));
  EXPECT_NE(one->linker_path(), two->linker_path());
  EXPECT_EQ(*one->Bytes(), bytes);
  struct stat status;
  ASSERT_EQ(stat(one->linker_path().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0500u);
  EXPECT_EQ(FilesIn(staging.path()), 2u);
}

TEST(StagingInADirectory, RefusesOneThatOthersMayWriteTo) {
  PrivateFolder staging;
  ASSERT_EQ(chmod(staging.path().c_str(), 0777), 0);
  const auto staged = Stage(ReadBytes(ZooFile("good")), "good.so", {.memfd = false, .directory = staging.path()});
  ASSERT_FALSE(staged);
  EXPECT_EQ(FindingLine("good.so", staged.error()), "good.so: BP-39: cannot be staged: staging directory " +
                                                        staging.path() +
                                                        " is not a directory that only this user may write to");
}

TEST(StagingInADirectory, SaysWhatIsMissing) {
  const auto none = Stage(ReadBytes(ZooFile("good")), "good.so", {.memfd = false});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().text, "cannot be staged: no staging directory is set");
  const auto absent = Stage(ReadBytes(ZooFile("good")), "good.so", {.memfd = false, .directory = "/does/not/exist"});
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().text, "cannot be staged: staging directory /does/not/exist: No such file or directory");
}

}  // namespace
}  // namespace berth::loader
