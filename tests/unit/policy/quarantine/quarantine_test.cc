#include "policy/quarantine/quarantine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <future>
#include <thread>

#include "crash/record/state_dir.h"
#include "policy/quarantine/back_off_end.h"

namespace berth::quarantine {
namespace {

using testing::HasSubstr;

const std::string kOne(64, '1'), kTwo(64, '2');

QuarantineEntry OfPlugin(const std::string& sha256, const char* profile, const char* plugin, const char* reason,
                         int64_t unix_seconds = 0) {
  return {.sha256 = sha256, .unix_seconds = unix_seconds, .profile = profile, .plugin = plugin, .reason = reason};
}

QuarantineEntry OfLibrary(const std::string& sha256, const char* reason, int64_t unix_seconds = 0) {
  return OfPlugin(sha256, "*", "*", reason, unix_seconds);
}

struct AQuarantine : testing::Test {
  std::string directory = [] {
    std::string pattern = testing::TempDir() + "/quarantine-XXXXXX";
    return std::string(mkdtemp(pattern.data()));
  }();
  Quarantine quarantine{directory + "/quarantine"};
  std::optional<std::string> Why(const std::string& sha256, const char* plugin, const char* profile,
                                 int64_t now = 0) const {
    return quarantine.Why(sha256, plugin, profile, now);
  }
  std::string Text() const { return crash::ReadText(quarantine.path()); }
  ~AQuarantine() override { std::filesystem::remove_all(directory); }
};

TEST_F(AQuarantine, IsEmptyWithoutAFile) {
  EXPECT_TRUE(quarantine.Entries().empty());
  EXPECT_EQ(Why(kOne, "A", "p"), std::nullopt);
}

TEST_F(AQuarantine, KeepsWholeLibrariesAndSinglePlugins) {
  EXPECT_TRUE(quarantine.Add(OfLibrary(kOne, "signal 11")));
  EXPECT_TRUE(quarantine.Add(OfPlugin(kTwo, "p", "A", "failed\n3 times", 86400)));
  EXPECT_EQ(Why(kOne, "A", "p"), "is in quarantine since 1970-01-01T00:00:00Z: signal 11");
  EXPECT_EQ(Why(kOne, "*", "*"), "is in quarantine since 1970-01-01T00:00:00Z: signal 11");
  EXPECT_EQ(Why(kTwo, "A", "p"), "is in quarantine since 1970-01-02T00:00:00Z: failed 3 times");
  EXPECT_EQ(Why(kTwo, "A", "q"), std::nullopt);
  EXPECT_EQ(Why(kTwo, "B", "p"), std::nullopt);
  EXPECT_EQ(Why(kTwo, "*", "*"), std::nullopt);  // others may use that library
}

TEST_F(AQuarantine, AddsNoEntryTwice) {
  quarantine.Add(OfLibrary(kOne, "first"));
  EXPECT_TRUE(quarantine.Add(OfPlugin(kOne, "p", "A", "second", 5)));  // it is already in quarantine
  ASSERT_EQ(quarantine.Entries().size(), 1u);
  EXPECT_EQ(quarantine.Entries().front().reason, "first");
}

TEST_F(AQuarantine, Pardons) {
  quarantine.Add(OfPlugin(kOne, "p", "A", "x"));
  quarantine.Add(OfLibrary(kTwo, "y"));
  quarantine.Add(OfPlugin(kOne, "q", "A", "z"));
  EXPECT_EQ(quarantine.Remove(kOne), 2u);
  EXPECT_EQ(quarantine.Remove(kOne), 0u);
  EXPECT_EQ(Why(kOne, "A", "p"), std::nullopt);
  EXPECT_THAT(Why(kTwo, "A", "p").value_or(""), HasSubstr("y"));
}

std::string DigestOf(char kind, int i) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016x", i);
  return std::string(48, kind) + digits;
}

// The scheduler adds entries while an operator pardons others.
TEST_F(AQuarantine, LosesNothingToTwoWhoWriteAtOnce) {
  constexpr int kEach = 150, kKnown = 400;
  {
    std::ofstream file(quarantine.path());
    for (int i = 0; i < kKnown; ++i) file << DigestOf('c', i) << " 0 * * z\n";
  }
  std::jthread operator_at_work([&] {
    const Quarantine own(quarantine.path());
    for (int i = 0; i < kEach; ++i) {
      EXPECT_TRUE(own.Add(OfLibrary(DigestOf('a', i), "x")));
      EXPECT_EQ(own.Remove(DigestOf('a', i)), 1u);
    }
  });
  for (int i = 0; i < kEach; ++i) EXPECT_TRUE(quarantine.Add(OfLibrary(DigestOf('b', i), "y")));
  operator_at_work.join();
  const auto entries = quarantine.Entries();
  EXPECT_EQ(std::count_if(entries.begin(), entries.end(), [](const auto& entry) { return entry.reason == "z"; }),
            kKnown);
  EXPECT_EQ(std::count_if(entries.begin(), entries.end(), [](const auto& entry) { return entry.reason == "y"; }),
            kEach);
  EXPECT_EQ(entries.size(), static_cast<size_t>(kKnown + kEach));
}

TEST_F(AQuarantine, ForATimeEndsByItself) {
  EXPECT_TRUE(quarantine.AddForATime(OfLibrary(kOne, "the call did not return for 2.1 s", 1000)));
  EXPECT_EQ(
      Why(kOne, "A", "p", 1599),
      "is in quarantine since 1970-01-01T00:16:40Z until 1970-01-01T00:26:40Z: the call did not return for 2.1 s");
  EXPECT_EQ(Why(kOne, "A", "p", 1600), std::nullopt);
  EXPECT_EQ(Text(), kOne + " 1000 * * retry=1600/1 the call did not return for 2.1 s\n");
}

TEST_F(AQuarantine, NotesTheEndOfABackOffOnce) {
  quarantine.AddForATime(OfLibrary(kOne, "x", 1000));
  quarantine.AddForATime(OfLibrary(kTwo, "y", 2000));
  EXPECT_EQ(quarantine.NextEnd(), 1600);
  EXPECT_EQ(quarantine.EndBackOffs(1599), 0u);
  EXPECT_EQ(quarantine.EndBackOffs(1600), 1u);
  EXPECT_EQ(Text(), kOne + " 1000 * * tried=1600/1 x\n" + kTwo + " 2000 * * retry=2600/1 y\n");
  EXPECT_EQ(quarantine.EndBackOffs(1601), 0u);
  EXPECT_EQ(quarantine.NextEnd(), 2600);
  EXPECT_EQ(Why(kOne, "A", "p", 0), std::nullopt) << "a clock that goes back does not restore an entry";
  EXPECT_EQ(Why(kTwo, "A", "p", 0).has_value(), true);
}

// The file contains each time, so that a new process knows it.
TEST_F(AQuarantine, BacksOffForTwiceAsLongEachTimeUpToADay) {
  int64_t now = 1000;
  std::vector<int64_t> minutes;
  for (int i = 0; i < 10; ++i) {
    const Quarantine of_a_new_process(quarantine.path());
    EXPECT_TRUE(of_a_new_process.AddForATime(OfLibrary(kOne, "x", now)));
    const auto entries = of_a_new_process.Entries();
    ASSERT_EQ(entries.size(), 1u);
    minutes.push_back((entries[0].back_off->until_unix_seconds - now) / 60);
    now = entries[0].back_off->until_unix_seconds + 5;
    if (i % 2 == 0) of_a_new_process.EndBackOffs(now);
  }
  EXPECT_THAT(minutes, testing::ElementsAre(10, 20, 40, 80, 160, 320, 640, 1280, 1440, 1440));
}

TEST_F(AQuarantine, StartsAgainWhenTheLastTimeIsLongAgo) {
  quarantine.AddForATime(OfLibrary(kOne, "x"));
  quarantine.AddForATime(OfLibrary(kOne, "x", 600));
  const int64_t end = 600 + 1200;
  quarantine.AddForATime(OfLibrary(kOne, "x", end + kForgottenAfterSeconds + 1));
  EXPECT_EQ(quarantine.Entries().front().back_off->times, 1);
  quarantine.EndBackOffs(3 * kForgottenAfterSeconds);
  EXPECT_EQ(Text(), "") << "it is forgotten";
}

TEST_F(AQuarantine, ForGoodIsNotForATime) {
  quarantine.AddForATime(OfLibrary(kOne, "a hang"));
  EXPECT_TRUE(quarantine.Add(OfLibrary(kOne, "signal 11", 5)));
  EXPECT_TRUE(quarantine.AddForATime(OfLibrary(kOne, "a hang", 9)));
  EXPECT_THAT(Why(kOne, "A", "p", 1'000'000).value_or(""), HasSubstr("Z: signal 11"));
  EXPECT_EQ(quarantine.EndBackOffs(1'000'000), 1u);
  EXPECT_TRUE(Why(kOne, "A", "p", 1'000'000));
}

TEST_F(AQuarantine, ReadsLinesOfVersionsWithoutBackOff) {
  std::ofstream(quarantine.path()) << kOne << " 7 * * signal 11 (Segmentation fault) in Filter\n"
                                   << kTwo << " 8 * * retry=soon was the reason\n";
  const auto entries = quarantine.Entries();
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_FALSE(entries[0].back_off);
  EXPECT_EQ(entries[0].reason, "signal 11 (Segmentation fault) in Filter");
  EXPECT_FALSE(entries[1].back_off);
  EXPECT_EQ(entries[1].reason, "retry=soon was the reason");
  for (const char* word : {"retry=", "retry=1", "retry=1/", "retry=1/0", "retry=x/1", "retry=1/1x",
                           "retry=1/2147483647", "retry=99999999999999999999/1", "tried=1/-1"}) {
    std::ofstream(quarantine.path()) << kOne << " 7 * * " << word << " x\n";
    EXPECT_FALSE(quarantine.Entries().front().back_off) << word;
    EXPECT_TRUE(Why(kOne, "A", "p", INT64_MAX)) << word;
  }
}

TEST_F(AQuarantine, KeepsTheLinesOfOthers) {
  std::ofstream(quarantine.path()) << "# why: see the ticket\n";
  quarantine.Add(OfLibrary(kOne, "x"));
  quarantine.Remove(kOne);
  EXPECT_EQ(Text(), "# why: see the ticket\n");
}

TEST_F(AQuarantine, IsToldOfTheEndOfABackOff) {
  quarantine.AddForATime(OfLibrary(kOne, "x", time(nullptr) - kFirstBackOffSeconds));
  std::promise<void> told;
  const BackOffEnd end(quarantine, [&] { told.set_value(); });
  ASSERT_EQ(told.get_future().wait_for(std::chrono::seconds(60)), std::future_status::ready);
  EXPECT_THAT(Text(), HasSubstr("tried="));
}

TEST_F(AQuarantine, OfMemoryIsWrittenInPlace) {
  const auto place = crash::StateDir::Open("", nullptr);
  ASSERT_TRUE(place);
  const Quarantine in_memory(place->path(crash::File::kQuarantine));
  EXPECT_TRUE(in_memory.AddForATime(OfLibrary(kOne, "x")));
  EXPECT_TRUE(in_memory.Add(OfLibrary(kTwo, "y")));
  EXPECT_EQ(in_memory.Remove(kTwo), 1u);
  EXPECT_EQ(crash::ReadText(place->path(crash::File::kQuarantine)), kOne + " 0 * * retry=600/1 x\n");
}

TEST_F(AQuarantine, LinesOfOthersArePassedOver) {
  std::ofstream(quarantine.path()) << "# a note\n\n"
                                   << kOne << "\n"
                                   << kOne << " x * * r\nzz 1 * * r\n"
                                   << kTwo << " 1 * * r";
  ASSERT_EQ(quarantine.Entries().size(), 1u);
  EXPECT_EQ(quarantine.Entries().front().sha256, kTwo);
}

TEST_F(AQuarantine, OfMemoryIsSharedByThoseThatKnowThePath) {
  const auto place = crash::StateDir::Open("", nullptr);
  ASSERT_TRUE(place);
  const Quarantine one(place->path(crash::File::kQuarantine)), other(place->path(crash::File::kQuarantine));
  EXPECT_TRUE(one.Add(OfLibrary(kOne, "x")));
  EXPECT_TRUE(other.Why(kOne, "A", "p", 0));
}

TEST_F(AQuarantine, ThatCannotBeWrittenSaysSo) {
  const Quarantine nowhere(directory + "/none/quarantine");
  EXPECT_FALSE(nowhere.Add(OfLibrary(kOne, "x")));
}

}  // namespace
}  // namespace berth::quarantine
