#include "scheduler/bind/executor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

namespace berth::bind {
namespace {

TEST(ThreadExecutor, RunsATaskHere) {
  ThreadExecutor executor(1);
  std::thread::id ran_on;
  EXPECT_TRUE(executor.RunHere([&] { ran_on = std::this_thread::get_id(); }));
  EXPECT_EQ(ran_on, std::this_thread::get_id());
  EXPECT_EQ(executor.progress().begun, 0u) << "no thread was needed";
}

TEST(ThreadExecutor, ATaskThatRunsHereMayRunAnother) {
  ThreadExecutor executor(1);
  bool ran = false;
  executor.RunHere([&] { executor.RunHere([&] { ran = true; }); });
  EXPECT_TRUE(ran);
}

TEST(ThreadExecutor, AfterStopNothingRunsHere) {
  ThreadExecutor executor(1);
  executor.Stop();
  EXPECT_TRUE(executor.RunHere([] { ADD_FAILURE() << "dropped"; }));
}

TEST(ThreadExecutor, StopWaitsForATaskThatRunsOnItsCallersThread) {
  ThreadExecutor executor(1);
  std::promise<void> begun;
  std::atomic<bool> over{false};
  std::thread caller([&] {
    executor.RunHere([&] {
      begun.set_value();
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      over = true;
    });
  });
  begun.get_future().wait();
  executor.Stop();
  EXPECT_TRUE(over);
  caller.join();
}

TEST(InlineExecutor, KeepsTheOrderOfItsTasks) {
  InlineExecutor executor;
  EXPECT_FALSE(executor.RunHere([] { ADD_FAILURE() << "the caller posts it"; }));
  EXPECT_FALSE(executor.RunPending());
}

}  // namespace
}  // namespace berth::bind
