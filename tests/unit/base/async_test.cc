// Coroutines and what they wait for, with an executor that the test runs by hand.
#include "base/async.h"

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <string>
#include <thread>

namespace berth::base {

// What Bell::Rung has given to the executor. Each test runs it.
static std::deque<std::function<void()>>& Posted() {
  static std::deque<std::function<void()>> posted;
  return posted;
}
static void PostHere(std::function<void()> task) { Posted().push_back(std::move(task)); }
static void RunPosted() {
  while (!Posted().empty()) {
    const std::function<void()> task = std::move(Posted().front());
    Posted().pop_front();
    task();
  }
}

static Async<std::string> Half(int n) {
  if (n % 2 != 0) co_return "odd";
  co_return std::to_string(n / 2);
}
static Async<void> Halves(std::string& into) {
  into += co_await Half(4);
  into += co_await Half(3);
}

TEST(AsyncTest, ReturnsValuesWithoutAWait) {
  std::string texts;
  Start(Halves(texts));
  EXPECT_EQ(texts, "2odd");
}

TEST(AsyncTest, BeginsWithStartOnly) {
  std::string texts;
  { const Async<void> never = Halves(texts); }
  EXPECT_EQ(texts, "");
}

struct Waiter {
  Bell bell;
  std::string outcome;
  std::shared_ptr<int> frame = std::make_shared<int>();  // held by the coroutine, until its frame is destroyed

  static Async<void> Wait(Waiter& self, std::stop_token stop, std::shared_ptr<int>) {
    const bool rung = co_await Bell::Rung(self.bell, PostHere, std::move(stop));
    self.outcome = rung ? "rung" : "stopped";
  }
  void Begin(const std::stop_token& stop) { Start(Wait(*this, stop, frame)); }
};

TEST(AsyncTest, ContinuesOnTheExecutorWhenTheBellRings) {
  Waiter waiter;
  waiter.Begin({});
  std::thread([&] { waiter.bell.Ring(); }).join();
  EXPECT_EQ(waiter.outcome, "");
  RunPosted();
  EXPECT_EQ(waiter.outcome, "rung");
  EXPECT_EQ(waiter.frame.use_count(), 1);
}

TEST(AsyncTest, ABellThatHasRungDelaysNothing) {
  Waiter waiter;
  waiter.bell.Ring();
  waiter.Begin({});
  EXPECT_EQ(waiter.outcome, "rung");
  EXPECT_TRUE(Posted().empty());
}

TEST(AsyncTest, AStopEndsAWait) {
  std::stop_source stop;
  Waiter waiter;
  waiter.Begin(stop.get_token());
  stop.request_stop();
  EXPECT_EQ(waiter.outcome, "");
  waiter.bell.Ring();  // too late; it must not continue the coroutine twice
  RunPosted();
  EXPECT_EQ(waiter.outcome, "stopped");
  EXPECT_EQ(waiter.frame.use_count(), 1);
}

TEST(AsyncTest, AnEarlierStopEndsAWait) {
  std::stop_source stop;
  stop.request_stop();
  Waiter waiter;
  waiter.Begin(stop.get_token());
  RunPosted();
  EXPECT_EQ(waiter.outcome, "stopped");
}

TEST(AsyncTest, AStopAfterTheBellChangesNothing) {
  std::stop_source stop;
  Waiter waiter;
  waiter.Begin(stop.get_token());
  waiter.bell.Ring();
  stop.request_stop();
  EXPECT_EQ(Posted().size(), 1U);
  RunPosted();
  EXPECT_EQ(waiter.outcome, "rung");
}

TEST(AsyncTest, OneOfTwoThreadsEndsAWait) {
  for (int i = 0; i < 200; ++i) {
    std::stop_source stop;
    Waiter waiter;
    waiter.Begin(stop.get_token());
    {
      const std::jthread rings([&] { waiter.bell.Ring(); });
      const std::jthread stops([&] { stop.request_stop(); });
    }
    ASSERT_EQ(Posted().size(), 1U);
    RunPosted();
    ASSERT_NE(waiter.outcome, "");
  }
}

TEST(BellTest, WaitBlocksUntilItRingsOrAStop) {
  Bell bell;
  std::stop_source stop;
  {
    const std::jthread stops([&] { stop.request_stop(); });
    EXPECT_FALSE(bell.Wait(stop.get_token()));
  }
  const std::jthread rings([&] { bell.Ring(); });
  EXPECT_TRUE(bell.Wait({}));
}

}  // namespace berth::base
