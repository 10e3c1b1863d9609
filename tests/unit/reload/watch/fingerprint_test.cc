// The content of fingerprints, when they are equal, the messages about differences, and which files are not read again.
#include "reload/watch/fingerprint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "sandbox.h"

namespace berth::reload {
namespace {

using testing::ElementsAre;

class FingerprintTest : public Sandbox {
 protected:
  Fingerprint Take(const WatchedPaths& paths) { return fingerprinter_.TakeNow(paths); }
  Fingerprinter fingerprinter_;
};

std::string Short(const std::string& text) { return Sha256(text).substr(0, 12); }

TEST_F(FingerprintTest, HoldsDigestsAndResolvedPaths) {
  Project("volume", "..1", "config.yaml", "hello");
  Write("plugins/a.so", "library");
  const Fingerprint print = Take({.files = {Path("volume/config.yaml")}, .directories = {Path("plugins")}});
  ASSERT_EQ(print.files.size(), 1u);
  EXPECT_EQ(print.files[0].digest, Sha256("hello"));
  EXPECT_EQ(print.files[0].resolved, Path("volume/..1/config.yaml"));
  EXPECT_EQ(print.files[0].error, "");
  ASSERT_EQ(print.directories.size(), 1u);
  ASSERT_EQ(print.directories[0].libraries.size(), 1u);
  EXPECT_EQ(print.directories[0].libraries[0].path, Path("plugins/a.so"));
  EXPECT_EQ(print.directories[0].libraries[0].digest, Sha256("library"));
}

TEST_F(FingerprintTest, HoldsWhyThereIsNoDigest) {
  MakeDirectory("d");
  ASSERT_EQ(mkfifo(Path("fifo").c_str(), 0600), 0);
  Link("round", "round");
  const Fingerprint print =
      Take({.files = {Path("none"), Path("d"), Path("fifo"), Path("round")}, .directories = {Path("none")}});
  EXPECT_EQ(print.files[0].error, "does not exist");
  EXPECT_EQ(print.files[1].error, "is not a regular file");
  EXPECT_EQ(print.files[2].error, "is not a regular file");
  EXPECT_EQ(print.files[3].error, "cannot be reached: Too many levels of symbolic links");
  EXPECT_EQ(print.directories[0].error, "does not exist");
}

TEST_F(FingerprintTest, IsEqualWhenTheSameBytesStandElsewhere) {
  Project("volume", "..1", "config.yaml", "hello");
  const WatchedPaths paths{.files = {Path("volume/config.yaml")}, .directories = {}};
  const Fingerprint before = Take(paths);
  Project("volume", "..2", "config.yaml", "hello");
  const Fingerprint after = Take(paths);
  EXPECT_NE(before.files[0].resolved, after.files[0].resolved);
  EXPECT_EQ(before, after);
  EXPECT_THAT(Differences(before, after), ElementsAre());
}

TEST_F(FingerprintTest, NoticesWhatMakesAFileTrusted) {
  const WatchedPaths paths{.files = {Write("a.so", "x")}, .directories = {}};
  ASSERT_EQ(chmod(Path("a.so").c_str(), 0666), 0);
  const Fingerprint before = Take(paths);
  ASSERT_EQ(chmod(Path("a.so").c_str(), 0644), 0);
  const Fingerprint after = Take(paths);
  EXPECT_NE(before, after);
  EXPECT_THAT(Differences(before, after), ElementsAre(Path("a.so") + " has another owner or mode"));
}

TEST_F(FingerprintTest, SaysWhatHasChanged) {
  const WatchedPaths paths{.files = {Write("one", "1"), Path("two"), Write("three", "3"), Write("same", "s")},
                           .directories = {MakeDirectory("p"), Path("q")}};
  Write("p/old.so", "old");
  const Fingerprint before = Take(paths);
  Write("one", "1 and more");
  Write("two", "2");
  std::filesystem::remove(Path("three"));
  std::filesystem::remove(Path("p/old.so"));
  Write("p/new.so", "new");
  MakeDirectory("q");
  EXPECT_THAT(
      Differences(before, Take(paths)),
      ElementsAre(Path("one") + " has new content (sha256 " + Short("1 and more") + ", was " + Short("1") + ")",
                  Path("two") + " can be read now (sha256 " + Short("2") + ")", Path("three") + " does not exist",
                  Path("p/new.so") + " is a new library (sha256 " + Short("new") + ")",
                  Path("p/old.so") + " is no library any more", "the directory " + Path("q") + " can be listed now"));
}

TEST_F(FingerprintTest, SaysWhatIsWatchedAgain) {
  Write("p/a.so", "a");
  Write("file", "f");
  const Fingerprint none, all = Take({.files = {Path("file"), Path("none")}, .directories = {Path("p")}});
  EXPECT_THAT(Differences(none, all), ElementsAre(Path("file") + " is a new watched file (sha256 " + Short("f") + ")",
                                                  Path("none") + " is a new watched file, which does not exist",
                                                  "the directory " + Path("p") + " is watched now",
                                                  Path("p/a.so") + " is a new library (sha256 " + Short("a") + ")"));
  EXPECT_THAT(Differences(all, none),
              ElementsAre(Path("file") + " is no watched file any more", Path("none") + " is no watched file any more",
                          "the directory " + Path("p") + " is watched no more"));
}

TEST_F(FingerprintTest, ReadsOldLibrariesOnce) {
  MakeDirectory("p");
  Link(BERTH_TEST_SOURCE_DIR "/CMakeLists.txt", "p/old.so");  // older than the resolution of any file system's clock
  Link(BERTH_TEST_SOURCE_DIR "/CMakeLists.txt", "config.yaml");
  const WatchedPaths libraries{.files = {}, .directories = {Path("p")}};
  const Fingerprint first = Take(libraries);
  EXPECT_EQ(fingerprinter_.files_read(), 1u);
  EXPECT_EQ(Take(libraries), first);
  EXPECT_EQ(fingerprinter_.files_read(), 1u);
  // Configuration is read each time: a file system without events may also have wrong times.
  const WatchedPaths files{.files = {Path("config.yaml")}, .directories = {}};
  Take(files);
  Take(files);
  EXPECT_EQ(fingerprinter_.files_read(), 3u);
}

TEST_F(FingerprintTest, ReadsFreshLibrariesAgain) {
  Write("p/a.so", "one");
  const WatchedPaths paths{.files = {}, .directories = {Path("p")}};
  Take(paths);
  Write("p/a.so", "two");  // the same size, and perhaps the same time in the file system's clock
  EXPECT_EQ(Take(paths).directories[0].libraries[0].digest, Sha256("two"));
}

TEST_F(FingerprintTest, IsNotSettledWhenTheSurveyIsOld) {
  const WatchedPaths paths{.files = {Write("a", "one")}, .directories = {}};
  const FileSnapshot survey = TakeFileSnapshot(paths);
  EXPECT_TRUE(fingerprinter_.Take(survey).settled);
  Write("a", "longer");
  const Fingerprinter::Taken moved = fingerprinter_.Take(survey);
  EXPECT_FALSE(moved.settled);
  EXPECT_EQ(moved.fingerprint.files[0].error, "changes while it is read");
  std::filesystem::remove(Path("a"));
  EXPECT_FALSE(fingerprinter_.Take(survey).settled);
  EXPECT_TRUE(fingerprinter_.Take(TakeFileSnapshot(paths)).settled);  // a missing file is settled
}

}  // namespace
}  // namespace berth::reload
