#include "plugin/instance/pending_callbacks.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace berth::plugin {
namespace {

TEST(PendingCallbacks, RunsEachOnce) {
  PendingCallbacks pending;
  int abandoned = 0;
  const uint64_t ticket = pending.Add([&] { ++abandoned; });
  ASSERT_NE(ticket, 0u);
  EXPECT_TRUE(pending.Take(ticket));
  pending.Done();
  EXPECT_FALSE(pending.Take(ticket));
  pending.End();
  EXPECT_EQ(abandoned, 0);
}

TEST(PendingCallbacks, EndAbandonsTheRestAndTakesNoMore) {
  PendingCallbacks pending;
  int abandoned = 0;
  const uint64_t ticket = pending.Add([&] { ++abandoned; });
  pending.Add([&] { ++abandoned; });
  pending.End();
  EXPECT_EQ(abandoned, 2);
  EXPECT_FALSE(pending.Take(ticket));
  EXPECT_EQ(pending.Add([&] { ++abandoned; }), 0u);
  pending.End();
  EXPECT_EQ(abandoned, 2);
}

// The callback ends only after End has begun. Without the wait, some rounds return before that.
TEST(PendingCallbacks, EndWaitsForARunningCallback) {
  for (int round = 0; round < 1000; ++round) {
    PendingCallbacks pending;
    std::atomic<bool> ending{false}, done{false};
    const uint64_t running = pending.Add([] {});
    pending.Add([&] { ending = true; });  // End abandons this one first
    ASSERT_TRUE(pending.Take(running));
    std::thread caller([&] {
      while (!ending) std::this_thread::yield();
      done = true;
      pending.Done();
    });
    pending.End();
    EXPECT_TRUE(done);
    caller.join();
  }
}

// Each of many tickets is either taken or abandoned, depending on which thread is faster.
TEST(PendingCallbacks, EachCallbackRunsOnceInARace) {
  for (int round = 0; round < 50; ++round) {
    PendingCallbacks pending;
    constexpr int kTickets = 64;
    std::vector<std::atomic<int>> ran(kTickets);
    std::vector<uint64_t> tickets;
    for (int i = 0; i < kTickets; ++i) tickets.push_back(pending.Add([&ran, i] { ++ran[static_cast<size_t>(i)]; }));
    std::thread payer([&] {
      for (size_t i = 0; i < kTickets; ++i) {
        if (!pending.Take(tickets[i])) continue;
        ++ran[i];
        pending.Done();
      }
    });
    pending.End();
    payer.join();
    for (const auto& n : ran) EXPECT_EQ(n, 1);
  }
}

}  // namespace
}  // namespace berth::plugin
