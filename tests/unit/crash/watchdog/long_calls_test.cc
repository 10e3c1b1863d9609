#include "crash/watchdog/long_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <future>
#include <thread>

#include "base/clock.h"
#include "eventually.h"

namespace berth::crash {
namespace {

using base::kMillisecond;
using base::kSecond;
using testing::IsEmpty;
using testing::SizeIs;

constexpr int64_t kEvery = 250 * kMillisecond;

// A call of this thread; the test makes the looks and sets the thread's progress.
class ALongCall : public testing::Test {
 protected:
  ALongCall() : outer_(Enter()) {}
  ~ALongCall() override {
    plugin::LeaveCall(outer_);
    plugin::NoMoreLooks();
  }
  static plugin::OuterCall Enter() {  // nothing looks into the instance
    return plugin::EnterCall(reinterpret_cast<const plugin::Instance*>(8), "Filter", 2 * kSecond, true);
  }
  bool Look(int64_t after_ns) {
    now_ns_ += after_ns;
    return !calls_.Look(now_ns_, [](const plugin::CallSlot&) { return std::chrono::seconds(2); }).empty();
  }
  // The number of looks until the call is found, if `between` runs before each look but the first; 0: more than 1000.
  int LooksUntilFound(const std::function<void()>& between) {
    Look(kEvery);
    for (int i = 2; i <= 1000; ++i) {
      between();
      if (Look(kEvery)) return i;
    }
    return 0;
  }

