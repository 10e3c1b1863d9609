// Threads for tasks that wait.
#include "scheduler/bind/growing_executor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <latch>
#include <thread>

namespace berth::bind {
namespace {

TEST(GrowingExecutor, TasksDoNotWaitForEachOther) {
  constexpr int kTasks = 5;
  GrowingExecutor executor(8);
  std::barrier all(kTasks);  // hangs unless all run at the same time
  std::latch done(kTasks);
  for (int i = 0; i < kTasks; ++i) {
    executor.Post([&] {
      all.arrive_and_wait();
      done.count_down();
    });
  }
  done.wait();
  EXPECT_TRUE(done.try_wait());
}

TEST(GrowingExecutor, MoreTasksThanThreadsWait) {
  GrowingExecutor executor(2);
  std::atomic<int> running = 0, most = 0;
  std::latch done(50);
  for (int i = 0; i < 50; ++i) {
    executor.Post([&] {
      const int now = ++running;
      int seen = most;
      while (seen < now && !most.compare_exchange_weak(seen, now)) {
      }
      --running;
      done.count_down();
    });
  }
  done.wait();
  EXPECT_LE(most, 2);
}

TEST(GrowingExecutor, WithoutAThreadTheCallerRunsWhatItPosts) {
  GrowingExecutor executor(0);
  std::thread::id ran;
  EXPECT_FALSE(executor.TryPost([&] { ran = std::this_thread::get_id(); }));
  EXPECT_EQ(ran, std::thread::id());
  executor.Post([&] { ran = std::this_thread::get_id(); });
  EXPECT_EQ(ran, std::this_thread::get_id());
}

TEST(GrowingExecutor, TryPostRunsOnAnotherThread) {
  GrowingExecutor executor(1);
  std::thread::id ran;
  std::latch done(1);
  EXPECT_TRUE(executor.TryPost([&] {
    ran = std::this_thread::get_id();
    done.count_down();
  }));
  done.wait();
  EXPECT_NE(ran, std::this_thread::get_id());
}

TEST(GrowingExecutor, AfterStopNothingRuns) {
  GrowingExecutor executor(2);
  std::atomic<int> ran = 0;
  executor.Stop();
  executor.Post([&] { ++ran; });
  EXPECT_FALSE(executor.TryPost([&] { ++ran; }));
  executor.Stop();
  EXPECT_EQ(ran, 0);
}

}  // namespace
}  // namespace berth::bind
