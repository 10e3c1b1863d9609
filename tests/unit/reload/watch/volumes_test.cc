// Volumes, links and directories that change under a watcher.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "watched.h"

namespace berth::reload {
namespace {

class VolumesTest : public Watched {};

TEST_F(VolumesTest, ReportsEachProjectionOfAConfigMap) {
  Project("volume", "..2026_0", "config.yaml", "zero");
  Write("proof", "");
  StartAndProve({.files = {Path("volume/config.yaml"), Path("proof")}, .directories = {}}, "proof");
  for (const char* text : {"one", "two", "three"}) {
    Project("volume", std::string("..2026_") + text, "config.yaml", text);
    EXPECT_TRUE(TellsThat(Path("volume/config.yaml"), text));
  }
  EXPECT_EQ(DigestsTold(Path("volume/config.yaml")), (std::vector{Sha256("one"), Sha256("two"), Sha256("three")}));
}

TEST_F(VolumesTest, DoesNotReportAnotherFileOfTheVolume) {
  Project("volume", "..1", "config.yaml", "same");
  Write("proof", "");
  StartAndProve({.files = {Path("volume/config.yaml"), Path("proof")}, .directories = {}}, "proof");
  const uint64_t before = watcher_->compared();
  Project("volume", "..2", "config.yaml", "same");
  ASSERT_TRUE(Compares(before + 1));
  EXPECT_EQ(reported(), 0u);
  Project("volume", "..3", "config.yaml", "other");
  EXPECT_TRUE(TellsThat(Path("volume/config.yaml"), "other"));
  EXPECT_EQ(reported(), 1u);
}

TEST_F(VolumesTest, ReportsLibrariesInAVolume) {
  Project("volume", "..1", "a.so", "one");
  Write("proof", "");
  StartAndProve({.files = {Path("proof")}, .directories = {Path("volume")}}, "proof");
  Project("volume", "..2", "a.so", "two");
  EXPECT_TRUE(TellsThat(Path("volume/a.so"), "two"));
  Project("volume", "..3", "a.so", "three");
  EXPECT_TRUE(TellsThat(Path("volume/a.so"), "three"));
  EXPECT_EQ(reported(), 2u);
}

TEST_F(VolumesTest, ReportsNewChangedAndRemovedLibraries) {
  Write("proof", "");
  StartAndProve({.files = {Path("proof")}, .directories = {MakeDirectory("p")}}, "proof");
  Write("p/new.so", "one");
  EXPECT_TRUE(TellsThat(Path("p/new.so"), "one"));
  Write("p/new.so", "two");
  EXPECT_TRUE(TellsThat(Path("p/new.so"), "two"));
  WriteAndRename("p/new.so", "three");
  EXPECT_TRUE(TellsThat(Path("p/new.so"), "three"));
  std::filesystem::remove(Path("p/new.so"));
  EXPECT_TRUE(TellsThat(Path("p/new.so"), nullptr));
  EXPECT_EQ(reported(), 4u);
}

TEST_F(VolumesTest, ReportsADirectoryThatIsRemovedAndCreatedAgain) {
  Write("d/p/a.so", "a");
  Write("proof", "");
  StartAndProve({.files = {Write("d/config.yaml", "one"), Path("proof")}, .directories = {Path("d/p")}}, "proof");
  std::filesystem::remove_all(Path("d"));
  EXPECT_TRUE(TellsThat(Path("d/config.yaml"), nullptr));
  Write("d/config.yaml", "two");
  EXPECT_TRUE(TellsThat(Path("d/config.yaml"), "two"));
  Write("d/p/b.so", "b");
  EXPECT_TRUE(TellsThat(Path("d/p/b.so"), "b"));
  Write("d/config.yaml", "three");
  EXPECT_TRUE(TellsThat(Path("d/config.yaml"), "three"));
}

TEST_F(VolumesTest, ReportsFilesBelowADirectoryThatIsReplaced) {
  Write("top/middle/config.yaml", "one");
  Write("next/middle/config.yaml", "two");
  Write("proof", "");
  StartAndProve({.files = {Path("top/middle/config.yaml"), Path("proof")}, .directories = {}}, "proof");
  std::filesystem::rename(Path("top"), Path("before"));
  std::filesystem::rename(Path("next"), Path("top"));
  EXPECT_TRUE(TellsThat(Path("top/middle/config.yaml"), "two"));
  WriteAndRename("top/middle/config.yaml", "three");
  EXPECT_TRUE(TellsThat(Path("top/middle/config.yaml"), "three"));
}

TEST_F(VolumesTest, FollowsASymbolicLinkInThePath) {
  Write("releases/1/config.yaml", "one");
  Write("releases/2/config.yaml", "two");
  Write("releases/2/p/a.so", "a");
  Link("releases/1", "current");
  Write("proof", "");
  StartAndProve({.files = {Path("current/config.yaml"), Path("proof")}, .directories = {Path("current/p")}}, "proof");
  Link("releases/2", "current");
  EXPECT_TRUE(TellsThat(Path("current/config.yaml"), "two"));
  EXPECT_TRUE(TellsThat(Path("current/p/a.so"), "a"));
  Write("releases/2/config.yaml", "three");
  EXPECT_TRUE(TellsThat(Path("current/config.yaml"), "three"));
  const size_t before = reported();
  Write("releases/1/config.yaml", "who cares");  // no longer on the way
  Write("releases/2/config.yaml", "four");
  EXPECT_TRUE(TellsThat(Path("current/config.yaml"), "four"));
  EXPECT_EQ(reported(), before + 1);
}

TEST_F(VolumesTest, ReportsTheTargetOfADanglingLinkOnceItExists) {
  Link(Path("later/config.yaml"), "config.yaml");
  Write("proof", "");
  StartAndProve({.files = {Path("config.yaml"), Path("proof")}, .directories = {}}, "proof");
  Write("later/config.yaml", "one");
  EXPECT_TRUE(TellsThat(Path("config.yaml"), "one"));
}

}  // namespace
}  // namespace berth::reload
