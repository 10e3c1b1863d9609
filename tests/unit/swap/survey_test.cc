// Ways through links, and what a survey sees at their ends.
#include "swap/survey.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "sandbox.h"

namespace berth::swap {
namespace {

using testing::ElementsAre;
using Way = Sandbox;
using SurveyTest = Sandbox;

// Steps below the sandbox: "directory name", a ! after the name that may be the last.
class Recorder final : public base::WayListener {
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
  const base::WayEnd end = base::FollowWay(Path("volume/config.yaml"), &recorder);
  EXPECT_EQ(end.error, 0);
  EXPECT_EQ(end.resolved, Path("volume/..2026_1/config.yaml"));
  EXPECT_THAT(recorder.steps, ElementsAre(". volume", "./volume config.yaml!", "./volume ..data", "./volume ..2026_1",
                                          "./volume/..2026_1 config.yaml!", "reaches ./volume/..2026_1/config.yaml"));
}

TEST_F(Way, UnderstandsDotsAndAbsoluteLinks) {
  const std::string file = Write("a/b/file", "x");
  MakeDirectory("c");
  Link(Path("a/./b/../b"), "c/absolute");
  EXPECT_EQ(base::FollowWay(Path("c//absolute/../b/file"), nullptr).resolved, file);
  Link("../c/absolute/file", "c/relative");
  EXPECT_EQ(base::FollowWay(Path("c/relative"), nullptr).resolved, file);
  EXPECT_EQ(base::FollowWay(Path("c/absolute/"), nullptr).resolved, Path("a/b"));
  EXPECT_EQ(base::FollowWay("/", nullptr).resolved, "/");
  EXPECT_EQ(base::FollowWay("/../..", nullptr).resolved, "/");
}

TEST_F(Way, SaysWhereItBreaksOff) {
  const std::string file = Write("a/file", "x");
  Link("nowhere", "a/dangling");
  Link("round", "a/round");
  const base::WayEnd missing = base::FollowWay(Path("a/b/c"), nullptr);
  EXPECT_EQ(missing.error, ENOENT);
  EXPECT_EQ(missing.resolved, Path("a/b"));
  EXPECT_EQ(base::FollowWay(file + "/x", nullptr).error, ENOTDIR);
  EXPECT_EQ(base::FollowWay(file + "/..", nullptr).error, ENOTDIR);
  EXPECT_EQ(base::FollowWay(Path("a/dangling"), nullptr).resolved, Path("a/nowhere"));
  EXPECT_EQ(base::FollowWay(Path("a/round"), nullptr).error, ELOOP);
}

TEST_F(SurveyTest, SeesLibrariesOfADirectory) {
  for (const char* name : {"b.so", "a.so", ".hidden.so", "readme", "a.so.bak"}) Write(std::string("p/") + name, "x");
  Recorder recorder(root_);
  const Survey survey = TakeSurvey({.files = {}, .directories = {Path("p"), Path("q"), Path("p/readme")}}, &recorder);
  ASSERT_EQ(survey.directories.size(), 3u);
  ASSERT_EQ(survey.directories[0].libraries.size(), 2u);
  EXPECT_EQ(survey.directories[0].libraries[0].path, Path("p/a.so"));
  EXPECT_EQ(survey.directories[0].libraries[1].path, Path("p/b.so"));
  EXPECT_EQ(survey.directories[1].error, ENOENT);
  EXPECT_EQ(survey.directories[2].error, ENOTDIR);
  EXPECT_THAT(recorder.steps, testing::Contains("lists ./p"));
}

TEST_F(SurveyTest, DiffersWhenAFileGrowsAndWhenItIsReplaced) {
  const WatchedPaths paths{.files = {Write("file", "a")}, .directories = {}};
  const Survey before = TakeSurvey(paths);
  EXPECT_EQ(before, TakeSurvey(paths));
  std::ofstream(Path("file"), std::ios::app) << "b";
  const Survey grown = TakeSurvey(paths);
  EXPECT_NE(before, grown);
  WriteAndRename("file", "ab");
  EXPECT_NE(grown, TakeSurvey(paths));
}

TEST_F(SurveyTest, MakesPathsAbsolute) {
  const WatchedPaths absolute = WatchedPaths{.files = {"a.yaml", "/b.yaml"}, .directories = {"p"}}.Absolute();
  const std::string here = std::filesystem::current_path().string();
  EXPECT_THAT(absolute.files, ElementsAre(here + "/a.yaml", "/b.yaml"));
  EXPECT_THAT(absolute.directories, ElementsAre(here + "/p"));
}

}  // namespace
}  // namespace berth::swap
