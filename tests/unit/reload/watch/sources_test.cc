// Both configuration files of a volume that changes while they are read.
#include "policy/assembly/config_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sandbox.h"

namespace berth::reload {
namespace {

using testing::HasSubstr;

class SourcesTest : public Sandbox {
 protected:
  // Replaces both files of the volume in one step.
  void ProjectBoth(const std::string& volume, const std::string& version) {
    Write(volume + "/.." + version + "/berth.yaml", "berth of " + version);
    Project(volume, ".." + version, "config.yaml", "config of " + version);
    if (!std::filesystem::is_symlink(Path(volume + "/berth.yaml"))) {
      std::filesystem::create_symlink("..data/berth.yaml", Path(volume + "/berth.yaml"));
    }
  }
  // The content that is read if before_nth runs before the n-th opening of the files, counted from 1.
  std::vector<std::string> Read(const std::string& config, const std::string& berth,
                                const std::function<void(int n)>& before_nth) {
    int n = 0;
    const auto sources = assembly::ReadSources(Path(config), Path(berth), [&] { before_nth(++n); });
    if (!sources) return {sources.error().message};
    std::vector<std::string> texts;
    for (const config::Source& source : *sources) texts.push_back(source.text);
    names_.clear();
    for (const config::Source& source : *sources) names_.push_back(source.name);
    return texts;
  }
  using Texts = std::vector<std::string>;
  Texts names_;
};

TEST_F(SourcesTest, BothAreOfOneVersionWhenTheVolumeChangesBetweenThem) {
  ProjectBoth("volume", "one");
  const Texts texts = Read("volume/config.yaml", "volume/berth.yaml", [&](int n) {
    if (n == 2) ProjectBoth("volume", "two");
  });
  EXPECT_EQ(texts, (Texts{"config of two", "berth of two"}));
  EXPECT_EQ(names_, (Texts{Path("volume/config.yaml"), Path("volume/berth.yaml")}));
}

// The kubelet removes the old directory a moment after the link has changed: until then, both files come from it.
TEST_F(SourcesTest, BothAreOfTheFirstVersionWhileItIsThere) {
  ProjectBoth("volume", "one");
  const Texts texts = Read("volume/config.yaml", "volume/berth.yaml", [&](int n) {
    if (n != 2) return;
    Write("volume/..two/config.yaml", "config of two");
    Write("volume/..two/berth.yaml", "berth of two");
    Link("..two", "volume/..data");
  });
  EXPECT_EQ(texts, (Texts{"config of one", "berth of one"}));
}

TEST_F(SourcesTest, LinksIntoTheVolumeAreFollowed) {
  ProjectBoth("volume", "one");
  MakeDirectory("elsewhere");
  Link(Path("volume/config.yaml"), "elsewhere/config.yaml");
  const Texts texts = Read("elsewhere/config.yaml", "volume/berth.yaml", [&](int n) {
    if (n == 2) ProjectBoth("volume", "two");
  });
  EXPECT_EQ(texts, (Texts{"config of two", "berth of two"}));
}

TEST_F(SourcesTest, FilesOfTwoVolumesAreEachOfTheirOwn) {
  ProjectBoth("a", "one");
  ProjectBoth("b", "one");
  const Texts texts = Read("a/config.yaml", "b/berth.yaml", [&](int n) {
    if (n == 2) ProjectBoth("b", "two");
  });
  EXPECT_EQ(texts, (Texts{"config of one", "berth of two"}));
}

TEST_F(SourcesTest, AVolumeThatNeverSettlesIsAnError) {
  ProjectBoth("volume", "one");
  int versions = 0;
  const Texts texts = Read("volume/config.yaml", "volume/berth.yaml", [&](int n) {
    if (n % 2 == 0) ProjectBoth("volume", "v" + std::to_string(++versions));
  });
  ASSERT_EQ(texts.size(), 1u);
  EXPECT_THAT(texts[0], HasSubstr(Path("volume/berth.yaml") + ": cannot be read: "));
  EXPECT_LT(versions, 20);
}

TEST_F(SourcesTest, FilesWithoutAVolumeAreReadAsTheyAre) {
  Write("config.yaml", "config");
  Write("berth.yaml", "berth");
  EXPECT_EQ(Read("config.yaml", "berth.yaml", [](int) {}), (Texts{"config", "berth"}));
  EXPECT_EQ(Read("config.yaml", "none.yaml", [](int) {}),
            Texts{Path("none.yaml") + ": cannot be read: No such file or directory"});
  MakeDirectory("folder");
  EXPECT_EQ(Read("folder", "berth.yaml", [](int) {}), Texts{Path("folder") + ": is a directory"});
}

}  // namespace
}  // namespace berth::reload
