#include "os/machine/cpus.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace berth::os {
namespace {

class CgroupCpusTest : public testing::Test {
 protected:
  CgroupCpusTest() {
    std::string pattern = testing::TempDir() + "cpus_testXXXXXX";
    root_ = mkdtemp(pattern.data());
  }
  ~CgroupCpusTest() override { std::filesystem::remove_all(root_); }
  void File(const std::string& path, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(root_ + path).parent_path());
    std::ofstream(root_ + path) << text;
  }
  std::string root_;
};

TEST_F(CgroupCpusTest, NoCgroupMeansTheMachine) {
  EXPECT_GE(CgroupCpus(root_), 1u);
  EXPECT_EQ(CgroupCpus(root_), CgroupCpus(root_ + "/nowhere"));
  EXPECT_GE(CgroupCpus(), 1u);
}

TEST_F(CgroupCpusTest, V2UsesTheSmallestOfAllGroups) {
  const uint32_t machine = CgroupCpus(root_);
  File("/proc/self/cgroup", "0::/pod/container\n");
  File("/sys/fs/cgroup/pod/container/cpu.max", "max 100000\n");
  EXPECT_EQ(CgroupCpus(root_), machine);
  File("/sys/fs/cgroup/pod/cpu.max", "50000 100000\n");
  EXPECT_EQ(CgroupCpus(root_), 1u);
  File("/sys/fs/cgroup/pod/cpu.max", "garbage\n");
  EXPECT_EQ(CgroupCpus(root_), machine);
}

TEST_F(CgroupCpusTest, V2InAContainer) {
  File("/proc/self/cgroup", "0::/\n");
  File("/sys/fs/cgroup/cpu.max", "100000 100000\n");
  EXPECT_EQ(CgroupCpus(root_), 1u);
}

TEST_F(CgroupCpusTest, V1) {
  const uint32_t machine = CgroupCpus(root_);
  File("/proc/self/cgroup", "12:memory:/x\n4:cpu,cpuacct:/x\nnonsense\n");
  File("/sys/fs/cgroup/cpu,cpuacct/x/cpu.cfs_quota_us", "-1\n");
  File("/sys/fs/cgroup/cpu,cpuacct/x/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(CgroupCpus(root_), machine);
  File("/sys/fs/cgroup/cpu,cpuacct/x/cpu.cfs_quota_us", "90000\n");
  EXPECT_EQ(CgroupCpus(root_), 1u);
}

}  // namespace
}  // namespace berth::os
