#include "telemetry/log/line_queue.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

namespace berth::log {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kSoon{60};  // for a busy machine

struct QueuePipe {
  QueuePipe() { EXPECT_EQ(pipe(fds), 0); }
  ~QueuePipe() {
    close(fds[0]);
    close(fds[1]);
  }
  bool Empty() const {
    pollfd wait{fds[0], POLLIN, 0};
    return poll(&wait, 1, 0) == 0;
  }
  std::string Read() const {
    char bytes[4096];
    const ssize_t n = read(fds[0], bytes, sizeof bytes);
    return {bytes, static_cast<size_t>(n < 0 ? 0 : n)};
  }
  int fds[2];
};

TEST(LineQueue, HoldsLinesBackUntilTheyFillTheBuffer) {
  const QueuePipe out;
  LineQueue queue(out.fds[1], LineQueue::kBytes, {.bytes = 10, .time = hours(1)});
  queue.Add("one");
  EXPECT_TRUE(out.Empty());
  queue.Add("two");
  EXPECT_TRUE(out.Empty());
  queue.Add("three");
  EXPECT_EQ(out.Read(), "one\ntwo\nthree\n");
}

TEST(LineQueue, HoldsLinesBackForALimitedTime) {
  const QueuePipe out;
  LineQueue queue(out.fds[1], LineQueue::kBytes, {.bytes = 1000, .time = milliseconds(1)});
  queue.Add("one");
  EXPECT_EQ(out.Read(), "one\n");
}

TEST(LineQueue, FlushAndTheEndWriteWhatIsHeldBack) {
  const QueuePipe out;
  {
    LineQueue queue(out.fds[1], LineQueue::kBytes, {.bytes = 1000, .time = hours(1)});
    queue.Add("one");
    EXPECT_TRUE(queue.Flush(kSoon));
    EXPECT_EQ(out.Read(), "one\n");
    queue.Add("two");
    EXPECT_TRUE(out.Empty());
  }
  EXPECT_EQ(out.Read(), "two\n");
}

}  // namespace
}  // namespace berth::log
