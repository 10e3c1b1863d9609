// Mount points in the text of mountinfo, and the warnings about watched files that are mount points.
#include "reload/watch/mount_points.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::reload {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kMountInfo =
    "1 0 254:0 / / rw,relatime - ext4 /dev/vda rw\n"
    "36 1 0:32 / /etc/berth ro,relatime shared:5 master:1 - tmpfs tmpfs rw,size=4k\n"
    "37 1 254:0 /pods/x/volume-subpaths/config/0 /etc/one/config.yaml ro,relatime - ext4 /dev/vda rw\n"
    "38 1 254:0 /gone//deleted /opt/with\\040blank\\011tab\\134x.so rw - ext4 /dev/vda rw\n"
    "39 1 0:5\n"
    "\n"
    "40 1 0:6 / /last\\0";

TEST(MountPoints, AreTheFifthFieldWithoutEscapes) {
  EXPECT_THAT(ParseMountPoints(kMountInfo),
              ElementsAre("/", "/etc/berth", "/etc/one/config.yaml", "/last\\0", "/opt/with blank\ttab\\x.so"));
  EXPECT_THAT(ParseMountPoints(""), ElementsAre());
  EXPECT_THAT(ParseMountPoints("1 0 0:1 / /a\\0409\\08 rw\n"), ElementsAre("/a 9\\08"));
}

TEST(MountPoints, OfWatchedFilesAreWarnedAbout) {
  FileState in_directory{.path = "/etc/berth/config.yaml", .resolved = "/etc/berth/..1/config.yaml"};
  FileState by_itself{.path = "/etc/one/config.yaml", .resolved = "/etc/one/config.yaml"};
  FileState library{.path = "/plugins/x.so", .resolved = "/opt/with blank\ttab\\x.so"};
  FileState missing{.path = "/last", .resolved = "/last", .error = "does not exist"};
  Fingerprint print{.files = {in_directory, by_itself, missing},
                    .directories = {{.path = "/etc/berth", .resolved = "/etc/berth", .libraries = {library}}}};
  const std::vector<std::string> warnings = MountPointWarnings(print, ParseMountPoints("1 2 0:1 / /last rw\n"
                                                                                       "1 2 0:1 / /etc/berth rw\n"));
  EXPECT_THAT(warnings, ElementsAre());
  EXPECT_THAT(MountPointWarnings(print, ParseMountPoints(kMountInfo)),
              ElementsAre(AllOf(testing::StartsWith("/etc/one/config.yaml is a mount point of its own"),
                                HasSubstr("mount the directory that holds it")),
                          testing::StartsWith("/plugins/x.so (/opt/with blank\ttab\\x.so) is a mount point")));
}

TEST(MountPoints, OfThisProcessCanBeRead) {
  const base::Result<std::string> text = ReadMountInfo();
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_THAT(ParseMountPoints(*text), testing::Contains("/"));
}

}  // namespace
}  // namespace berth::reload
