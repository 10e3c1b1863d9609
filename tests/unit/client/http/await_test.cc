// The waits of coroutines on the I/O thread.
#include "client/http/await.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

#include "client/http/io_thread.h"

namespace berth::http {

using std::chrono::milliseconds;

static base::Async<void> Pauses(milliseconds time, std::stop_token stop, std::promise<void>& over) {
  co_await PauseAsync(time, std::move(stop));
  over.set_value();
}

TEST(AwaitTest, APauseLasts) {
  std::promise<void> over;
  StartOnIo([&] { return Pauses(milliseconds(60), {}, over); });
  auto ended = over.get_future();
  EXPECT_EQ(ended.wait_for(milliseconds(30)), std::future_status::timeout);
  ended.get();
}

TEST(AwaitTest, AStopEndsAPause) {
  std::promise<void> over;
  std::stop_source stop;
  StartOnIo([&] { return Pauses(std::chrono::hours(1), stop.get_token(), over); });
  stop.request_stop();
  EXPECT_EQ(over.get_future().wait_for(std::chrono::seconds(10)), std::future_status::ready);
}

struct Trip {
  std::promise<void> over;
  bool ran = false;
  std::thread::id began, task, ended;

  static base::Async<void> On(Trip& trip, base::TaskThreads& threads) {
    trip.began = std::this_thread::get_id();
    trip.ran = co_await RunAsync(threads, trip.Task());
    trip.ended = std::this_thread::get_id();
    trip.over.set_value();
  }
  std::function<void()> Task() {
    return [this] {
      std::promise<void> io_runs;
      PostToIo([&io_runs] { io_runs.set_value(); });
      if (io_runs.get_future().wait_for(std::chrono::seconds(10)) == std::future_status::ready) {
        task = std::this_thread::get_id();
      }
    };
  }
};

TEST(AwaitTest, ATaskOnAnotherThreadLeavesTheIoThreadFree) {
  base::TaskThreads threads({.name = "test", .most = 1});
  Trip trip;
  StartOnIo([&] { return Trip::On(trip, threads); });
  trip.over.get_future().get();
  EXPECT_TRUE(trip.ran);
  EXPECT_EQ(trip.began, trip.ended);
  EXPECT_NE(trip.task, std::thread::id());
  EXPECT_NE(trip.task, trip.began);
}

TEST(AwaitTest, ATaskWithoutAThreadDoesNotRun) {
  base::TaskThreads threads({.name = "test", .most = 1});
  threads.Stop();
  Trip trip;
  StartOnIo([&] { return Trip::On(trip, threads); });
  trip.over.get_future().get();
  EXPECT_FALSE(trip.ran);
  EXPECT_EQ(trip.task, std::thread::id());
}

}  // namespace berth::http