  Progress progress_;
  LongCalls calls_{{std::chrono::nanoseconds(kEvery), [this](pid_t) { return progress_; }}};
  int64_t now_ns_ = base::RealClock().MonoNs();
  const int64_t not_own_before_ns_ = plugin::NotOwnTime();
  plugin::OuterCall outer_;
};

TEST_F(ALongCall, IsFoundWhenItSleeps) {
  EXPECT_EQ(LooksUntilFound([] {}), 10);
  EXPECT_EQ(plugin::NotOwnTime(), not_own_before_ns_);
}

TEST_F(ALongCall, IsFoundWhenItSpins) {
  progress_.runnable = true;
  EXPECT_EQ(LooksUntilFound([&] { progress_.cpu_ns += kEvery; }), 10);
}

TEST_F(ALongCall, HasTimeWithoutACpu) {
  progress_.runnable = true;
  EXPECT_EQ(LooksUntilFound([&] { progress_.cpu_ns += kEvery / 10; }), 82)
      << "of ten times the time it has had a tenth";
  EXPECT_EQ(plugin::NotOwnTime() - not_own_before_ns_, 81 * (kEvery - kEvery / 10));
}

TEST_F(ALongCall, HasTimeWithoutACpuBetweenSleeps) {
  EXPECT_EQ(LooksUntilFound([&] { progress_.queued_ns += kEvery; }), 0);
}

TEST_F(ALongCall, IsNotBlamedForAStopOfTheProcess) {
  Look(kEvery);
  EXPECT_FALSE(Look(kEvery));
  EXPECT_FALSE(Look(30 * kSecond));
  EXPECT_EQ(plugin::NotOwnTime() - not_own_before_ns_, 30 * kSecond - kEvery);
  EXPECT_FALSE(Look(kEvery));
}

// Also if no look saw the call before the stop.
TEST_F(ALongCall, IsNotBlamedForAStopDuringItsStart) {
  plugin::LeaveCall(outer_);
  Look(kEvery);
  outer_ = Enter();
  Look(3 * kSecond);
  EXPECT_EQ(plugin::NotOwnTime() - not_own_before_ns_, 3 * kSecond - kEvery);
}

TEST_F(ALongCall, IsNotBlamedForTheHostsWork) {
  const plugin::HostTime host;
  EXPECT_EQ(LooksUntilFound([] {}), 0);
}

TEST_F(ALongCall, IsFoundWhenItHangsAfterTheHostsWork) {
  {
    const plugin::HostTime host;
    for (int i = 0; i < 100; ++i) EXPECT_FALSE(Look(kEvery));
  }
  Look(kEvery);
  EXPECT_EQ(LooksUntilFound([] {}), 8);
}

// The host calls another plugin as part of its work for this one.
TEST_F(ALongCall, OfAnotherPluginDuringTheHostsWorkIsFound) {
  const plugin::HostTime host;
  const plugin::OuterCall inner = Enter();
  EXPECT_EQ(LooksUntilFound([] {}), 10);
  plugin::LeaveCall(inner);
  EXPECT_EQ(LooksUntilFound([] {}), 0) << "the outer call is in the host again";
}

TEST_F(ALongCall, IsNoLongerTheSameWhenAnotherHasBegun) {
  EXPECT_EQ(LooksUntilFound([&] {
              plugin::LeaveCall(outer_);
              outer_ = Enter();
            }),
            0);
}

TEST_F(ALongCall, HandlesALateCheckBeforeItRuns) {
  EXPECT_EQ(plugin::LatenessOfLook(now_ns_ + 100 * kSecond), 0) << "nobody looks";
  Look(kEvery);
  EXPECT_EQ(plugin::LatenessOfLook(now_ns_ + kEvery), 0);
  EXPECT_EQ(plugin::LatenessOfLook(now_ns_ + kEvery + 3 * kSecond), 3 * kSecond);
}

TEST(HostTime, CountsOnceWhenNested) {
  const int64_t before = plugin::NotOwnTime();
  const auto began = std::chrono::steady_clock::now();
  {
    const plugin::HostTime outer;
    const plugin::HostTime inner;
    const plugin::OuterCall call = plugin::EnterCall(nullptr, "", 0, false);
    {
      const plugin::HostTime of_inner_call;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    plugin::LeaveCall(call);
  }
  const auto took = std::chrono::steady_clock::now() - began;
  EXPECT_GE(plugin::NotOwnTime() - before, 80 * kMillisecond);
  EXPECT_LE(plugin::NotOwnTime() - before, std::chrono::nanoseconds(took).count() + 20 * kMillisecond);
}

TEST(Progress, OfAThreadThatSpinsIsCpuTime) {
  std::promise<pid_t> id;
  std::atomic<bool> over{false};
  std::jthread spins([&] {
    id.set_value(gettid());
    while (!over) {
    }
  });
  const pid_t thread = id.get_future().get();
  EXPECT_TRUE(Eventually([&] { return ProgressOf(thread).cpu_ns > 50 * kMillisecond; }));
  EXPECT_TRUE(ProgressOf(thread).runnable);
  over = true;
}

TEST(Progress, OfAThreadThatSleepsIsNone) {
  std::promise<pid_t> id;
  std::promise<void> over;
  std::jthread sleeps([&] {
    id.set_value(gettid());
    over.get_future().wait();
  });
  const pid_t thread = id.get_future().get();
  EXPECT_TRUE(Eventually([&] { return !ProgressOf(thread).runnable; }));
  EXPECT_LT(ProgressOf(thread).cpu_ns, kSecond);
  over.set_value();
}

TEST(Progress, OfAMissingThreadCountsAsSleep) {
  const Progress none = ProgressOf(0x3ffffff);
  EXPECT_FALSE(none.runnable);
  EXPECT_EQ(none.cpu_ns, 0);
}

TEST(TimeOfItsOwn, IsNeverMoreThanTheProcessHas) {
  EXPECT_EQ(TimeOfItsOwn({0, 0, true}, {9 * kSecond, 0, true}, kSecond), kSecond);
  EXPECT_EQ(TimeOfItsOwn({0, 0, false}, {0, 9 * kSecond, false}, kSecond), 0);
  EXPECT_EQ(TimeOfItsOwn({5, 5, false}, {0, 0, false}, kSecond), kSecond) << "another thread with the same number";
}

}  // namespace
}  // namespace berth::crash
