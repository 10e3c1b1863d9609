#include "os/fd/file_descriptor.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <string>

namespace berth::os {
namespace {

bool IsOpen(int fd) { return fcntl(fd, F_GETFD) >= 0; }

int OpenNull() { return open("/dev/null", O_RDONLY | O_CLOEXEC); }

TEST(FileDescriptor, ClosesItsDescriptor) {
  const int fd = OpenNull();
  {
    const FileDescriptor owner(fd);
    EXPECT_TRUE(owner.valid());
    EXPECT_TRUE(IsOpen(fd));
  }
  EXPECT_FALSE(IsOpen(fd));
}

TEST(FileDescriptor, ReleaseLeavesTheDescriptorOpen) {
  FileDescriptor owner(OpenNull());
  const int fd = owner.Release();
  EXPECT_FALSE(owner.valid());
  EXPECT_TRUE(IsOpen(fd));
  close(fd);
}

TEST(FileDescriptor, AMoveHandsTheDescriptorOver) {
  const int fd = OpenNull();
  FileDescriptor first(fd);
  FileDescriptor second(std::move(first));
  EXPECT_EQ(second.get(), fd);
  EXPECT_FALSE(first.valid());
}

TEST(ReadAll, ReadsFromTheBeginningWhateverTheOffset) {
  const FileDescriptor file(memfd_create("read_all", MFD_CLOEXEC));
  ASSERT_EQ(write(file.get(), "0123456789", 10), 10);
  const auto bytes = ReadAll(file.get(), 10);
  ASSERT_TRUE(bytes);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size()), "0123456789");
}

TEST(ReadAll, EndsWithAShorterFile) {
  const FileDescriptor file(memfd_create("read_all", MFD_CLOEXEC));
  ASSERT_EQ(write(file.get(), "ab", 2), 2);
  const auto bytes = ReadAll(file.get(), 100);
  ASSERT_TRUE(bytes);
  EXPECT_EQ(bytes->size(), 2u);
}

TEST(ReadAll, FailsWithTheTextOfTheSystem) {
  const auto bytes = ReadAll(-1, 1);
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().message, "cannot be read: Bad file descriptor");
}

TEST(SystemText, JoinsTheActionAndTheError) {
  EXPECT_EQ(SystemText("cannot be opened", EACCES), "cannot be opened: Permission denied");
}

}  // namespace
}  // namespace berth::os
