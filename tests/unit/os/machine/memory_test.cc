#include "os/machine/memory.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace berth::os {
namespace {

class CgroupMemoryTest : public testing::Test {
 protected:
  CgroupMemoryTest() {
    std::string pattern = testing::TempDir() + "memory_testXXXXXX";
    root_ = mkdtemp(pattern.data());
  }
  ~CgroupMemoryTest() override { std::filesystem::remove_all(root_); }
  void File(const std::string& path, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(root_ + path).parent_path());
    std::ofstream(root_ + path) << text;
  }
  std::string root_;
};

TEST_F(CgroupMemoryTest, NoCgroupHasNoLimit) { EXPECT_EQ(CgroupMemoryLeft(root_), std::nullopt); }

TEST_F(CgroupMemoryTest, V2UsesTheLowestOfAllGroups) {
  File("/proc/self/cgroup", "0::/pod/container\n");
  File("/sys/fs/cgroup/pod/container/memory.max", "max\n");
  File("/sys/fs/cgroup/pod/container/memory.current", "600\n");
  EXPECT_EQ(CgroupMemoryLeft(root_), std::nullopt);
  File("/sys/fs/cgroup/pod/memory.max", "1000\n");
  File("/sys/fs/cgroup/pod/memory.current", "700\n");
  EXPECT_EQ(CgroupMemoryLeft(root_), 300u);
  File("/sys/fs/cgroup/pod/container/memory.max", "800\n");
  EXPECT_EQ(CgroupMemoryLeft(root_), 200u);
}

TEST_F(CgroupMemoryTest, InAContainerTheMountIsTheGroup) {
  File("/proc/self/cgroup", "0::/\n");
  File("/sys/fs/cgroup/memory.max", "1000\n");
  File("/sys/fs/cgroup/memory.current", "1200\n");  // a limit that was lowered
  EXPECT_EQ(CgroupMemoryLeft(root_), 0u);
}

TEST_F(CgroupMemoryTest, ReclaimableCacheCountsAsFree) {
  File("/proc/self/cgroup", "0::/\n");
  File("/sys/fs/cgroup/memory.max", "1000\n");
  File("/sys/fs/cgroup/memory.current", "700\n");
  File("/sys/fs/cgroup/memory.stat", "anon 500\nfile 200\ninactive_file 150\n");
  EXPECT_EQ(CgroupMemoryLeft(root_), 450u);
}

TEST_F(CgroupMemoryTest, V1ReportsNoLimitAsAHugeNumber) {
  File("/proc/self/cgroup", "4:cpu,cpuacct:/pod\n7:memory:/pod\n");
  File("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  File("/sys/fs/cgroup/memory/memory.usage_in_bytes", "5000\n");
  EXPECT_EQ(CgroupMemoryLeft(root_), std::nullopt);
  File("/sys/fs/cgroup/memory/pod/memory.limit_in_bytes", "1000\n");
  File("/sys/fs/cgroup/memory/pod/memory.usage_in_bytes", "900\n");
  File("/sys/fs/cgroup/memory/pod/memory.stat", "inactive_file 1\ntotal_inactive_file 50\n");
  EXPECT_EQ(CgroupMemoryLeft(root_), 150u);
}

}  // namespace
}  // namespace berth::os
