#include "os/file/path_walker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace berth::os {
namespace {

using testing::ElementsAre;

// Records the steps below the root of the test.
class Steps final : public PathListener {
 public:
  explicit Steps(std::string root) : root_(std::move(root)) {}
  void Passes(const std::string& directory, const std::string& name, bool last) override {
    if (directory.starts_with(root_)) steps.push_back((last ? "last " : "") + Below(directory) + "/" + name);
  }
  void Follows(const std::string& link, std::string& target) override {
    steps.push_back(Below(link) + " -> " + target);
  }
  std::vector<std::string> steps;

 private:
  std::string Below(const std::string& path) const { return path.substr(root_.size()); }
  const std::string root_;
};

class PathWalkerTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "/path_walker-XXXXXX";
    root_ = std::filesystem::canonical(mkdtemp(pattern.data()));
  }
  void TearDown() override { std::filesystem::remove_all(root_); }
  std::string root_;
};

TEST_F(PathWalkerTest, FollowsTheLinksOfAConfigMapVolume) {
  std::filesystem::create_directory(root_ + "/..2026");
  std::ofstream(root_ + "/..2026/config.yaml") << "x";
  std::filesystem::create_symlink("..2026", root_ + "/..data");
  std::filesystem::create_symlink("..data/config.yaml", root_ + "/config.yaml");
  Steps steps(root_);
  const PathEnd end = WalkPath(root_ + "/config.yaml", &steps);
  EXPECT_EQ(end.error, 0);
  EXPECT_EQ(end.resolved, root_ + "/..2026/config.yaml");
  EXPECT_TRUE(S_ISREG(end.status.st_mode));
  EXPECT_THAT(steps.steps, testing::Contains("/config.yaml -> ..data/config.yaml"));
  EXPECT_THAT(steps.steps, testing::Contains("/..data -> ..2026"));
}

TEST_F(PathWalkerTest, EndsAtTheFirstNameThatIsMissing) {
  const PathEnd end = WalkPath(root_ + "/none/config.yaml", nullptr);
  EXPECT_EQ(end.error, ENOENT);
  EXPECT_EQ(end.resolved, root_ + "/none");
}

TEST_F(PathWalkerTest, EndsAtAFileThatIsNoDirectory) {
  std::ofstream(root_ + "/file") << "x";
  EXPECT_EQ(WalkPath(root_ + "/file/config.yaml", nullptr).error, ENOTDIR);
}

TEST_F(PathWalkerTest, GivesUpALoopOfLinks) {
  std::filesystem::create_symlink("b", root_ + "/a");
  std::filesystem::create_symlink("a", root_ + "/b");
  EXPECT_EQ(WalkPath(root_ + "/a", nullptr).error, ELOOP);
}

}  // namespace
}  // namespace berth::os
