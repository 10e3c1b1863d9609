// The thread for short periodic tasks, and work of any length beside it.
#include "base/housekeeper.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <vector>

#include "base/chore.h"

namespace berth::base {
namespace {

using std::chrono::milliseconds;
constexpr std::chrono::hours kNever(1);

TEST(Housekeeper, RunsATaskAgainAfterThePauseThatItWants) {
  Housekeeper keeper("keeper");
  std::promise<void> third;
  int runs = 0;
  std::vector<std::chrono::steady_clock::time_point> began;
  const uint64_t number = keeper.Add(milliseconds(5), [&]() -> std::chrono::nanoseconds {
    began.push_back(std::chrono::steady_clock::now());
    if (++runs == 3) third.set_value();
    return runs == 3 ? std::chrono::nanoseconds(kNever) : milliseconds(20);
  });
  third.get_future().wait();
  keeper.Remove(number);
  EXPECT_EQ(runs, 3);
  EXPECT_GE(began[1] - began[0], milliseconds(20));
  EXPECT_GE(began[2] - began[1], milliseconds(20));
}

TEST(Housekeeper, RunsTheEarliestTaskFirst) {
  Housekeeper keeper("keeper");
  std::vector<int> order;
  std::latch done(3);
  const auto add = [&](int n, milliseconds delay) {
    keeper.Add(delay, [&, n] {
      order.push_back(n);
      done.count_down();
      return kNever;
    });
  };
  add(3, milliseconds(60));
  add(1, milliseconds(20));
  add(2, milliseconds(40));
  done.wait();
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
}

TEST(Housekeeper, TasksShareOneThread) {
  Housekeeper keeper("keeper");
  std::mutex mutex;
  std::set<std::thread::id> threads;
  std::latch done(4);
  for (int i = 0; i < 4; ++i) {
    keeper.Add({}, [&] {
      {
        const std::lock_guard lock(mutex);
        threads.insert(std::this_thread::get_id());
      }
      done.count_down();
      return kNever;
    });
  }
  done.wait();
  EXPECT_EQ(threads.size(), 1u);
}

TEST(Housekeeper, RemoveWaitsForARunUnderWay) {
  Housekeeper keeper("keeper");
  std::latch begun(1);
  std::atomic<bool> over{false};
  const uint64_t number = keeper.Add({}, [&] {
    begun.count_down();
    std::this_thread::sleep_for(milliseconds(50));
    over = true;
    return kNever;
  });
  begun.wait();
  keeper.Remove(number);
  EXPECT_TRUE(over);
}

TEST(Housekeeper, ARemovedTaskNeverRuns) {
  Housekeeper keeper("keeper");
  const auto held = std::make_shared<int>();
  const uint64_t number = keeper.Add(milliseconds(20), [held]() -> std::chrono::nanoseconds {
    ADD_FAILURE() << "removed";
    return kNever;
  });
  keeper.Remove(number);
  EXPECT_EQ(held.use_count(), 1);
  keeper.Remove(number);
  std::this_thread::sleep_for(milliseconds(40));
}

TEST(Housekeeper, ATaskMayRemoveItselfAndAddOthers) {
  Housekeeper keeper("keeper");
  std::promise<void> other;
  std::atomic<uint64_t> number{0};
  std::atomic<int> runs{0};
  number = keeper.Add(milliseconds(5), [&]() -> std::chrono::nanoseconds {
    ++runs;
    keeper.Remove(number);
    keeper.Add({}, [&] {
      other.set_value();
      return kNever;
    });
    return {};
  });
  other.get_future().wait();
  EXPECT_EQ(runs, 1);
}

TEST(Housekeeper, ManyThreadsAddAndRemove) {
  std::atomic<int> runs{0};
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 100; ++n) const PeriodicTask task(std::chrono::microseconds(20), [&] { ++runs; });
    });
  }
  threads.clear();
  const int now = runs;
  std::this_thread::sleep_for(milliseconds(5));
  EXPECT_EQ(runs, now) << "all are removed";
}

// A pipe, whose first end is readable after Fill.
struct Pipe {
  Pipe() { EXPECT_EQ(pipe2(fds, O_CLOEXEC | O_NONBLOCK), 0); }
  ~Pipe() {
    close(fds[0]);
    close(fds[1]);
  }
  void Fill() const { EXPECT_EQ(write(fds[1], "x", 1), 1); }
  void Drain() const {
    char bytes[8];
    while (read(fds[0], bytes, sizeof bytes) > 0) {
    }
  }
  int fds[2];
};

