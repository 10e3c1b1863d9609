#include "telemetry/profile/thread_stacks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "base/thread_name.h"
#include "telemetry/profile/heap_text.h"

namespace berth::profile {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// A thread that waits in read() until the end of the object.
struct Waiting {
  explicit Waiting(const std::string& name, bool blocks_signals = false) {
    EXPECT_EQ(pipe(fds), 0);
    thread = std::thread([this, name, blocks_signals] {
      base::NameThread(name);
      if (blocks_signals) {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_BLOCK, &all, nullptr);
      }
      started = true;
      char byte;
      result = read(fds[0], &byte, 1);
    });
    while (!started) std::this_thread::yield();
  }
  ~Waiting() {
    close(fds[1]);
    thread.join();
    close(fds[0]);
    EXPECT_EQ(result, 0) << "the call was interrupted";
  }
  int fds[2];
  std::atomic<bool> started{false};
  ssize_t result = -1;
  std::thread thread;
};

const ThreadStack* Named(const std::vector<ThreadStack>& stacks, const std::string& name) {
  for (const ThreadStack& stack : stacks) {
    if (stack.name == name) return &stack;
  }
  return nullptr;
}

TEST(ThreadStacks, AllThreadsAnswerByName) {
  const Waiting one("waiting-1"), two("waiting-2");
  const auto stacks = TakeThreadStacks(std::chrono::seconds(20));
  ASSERT_TRUE(stacks) << stacks.error().message;
  for (const char* name : {"main", "waiting-1", "waiting-2"}) {
    const ThreadStack* stack = Named(*stacks, name);
    ASSERT_NE(stack, nullptr) << name;
    EXPECT_GE(stack->frames.size(), 2u) << name;
  }
}

TEST(ThreadStacks, AThreadThatBlocksTheSignalHasNoStack) {
  const Waiting deaf("deaf", true);
  const auto stacks = TakeThreadStacks(std::chrono::milliseconds(50));
  ASSERT_TRUE(stacks);
  ASSERT_NE(Named(*stacks, "deaf"), nullptr);
  EXPECT_TRUE(Named(*stacks, "deaf")->frames.empty());
  EXPECT_THAT(FullText(*stacks), HasSubstr(" [deaf]:\n\tit does not answer\n"));
  EXPECT_THAT(CountedText(*stacks), Not(HasSubstr("deaf")));
}

TEST(ThreadStacks, TheTextsNameThreadsAndFunctions) {
  const Waiting one("waiting-1");
  const auto stacks = TakeThreadStacks(std::chrono::seconds(20));
  ASSERT_TRUE(stacks);
  const std::string counted = CountedText(*stacks), full = FullText(*stacks);
  EXPECT_THAT(counted, StartsWith("goroutine profile: total "));
  EXPECT_THAT(counted, HasSubstr("\n# labels: {\"thread\":\"waiting-1\"}\n#\t0x"));
  EXPECT_THAT(counted, HasSubstr("TakeThreadStacks"));
  EXPECT_THAT(counted, HasSubstr("\n--- Memory map: ---\n"));
  EXPECT_THAT(full, HasSubstr("thread " + std::to_string(getpid()) + " [main]:\n"));
}

TEST(ThreadStacks, TheSameStacksAreCountedTogether) {
  const std::vector<ThreadStack> stacks{
      {.thread = 1, .name = "a", .frames = {1, 2}},
      {.thread = 2, .name = "a", .frames = {1, 2}},
      {.thread = 3, .name = "b", .frames = {1, 2}},
      {.thread = 4, .name = "c", .frames = {}},
  };
  EXPECT_THAT(CountedText(stacks), StartsWith("goroutine profile: total 3\n"
                                              "2 @ 0x1 0x2\n# labels: {\"thread\":\"a\"}\n#\t0x1\t\n#\t0x2\t\n\n"
                                              "1 @ 0x1 0x2\n# labels: {\"thread\":\"b\"}\n#\t0x1\t\n#\t0x2\t\n\n"
                                              "--- Memory map: ---\n"));
}

TEST(HeapText, ShowsTheAllocator) { EXPECT_THAT(HeapText(), HasSubstr("<malloc version=")); }

}  // namespace
}  // namespace berth::profile
