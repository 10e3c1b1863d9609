// Changes of files that a watcher detects with events and without, and requests to look.
#include "reload/watch/watcher.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <future>

#include "watched.h"

namespace berth::reload {
namespace {

using testing::ElementsAre;

class WatcherTest : public Watched {};

TEST_F(WatcherTest, ReportsAnEditInPlace) {
  const WatchedPaths paths{.files = {Write("config.yaml", "one"), Write("berth.yaml", "b")}, .directories = {}};
  StartAndProve(paths, "config.yaml");
  Write("config.yaml", "two");
  EXPECT_TRUE(TellsThat(Path("config.yaml"), "two"));
  Write("berth.yaml", "bb");
  EXPECT_TRUE(TellsThat(Path("berth.yaml"), "bb"));
  EXPECT_EQ(reported(), 2u);
}

TEST_F(WatcherTest, ReportsAFileRenamedOverAnother) {
  StartAndProve({.files = {Write("config.yaml", "one")}, .directories = {}}, "config.yaml");
  for (const char* text : {"two", "three"}) {
    WriteAndRename("config.yaml", text);
    EXPECT_TRUE(TellsThat(Path("config.yaml"), text));
  }
  EXPECT_EQ(reported(), 2u);
  Write("config.yaml", "four");  // in place, in the file that the rename created
  EXPECT_TRUE(TellsThat(Path("config.yaml"), "four"));
}

TEST_F(WatcherTest, ReportsAWriteThroughAHardLink) {
  Write("config.yaml", "one");
  MakeDirectory("elsewhere");
  std::filesystem::create_hard_link(Path("config.yaml"), Path("elsewhere/name"));
  StartAndProve({.files = {Path("config.yaml")}, .directories = {}}, "config.yaml");
  Write("elsewhere/name", "two");
  EXPECT_TRUE(TellsThat(Path("config.yaml"), "two"));
}

TEST_F(WatcherTest, ReportsAFileThatIsRemovedAndCreatedAgain) {
  StartAndProve({.files = {Write("config.yaml", "one")}, .directories = {}}, "config.yaml");
  std::filesystem::remove(Path("config.yaml"));
  EXPECT_TRUE(TellsThat(Path("config.yaml"), nullptr));
  Write("config.yaml", "two");
  EXPECT_TRUE(TellsThat(Path("config.yaml"), "two"));
  EXPECT_EQ(reported(), 2u);
}

TEST_F(WatcherTest, ReportsAFileThatDidNotExist) {
  StartAndProve({.files = {Write("proof", ""), Path("a/b/config.yaml")}, .directories = {}}, "proof");
  Write("a/b/config.yaml", "one");  // with the directories that hold it
  EXPECT_TRUE(TellsThat(Path("a/b/config.yaml"), "one"));
}

TEST_F(WatcherTest, ReportsACopyWhenItIsComplete) {
  options_.times.quiet = std::chrono::milliseconds(30);  // less than the pauses of the copy
  StartAndProve({.files = {Write("config.yaml", "one")}, .directories = {}}, "config.yaml");
  std::ofstream copy(Path("config.yaml"), std::ios::trunc);
  for (int chunk = 0; chunk < 6; ++chunk) {
    copy << "chunk\n" << std::flush;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  copy.close();
  EXPECT_TRUE(TellsThat(Path("config.yaml"), "chunk\nchunk\nchunk\nchunk\nchunk\nchunk\n"));
  EXPECT_EQ(reported(), 1u);
}

TEST_F(WatcherTest, WaitsForTheContentOfAFileThatIsCreatedEmpty) {
  options_.times.quiet = std::chrono::milliseconds(30);
  StartAndProve({.files = {Write("proof", ""), Path("config.yaml")}, .directories = {}}, "proof");
  std::ofstream late(Path("config.yaml"));
  watcher_->Poke();
  late << "content";
  late.close();
  EXPECT_TRUE(TellsThat(Path("config.yaml"), "content"));
  EXPECT_EQ(reported(), 1u);
}

// Also after Poke: the time is much longer than the quiet period.
TEST_F(WatcherTest, ReportsAnEmptyFileAfterTheLongestWait) {
  options_.times.quiet = std::chrono::milliseconds(1);
  options_.times.at_most = std::chrono::milliseconds(400);
  StartAndProve({.files = {Write("config.yaml", "one")}, .directories = {}}, "config.yaml");
  const auto began = std::chrono::steady_clock::now();
  Write("config.yaml", "");
  watcher_->Poke();
  EXPECT_TRUE(TellsThat(Path("config.yaml"), ""));
  EXPECT_GE(std::chrono::steady_clock::now() - began, options_.times.at_most);
  EXPECT_EQ(reported(), 1u);
}

TEST_F(WatcherTest, WaitsNoLongerThanAllowedForAWriterThatNeverCloses) {
  options_.times.at_most = std::chrono::milliseconds(200);
  StartAndProve({.files = {Write("config.yaml", "one")}, .directories = {}}, "config.yaml");
  std::ofstream log(Path("config.yaml"), std::ios::trunc);
  log << "open" << std::flush;
  EXPECT_TRUE(TellsThat(Path("config.yaml"), "open"));
  log << " still" << std::flush;
  EXPECT_TRUE(TellsThat(Path("config.yaml"), "open still"));
}

TEST_F(WatcherTest, ReportsWhileChangesNeverStop) {
  options_.times.quiet = std::chrono::seconds(20);
  options_.times.at_most = std::chrono::milliseconds(300);
  Start({.files = {Write("config.yaml", "0")}, .directories = {}});
  const auto deadline = std::chrono::steady_clock::now() + kDeadline;
  for (int i = 1; reported() < 2 && std::chrono::steady_clock::now() < deadline; ++i) {
    WriteAndRename("config.yaml", std::to_string(i));
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_GE(reported(), 2u);
}

TEST_F(WatcherTest, DoesNotReportTheSameContent) {
  Write("other", "x");
  StartAndProve({.files = {Write("config.yaml", "one")}, .directories = {MakeDirectory("p")}}, "config.yaml");
  Write("other", "y");
  Write("p/notes", "y");
  const uint64_t before = watcher_->compared();
  Write("config.yaml", "the first words");
  WriteAndRename("config.yaml", "the first words");
  ASSERT_EQ(utimensat(AT_FDCWD, Path("config.yaml").c_str(), nullptr, 0), 0);
  ASSERT_TRUE(Compares(before + 1));
  EXPECT_EQ(reported(), 0u);
  Write("config.yaml", "two");
  EXPECT_TRUE(TellsThat(Path("config.yaml"), "two"));
  EXPECT_EQ(reported(), 1u);
}

TEST_F(WatcherTest, ReportsAtStartWhatHasChangedSinceTheGivenFingerprint) {
  const WatchedPaths paths{.files = {Write("config.yaml", "one")}, .directories = {}};
  const Fingerprint told_before = Fingerprinter().TakeNow(paths);
  Write("config.yaml", "two");
  StartFrom(told_before, paths);
  EXPECT_TRUE(TellsThat(Path("config.yaml"), "two"));
}

TEST_F(WatcherTest, PollsWithoutInotify) {
  options_.inotify = false;
  options_.poll = std::chrono::milliseconds(50);
  Write("p/a.so", "a");
  Start({.files = {Write("config.yaml", "one")}, .directories = {Path("p")}});
  Write("config.yaml", "two");
  EXPECT_TRUE(TellsThat(Path("config.yaml"), "two"));
  WriteAndRename("config.yaml", "three");
  EXPECT_TRUE(TellsThat(Path("config.yaml"), "three"));
  Write("p/b.so", "b");
  EXPECT_TRUE(TellsThat(Path("p/b.so"), "b"));
  Write("p/a.so", "A");
  EXPECT_TRUE(TellsThat(Path("p/a.so"), "A"));
}

TEST_F(WatcherTest, ReportsAtOnceWhenPoked) {
  options_.inotify = false;
  options_.times.quiet = kDeadline * 2;  // the test does not wait for it
  const WatchedPaths paths{.files = {Write("config.yaml", "one")}, .directories = {}};
  Start(paths);
  for (const char* text : {"two", "three"}) {
    Write("config.yaml", text);
    watcher_->Poke();
    EXPECT_TRUE(TellsThat(Path("config.yaml"), text));
  }
  watcher_->Poke();
  ASSERT_TRUE(Compares(3));
  EXPECT_EQ(reported(), 2u);
}

bool HasThread(const std::string& name) {
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream comm(task.path() / "comm");
    std::string text;
    if (std::getline(comm, text) && text.starts_with(name)) return true;
  }
  return false;
}

TEST_F(WatcherTest, HasNoThreadWhileNothingHappens) {
  Write("a", "1");
  Start({.files = {Path("a")}, .directories = {}});
  const auto rests = [] { return !HasThread("file-watcher"); };
  EXPECT_TRUE(Eventually(rests, kDeadline));
  Write("a", "2");
  EXPECT_TRUE(TellsThat(Path("a"), "2"));
  EXPECT_TRUE(Eventually(rests, kDeadline));
}

TEST_F(WatcherTest, ReplacesTheWatchedPaths) {
  StartAndProve({.files = {Write("old.yaml", "o")}, .directories = {}}, "old.yaml");
  watcher_->Watch({.files = {Write("new.yaml", "one")}, .directories = {Path("p")}});
  EXPECT_TRUE(TellsThat(Path("new.yaml"), "one"));
  Write("new.yaml", "two");
  EXPECT_TRUE(TellsThat(Path("new.yaml"), "two"));
  Write("p/a.so", "a");
  EXPECT_TRUE(TellsThat(Path("p/a.so"), "a"));
  const size_t before = reported();
  Write("old.yaml", "oo");
  Write("new.yaml", "three");
  EXPECT_TRUE(TellsThat(Path("new.yaml"), "three"));
  EXPECT_EQ(reported(), before + 1);
  EXPECT_EQ(DigestsTold(Path("old.yaml")).back(), "") << "it is no longer part of the fingerprint";
}

TEST_F(WatcherTest, PathsMayBeReplacedInsideTheCall) {
  WatchedPaths paths{.files = {Write("config.yaml", "one")}, .directories = {}};
  Write("library.so", "l");
  std::atomic<bool> ordered = false;
  during_call_ = [&] {
    if (!ordered.exchange(true))
      watcher_->Watch({.files = {Path("config.yaml"), Path("library.so")}, .directories = {}});
  };
  Start(paths);
  Write("config.yaml", "two");
  EXPECT_TRUE(TellsThat(Path("library.so"), "l"));
  watcher_.reset();
}

TEST_F(WatcherTest, ManyThreadsMayPokeAndReplacePaths) {
  Start({.files = {Write("config.yaml", "one")}, .directories = {}});
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([this] {
        for (int n = 0; n < 50; ++n) watcher_->Poke();
        watcher_->Watch({.files = {Path("config.yaml")}, .directories = {root_}});
      });
    }
  }
  Write("a.so", "a");
  EXPECT_TRUE(TellsThat(Path("a.so"), "a"));
}

// The queue of events overflows during the call; by then, the watched path is another directory.
TEST_F(WatcherTest, ReportsChangesWhoseEventsAreLost) {
  size_t most = 0;
  std::ifstream("/proc/sys/fs/inotify/max_queued_events") >> most;
  if (most == 0 || most > 100'000) GTEST_SKIP() << "the queue holds " << most << " events";
  std::promise<void> flooded;
  std::shared_future<void> may_end(flooded.get_future());
  during_call_ = [may_end] { may_end.wait(); };
  Start({.files = {Write("d/config.yaml", "one")}, .directories = {Path("d")}});
  Write("d/config.yaml", "two");
  ASSERT_TRUE(TellsThat(Path("d/config.yaml"), "two"));
  for (size_t i = 0; i <= most / 2; ++i) {
    Link("nowhere", "d/a");  // two names that the watcher does not watch
    std::filesystem::remove(Path("d/a"));
  }
  std::filesystem::rename(Path("d"), Path("e"));
  Write("d/config.yaml", "three");
  flooded.set_value();
  EXPECT_TRUE(TellsThat(Path("d/config.yaml"), "three"));
  Write("d/config.yaml", "four");
  EXPECT_TRUE(TellsThat(Path("d/config.yaml"), "four"));
}

}  // namespace
}  // namespace berth::reload
