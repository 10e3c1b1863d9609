// Functions in forked children that finish, die, hang, and write.
#include "os/subprocess/forked_child.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

namespace berth::os {
namespace {

using std::chrono::milliseconds;

const ForkOptions kLongLimit{std::chrono::seconds(30)};

bool IsDone(std::string_view bytes) { return bytes.find('d') != std::string_view::npos; }
void Say(int fd, const char* text) { EXPECT_EQ(write(fd, text, strlen(text)), static_cast<ssize_t>(strlen(text))); }

TEST(ForkedChild, IsDoneWhenTheListenerIs) {
  std::string heard;
  const auto result = RunForked(
      kLongLimit,
      [](int messages) {
        Say(STDOUT_FILENO, "output");
        Say(messages, "abcd");
        pause();
      },
      [&](std::string_view bytes) { return heard += bytes, IsDone(bytes); });
  ASSERT_TRUE(result);
  EXPECT_EQ(result->end, ForkEnd::kDone);
  EXPECT_EQ(heard, "abcd");
  EXPECT_EQ(result->output, "output");
}

TEST(ForkedChild, ThatReturnsWithoutBeingDoneHasDied) {
  const auto result = RunForked(
      kLongLimit, [](int) {}, IsDone);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->end, ForkEnd::kDied);
  EXPECT_EQ(result->how, "ended with exit code 0");
}

TEST(ForkedChild, ThatCrashesLeavesItsOutput) {
  const auto result = RunForked(
      kLongLimit,
      [](int) {
        Say(STDERR_FILENO, "last words");
        raise(SIGKILL);
      },
      IsDone);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->end, ForkEnd::kDied);
  EXPECT_EQ(result->how, "was ended by signal 9 (Killed)");
  EXPECT_EQ(result->output, "last words");
}

TEST(ForkedChild, IsKilledAfterTheLimit) {
  const auto result = RunForked(
      {milliseconds(50)}, [](int) { pause(); }, IsDone);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->end, ForkEnd::kLate);
  EXPECT_GE(result->took, milliseconds(50));
  EXPECT_LT(result->took, milliseconds(20'000));
}

TEST(ForkedChild, ThatClosesEverythingAndHangsIsKilledAfterTheLimit) {
  const auto result = RunForked(
      {milliseconds(50)},
      [](int messages) {
        for (const int fd : {STDOUT_FILENO, STDERR_FILENO, messages}) close(fd);
        for (int fd = 3; fd < 64; ++fd) close(fd);
        pause();
      },
      IsDone);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->end, ForkEnd::kLate);
}

TEST(ForkedChild, OnlyTheFirstOutputIsKept) {
  const auto result = RunForked(
      {.limit = std::chrono::seconds(30), .output_bytes = 5},
      [](int messages) {
        const std::string much(200'000, 'x');
        Say(STDOUT_FILENO, much.c_str());
        Say(messages, "d");
      },
      IsDone);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->end, ForkEnd::kDone);
  EXPECT_EQ(result->output, "xxxxx");
}

}  // namespace
}  // namespace berth::os
