// When and why exchanges end.
#include "scheduler/extender/deadlines.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

namespace berth::extender {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;
using End = Deadlines::End;

// Blocks until stop is requested.
void AwaitEnd(const Deadlines::Exchange& exchange) {
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  never.wait(lock, exchange.token(), [] { return false; });
}

TEST(Deadlines, ExpireAfterTheTimeout) {
  Deadlines deadlines(milliseconds(50));
  const auto begin = Clock::now();
  for (int i = 1; i <= 2; ++i) {
    const Deadlines::Exchange exchange(deadlines);
    EXPECT_EQ(exchange.end(), End::kNone);
    AwaitEnd(exchange);
    EXPECT_EQ(exchange.end(), End::kExpired);
    EXPECT_GE(Clock::now() - begin, i * milliseconds(50));
  }
}

TEST(Deadlines, EachExchangeHasADeadline) {
  Deadlines deadlines(milliseconds(100));
  std::optional<Deadlines::Exchange> quick(std::in_place, deadlines);
  std::this_thread::sleep_for(milliseconds(20));
  const auto begin = Clock::now();
  const Deadlines::Exchange slow(deadlines);
  quick.reset();  // the watcher waits for its deadline
  AwaitEnd(slow);
  EXPECT_EQ(slow.end(), End::kExpired);
  EXPECT_GE(Clock::now() - begin, milliseconds(100));
}

TEST(Deadlines, DoNotEndAFinishedExchange) {
  Deadlines deadlines(milliseconds(5));
  std::stop_token token;
  {
    const Deadlines::Exchange exchange(deadlines);
    token = exchange.token();
  }
  const Deadlines::Exchange next(deadlines);
  AwaitEnd(next);  // later than the deadline of the first
  EXPECT_EQ(next.end(), End::kExpired);
  EXPECT_FALSE(token.stop_requested());
}

TEST(Deadlines, CloseEndsAll) {
  Deadlines deadlines(std::chrono::hours(24));
  const Deadlines::Exchange first(deadlines), second(deadlines);
  deadlines.Close();
  AwaitEnd(first);
  EXPECT_EQ(first.end(), End::kClosed);
  EXPECT_EQ(second.end(), End::kClosed);
  const Deadlines::Exchange late(deadlines);
  EXPECT_TRUE(late.token().stop_requested());
  EXPECT_EQ(late.end(), End::kClosed);
  deadlines.Close();
}

TEST(Deadlines, ManyThreads) {
  Deadlines deadlines(milliseconds(1));
  std::atomic<int> expired = 0, over = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&, i] {
        for (int j = 0; j < 100; ++j) {
          const Deadlines::Exchange exchange(deadlines);
          if ((i + j) % 2 == 0) {
            AwaitEnd(exchange);
            EXPECT_EQ(exchange.end(), End::kExpired);
            ++expired;
          } else {
            ++over;
          }
        }
      });
    }
  }
  EXPECT_EQ(expired, 200);
  EXPECT_EQ(over, 200);
}

}  // namespace
}  // namespace berth::extender
