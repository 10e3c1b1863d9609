// Threads for tasks, on demand.
#include "base/task_threads.h"

#include <dirent.h>
#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <fstream>
#include <latch>
#include <memory>
#include <thread>

#include "base/thread_name.h"
#include "eventually.h"

namespace berth::base {
namespace {

using Posted = TaskThreads::Posted;

// The threads of this process whose names begin with this.
int CountThreads(const std::string& name) {
  int n = 0;
  DIR* tasks = opendir("/proc/self/task");
  while (const dirent* one = readdir(tasks)) {
    std::string comm;
    std::ifstream("/proc/self/task/" + std::string(one->d_name) + "/comm") >> comm;
    n += comm.starts_with(name) ? 1 : 0;
  }
  closedir(tasks);
  return n;
}

void PostAndWait(TaskThreads& threads) {
  std::latch done(1);
  ASSERT_EQ(threads.Post([&] { done.count_down(); }), Posted::kQueued);
  done.wait();
}

TEST(TaskThreads, TasksDoNotWaitForEachOther) {
  constexpr int kTasks = 5;
  TaskThreads threads({.name = "tasks", .most = 8});
  std::barrier all(kTasks);  // hangs unless all run at the same time
  std::latch done(kTasks);
  for (int i = 0; i < kTasks; ++i) {
    threads.Post([&] {
      all.arrive_and_wait();
      done.count_down();
    });
  }
  done.wait();
  EXPECT_EQ(threads.progress().begun, 5u);
  EXPECT_FALSE(threads.progress().waiting);
}

TEST(TaskThreads, MoreTasksThanThreadsWait) {
  TaskThreads threads({.name = "tasks", .most = 2});
  std::atomic<int> running = 0, most = 0;
  std::latch done(50);
  for (int i = 0; i < 50; ++i) {
    threads.Post([&] {
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

TEST(TaskThreads, RunsTasksInOrderOnOneThread) {
  TaskThreads threads({.name = "tasks", .most = 1});
  std::vector<int> order;
  for (int i = 0; i < 100; ++i) threads.Post([&order, i] { order.push_back(i); });
  PostAndWait(threads);
  ASSERT_EQ(order.size(), 100u);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST(TaskThreads, WithoutAThreadTheCallerKeepsTheTask) {
  TaskThreads threads({.name = "tasks", .most = 0});
  TaskThreads::Task task = [] {};
  EXPECT_EQ(threads.Post(std::move(task)), Posted::kNoThread);
  EXPECT_TRUE(task);  // NOLINT: that is the question
}

TEST(TaskThreads, AThreadStartsWithATaskAndEndsWithoutOne) {
  TaskThreads threads({.name = "brief", .most = 4, .idle = std::chrono::milliseconds(20)});
  EXPECT_EQ(CountThreads("brief"), 0);
  for (int round = 0; round < 3; ++round) {
    PostAndWait(threads);
    EXPECT_TRUE(Eventually([] { return CountThreads("brief") == 0; }));
  }
  EXPECT_EQ(threads.progress().begun, 3u);
}

TEST(TaskThreads, ABusyThreadStays) {
  TaskThreads threads({.name = "steady", .most = 1, .idle = std::chrono::seconds(30)});
  std::thread::id first;
  threads.Post([&] { first = std::this_thread::get_id(); });
  PostAndWait(threads);
  EXPECT_EQ(CountThreads("steady-0"), 1);
}

// Tasks arrive while threads end.
TEST(TaskThreads, NoTaskIsLostWhenThreadsEnd) {
  TaskThreads threads({.name = "tasks", .most = 3, .idle = std::chrono::microseconds(50)});
  std::atomic<int> ran = 0;
  constexpr int kTasks = 2000;
  for (int i = 0; i < kTasks; ++i) {
    ASSERT_EQ(threads.Post([&] { ++ran; }), Posted::kQueued);
    if (i % 3 == 0) std::this_thread::sleep_for(std::chrono::microseconds(60));
  }
  EXPECT_TRUE(Eventually([&] { return ran == kTasks; }));
}

TEST(TaskThreads, AfterStopNothingRuns) {
  TaskThreads threads({.name = "tasks", .most = 2});
  std::atomic<int> ran = 0;
  threads.Stop();
  EXPECT_EQ(threads.Post([&] { ++ran; }), Posted::kStopped);
  threads.Stop();
  EXPECT_EQ(ran, 0);
}

TEST(TaskThreads, StopWaitsForTheRunningTaskAndDropsTheOthers) {
  TaskThreads threads({.name = "tasks", .most = 1});
  std::latch begun(1);
  std::atomic<int> ran = 0;
  const auto alive = std::make_shared<int>();
  threads.Post([&] {
    begun.count_down();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    ++ran;
  });
  begun.wait();
  threads.Post([&, alive] { ++ran; });
  EXPECT_TRUE(threads.progress().waiting);
  threads.Stop();
  EXPECT_EQ(ran, 1);
  EXPECT_EQ(alive.use_count(), 1);
}

}  // namespace
}  // namespace berth::base
