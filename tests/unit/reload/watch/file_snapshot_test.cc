// Paths through links, and what a survey reads at their ends.
#include "reload/watch/file_snapshot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "sandbox.h"

namespace berth::reload {
namespace {

using testing::ElementsAre;
using Way = Sandbox;
using FileSnapshotTest = Sandbox;

// Steps below the sandbox: "directory name", a ! after the name that may be the last.
class Recorder final : public os::PathListener {
 public:
  explicit Recorder(std::string root) : root_(std::move(root)) {}
  void Passes(const std::string& directory, const std::string& name, bool last) override {
    if (directory.starts_with(root_)) steps.push_back(Below(directory) + " " + name + (last ? "!" : ""));
  }
  void Lists(const std::string& directory) override { steps.push_back("lists " + Below(directory)); }
  void Reaches(const std::string& file) override { steps.push_back("reaches " + Below(file)); }
  std::vector<std::string> steps;

 private:
  std::string Below(const std::string& path) const { return "." + path.substr(root_.size()); }
  const std::string root_;
};

TEST_F(Way, PassesEveryDirectoryThatALinkLeadsThrough) {
  Project("volume", "..2026_1", "config.yaml", "a");
  Recorder recorder(root_);
  const os::PathEnd end = os::WalkPath(Path("volume/config.yaml"), &recorder);
  EXPECT_EQ(end.error, 0);
  EXPECT_EQ(end.resolved, Path("volume/..2026_1/config.yaml"));
  EXPECT_THAT(recorder.steps, ElementsAre(". volume", "./volume config.yaml!", "./volume ..data", "./volume ..2026_1",
                                          "./volume/..2026_1 config.yaml!", "reaches ./volume/..2026_1/config.yaml"));
}

TEST_F(Way, UnderstandsDotsAndAbsoluteLinks) {
  const std::string file = Write("a/b/file", "x");
  MakeDirectory("c");
  Link(Path("a/./b/../b"), "c/absolute");
  EXPECT_EQ(os::WalkPath(Path("c//absolute/../b/file"), nullptr).resolved, file);
  Link("../c/absolute/file", "c/relative");
  EXPECT_EQ(os::WalkPath(Path("c/relative"), nullptr).resolved, file);
  EXPECT_EQ(os::WalkPath(Path("c/absolute/"), nullptr).resolved, Path("a/b"));
  EXPECT_EQ(os::WalkPath("/", nullptr).resolved, "/");
  EXPECT_EQ(os::WalkPath("/../..", nullptr).resolved, "/");
}

TEST_F(Way, SaysWhereItBreaksOff) {
  const std::string file = Write("a/file", "x");
  Link("nowhere", "a/dangling");
  Link("round", "a/round");
  const os::PathEnd missing = os::WalkPath(Path("a/b/c"), nullptr);
  EXPECT_EQ(missing.error, ENOENT);
  EXPECT_EQ(missing.resolved, Path("a/b"));
  EXPECT_EQ(os::WalkPath(file + "/x", nullptr).error, ENOTDIR);
  EXPECT_EQ(os::WalkPath(file + "/..", nullptr).error, ENOTDIR);
  EXPECT_EQ(os::WalkPath(Path("a/dangling"), nullptr).resolved, Path("a/nowhere"));
  EXPECT_EQ(os::WalkPath(Path("a/round"), nullptr).error, ELOOP);
}

TEST_F(FileSnapshotTest, SeesLibrariesOfADirectory) {
  for (const char* name : {"b.so", "a.so", ".hidden.so", "readme", "a.so.bak"}) Write(std::string("p/") + name, "x");
  Recorder recorder(root_);
  const FileSnapshot survey =
      TakeFileSnapshot({.files = {}, .directories = {Path("p"), Path("q"), Path("p/readme")}}, &recorder);
  ASSERT_EQ(survey.directories.size(), 3u);
  ASSERT_EQ(survey.directories[0].libraries.size(), 2u);
  EXPECT_EQ(survey.directories[0].libraries[0].path, Path("p/a.so"));
  EXPECT_EQ(survey.directories[0].libraries[1].path, Path("p/b.so"));
  EXPECT_EQ(survey.directories[1].error, ENOENT);
  EXPECT_EQ(survey.directories[2].error, ENOTDIR);
  EXPECT_THAT(recorder.steps, testing::Contains("lists ./p"));
}

TEST_F(FileSnapshotTest, DiffersWhenAFileGrowsAndWhenItIsReplaced) {
  const WatchedPaths paths{.files = {Write("file", "a")}, .directories = {}};
  const FileSnapshot before = TakeFileSnapshot(paths);
  EXPECT_EQ(before, TakeFileSnapshot(paths));
  std::ofstream(Path("file"), std::ios::app) << "b";
  const FileSnapshot grown = TakeFileSnapshot(paths);
  EXPECT_NE(before, grown);
  WriteAndRename("file", "ab");
  EXPECT_NE(grown, TakeFileSnapshot(paths));
}

TEST_F(FileSnapshotTest, MakesPathsAbsolute) {
  const WatchedPaths absolute = WatchedPaths{.files = {"a.yaml", "/b.yaml"}, .directories = {"p"}}.Absolute();
  const std::string here = std::filesystem::current_path().string();
  EXPECT_THAT(absolute.files, ElementsAre(here + "/a.yaml", "/b.yaml"));
  EXPECT_THAT(absolute.directories, ElementsAre(here + "/p"));
}

}  // namespace
}  // namespace berth::reload
