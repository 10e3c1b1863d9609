#include "crash/record/state_dir.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace berth::crash {
namespace {

using testing::HasSubstr;

TEST(StateDir, ADirectoryIsMadeAndItsFilesAreClosedOnExec) {
  std::string pattern = testing::TempDir() + "/place-XXXXXX";
  const std::string directory = mkdtemp(pattern.data());
  const auto place = StateDir::Open(directory + "/a/b", nullptr);
  ASSERT_TRUE(place) << place.error().message;
  EXPECT_EQ(place->EnvironmentValue(), "");
  EXPECT_EQ(place->path(File::kQuarantine), directory + "/a/b/quarantine");
  for (const File file : {File::kRecord, File::kRestarts, File::kQuarantine}) {
    EXPECT_EQ(fcntl(place->fd(file), F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
  }
  EXPECT_EQ(StateDir::PathOf(File::kQuarantine, directory, "1,2,3", "self"), directory + "/quarantine");
  std::filesystem::remove_all(directory);
}

TEST(StateDir, AnUnusableDirectoryIsAnError) {
  const auto place = StateDir::Open("/dev/null/state", nullptr);
  ASSERT_FALSE(place);
  EXPECT_THAT(place.error().message, HasSubstr("--state-dir"));
}

TEST(StateDir, MemorySurvivesExec) {
  auto before = StateDir::Open("", nullptr);
  ASSERT_TRUE(before);
  const std::string value = before->EnvironmentValue();
  ASSERT_EQ(write(before->fd(File::kRestarts), "17\n", 3), 3);
  std::string copies;  // as exec leaves descriptors: open, without an owner
  for (const File file : {File::kRecord, File::kRestarts, File::kQuarantine})
    copies += (copies.empty() ? "" : ",") + std::to_string(dup(before->fd(file)));
  const auto now = StateDir::Open("", copies.c_str());
  ASSERT_TRUE(now);
  EXPECT_EQ(now->EnvironmentValue(), copies);
  EXPECT_EQ(ReadText(now->path(File::kRestarts)), "17\n");
  EXPECT_EQ(fcntl(now->fd(File::kRestarts), F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
  EXPECT_EQ(ReadText(StateDir::PathOf(File::kRestarts, "", copies.c_str(), "self")), "17\n");
}

TEST(StateDir, ForeignDescriptorsAreNotTaken) {
  const int foreign = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const std::string& value :
       {std::to_string(foreign) + "," + std::to_string(foreign) + "," + std::to_string(foreign), std::string("0,1,2"),
        std::string("x"), std::string("3"), std::string("-1,-1,-1"), std::string()}) {
    const auto place = StateDir::Open("", value.c_str());
    ASSERT_TRUE(place);
    EXPECT_NE(place->EnvironmentValue(), value);
    EXPECT_EQ(ReadText(place->path(File::kRestarts)), "");
  }
  EXPECT_NE(fcntl(foreign, F_GETFD), -1);  // it is not closed
  close(foreign);
}

}  // namespace
}  // namespace berth::crash
