// Commands with and without a slash, in absolute and relative directories.
#include "os/subprocess/find_executable.h"

#include <gtest/gtest.h>

namespace berth::os {
namespace {

TEST(FindExecutable, SearchesTheAbsoluteDirectories) {
  EXPECT_EQ(FindExecutable("sh", "/nowhere:/bin"), "/bin/sh");
  EXPECT_EQ(FindExecutable("sh", "bin:.::"), "");
  EXPECT_EQ(FindExecutable("no-such-command", "/bin:/usr/bin"), "");
}

TEST(FindExecutable, TakesAPathAsItIs) {
  EXPECT_EQ(FindExecutable("/bin/sh", ""), "/bin/sh");
  EXPECT_EQ(FindExecutable("/bin", "/"), "");
  EXPECT_EQ(FindExecutable("/dev/null", ""), "");
}

}  // namespace
}  // namespace berth::os
