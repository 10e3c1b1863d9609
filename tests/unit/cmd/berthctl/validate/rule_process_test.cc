// Work in a child process that succeeds, fails, or takes too long.
#include "cmd/berthctl/validate/rule_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <stdexcept>

namespace berth::validate {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;

constexpr milliseconds kLimit{5000};

TEST(Child, SaysWhatItFound) {
  const ChildResult result = RunInChild(
      [](Findings& findings) {
        findings.Step("looking");
        findings.Fail("two\nlines");
        findings.Warn("careful");
      },
      kLimit);
  EXPECT_EQ(result.end, End::kDone);
  ASSERT_EQ(result.words.size(), 3u);
  EXPECT_EQ(result.words[1].kind, Kind::kFailure);
  EXPECT_EQ(result.words[1].text, "two lines");
  EXPECT_EQ(result.words[2].kind, Kind::kWarning);
}

TEST(Child, ThatCrashesHasSaidWhatItDid) {
  const ChildResult result = RunInChild(
      [](Findings& findings) {
        findings.Step("about to die");
        std::fputs("last words", stderr);
        raise(SIGKILL);
      },
      kLimit);
  EXPECT_EQ(result.end, End::kDied);
  EXPECT_THAT(result.how, HasSubstr("signal 9"));
  ASSERT_EQ(result.words.size(), 1u);
  EXPECT_EQ(result.words[0].text, "about to die");
  EXPECT_EQ(result.output, "last words");
}

TEST(Child, ThatExitsIsNotDone) {
  const ChildResult result = RunInChild([](Findings&) { _exit(0); }, kLimit);
  EXPECT_EQ(result.end, End::kDied);
  EXPECT_EQ(result.how, "ended with exit code 0");
}

TEST(Child, IsNotWaitedForTooLong) {
  const ChildResult result = RunInChild([](Findings&) { pause(); }, milliseconds(100));
  EXPECT_EQ(result.end, End::kLate);
  EXPECT_LT(result.took, kLimit);
}

TEST(Child, ThatThrowsFails) {
  const ChildResult known = RunInChild([](Findings&) { throw std::runtime_error("no"); }, kLimit);
  const ChildResult unknown = RunInChild([](Findings&) { throw 7; }, kLimit);
  ASSERT_EQ(known.words.size(), 1u);
  EXPECT_EQ(known.words[0].text, "threw: no");
  ASSERT_EQ(unknown.words.size(), 1u);
  EXPECT_EQ(unknown.words[0].kind, Kind::kFailure);
}

TEST(Findings, AreNotRepeatedWithoutEnd) {
  const ChildResult result = RunInChild(
      [](Findings& findings) {
        findings.FailAll({"a", "a", "b", "c", "d", "e", "f", "g"}, "x: ");
      },
      kLimit);
  ASSERT_EQ(result.words.size(), 6u);
  EXPECT_EQ(result.words[0].text, "x: a");
  EXPECT_EQ(result.words[1].text, "x: b");
  EXPECT_EQ(result.words[5].text, "x: and more of the kind");
}

}  // namespace
}  // namespace berth::validate