TEST(Housekeeper, ATaskAwaitsADescriptor) {
  const Pipe pipe;
  Housekeeper keeper("keeper");
  std::atomic<int> runs{0};
  std::promise<void> third;
  std::atomic<uint64_t> number{0};
  number = keeper.AddAwaiting([&] {
    pipe.Drain();
    if (++runs == 3) return third.set_value();
    keeper.Await(number, kNever, pipe.fds[0]);
    pipe.Fill();
  });
  std::this_thread::sleep_for(milliseconds(10));
  EXPECT_EQ(runs, 0) << "nobody has called Await";
  keeper.Await(number, kNever, pipe.fds[0]);
  pipe.Fill();
  third.get_future().wait();
  pipe.Fill();
  std::this_thread::sleep_for(milliseconds(10));
  EXPECT_EQ(runs, 3) << "it awaits nothing any more";
}

TEST(Housekeeper, ATaskAwaitsATimeInsteadOfADescriptor) {
  const Pipe pipe;
  Housekeeper keeper("keeper");
  std::promise<std::chrono::steady_clock::time_point> ran;
  const uint64_t number = keeper.AddAwaiting([&] { ran.set_value(std::chrono::steady_clock::now()); });
  const auto began = std::chrono::steady_clock::now();
  keeper.Await(number, kNever, pipe.fds[0]);
  keeper.Await(number, milliseconds(20), pipe.fds[0]);
  EXPECT_GE(ran.get_future().get() - began, milliseconds(20));
}

TEST(Housekeeper, ARemovedTaskAwaitsNothing) {
  Housekeeper keeper("keeper");
  const PeriodicTask other(milliseconds(1), [] {});
  for (int i = 0; i < 100; ++i) {
    const Pipe pipe;
    std::atomic<bool> removed{false};
    const uint64_t number = keeper.AddAwaiting([&] { EXPECT_FALSE(removed); });
    keeper.Await(number, kNever, pipe.fds[0]);
    pipe.Fill();
    if (i % 2 == 0) std::this_thread::sleep_for(std::chrono::microseconds(50));
    keeper.Remove(number);
    removed = true;
    keeper.Await(number, {}, pipe.fds[0]);
  }
}

TEST(Housekeeper, DescriptorsAndTimesBothHaveTheirTurn) {
  const Pipe pipe;
  pipe.Fill();  // for ever
  Housekeeper keeper("keeper");
  std::atomic<uint64_t> number{0};
  std::latch readable(20), timed(20);
  number = keeper.AddAwaiting([&] {
    if (!readable.try_wait()) readable.count_down();
    keeper.Await(number, kNever, pipe.fds[0]);
  });
  keeper.Await(number, kNever, pipe.fds[0]);
  const uint64_t ticks = keeper.Add({}, [&]() -> std::chrono::nanoseconds {
    if (!timed.try_wait()) timed.count_down();
    return {};
  });
  readable.wait();
  timed.wait();
  keeper.Remove(ticks);
  keeper.Remove(number);
}

TEST(PeriodicTask, RunsEverySoOften) {
  std::latch third(3);
  const PeriodicTask task(milliseconds(1), [&] {
    if (!third.try_wait()) third.count_down();
  });
  third.wait();
}

TEST(Chore, WorksWhenALookFindsWork) {
  std::latch done(2);
  std::atomic<int> looks{0};
  std::atomic<bool> overlap{false}, working{false};
  std::optional<Chore> chore;
  std::thread::id looks_on, works_on;
  chore.emplace(
      "chore", milliseconds(1),
      [&] {
        looks_on = std::this_thread::get_id();
        if (working) overlap = true;
        return ++looks % 3 == 0 && !done.try_wait();
      },
      [&] {
        working = true;
        works_on = std::this_thread::get_id();
        std::this_thread::sleep_for(milliseconds(10));
        working = false;
        done.count_down();
      });
  done.wait();
  chore.reset();
  EXPECT_FALSE(overlap);
  EXPECT_NE(looks_on, works_on);
  EXPECT_GE(looks, 6);
}

TEST(Chore, ItsWorkDoesNotDelayOtherTasks) {
  std::latch begun(1), other(1);
  std::atomic<bool> once{true};
  const Chore chore(
      "chore", milliseconds(1), [&] { return once.exchange(false); },
      [&] {
        begun.count_down();
        other.wait();
      });
  begun.wait();
  const PeriodicTask task(milliseconds(1), [&] {
    if (!other.try_wait()) other.count_down();
  });
  other.wait();
}

}  // namespace
}  // namespace berth::base
