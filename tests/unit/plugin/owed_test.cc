#include "plugin/owed.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace berth::plugin {
namespace {

TEST(Owed, IsPaidOnce) {
  Owed owed;
  int abandoned = 0;
  const uint64_t ticket = owed.Add([&] { ++abandoned; });
  ASSERT_NE(ticket, 0u);
  EXPECT_TRUE(owed.Take(ticket));
  owed.Over();
  EXPECT_FALSE(owed.Take(ticket));
  owed.End();
  EXPECT_EQ(abandoned, 0);
}

TEST(Owed, EndAbandonsTheRestAndKeepsNothingMore) {
  Owed owed;
  int abandoned = 0;
  const uint64_t ticket = owed.Add([&] { ++abandoned; });
  owed.Add([&] { ++abandoned; });
  owed.End();
  EXPECT_EQ(abandoned, 2);
  EXPECT_FALSE(owed.Take(ticket));
  EXPECT_EQ(owed.Add([&] { ++abandoned; }), 0u);
  owed.End();
  EXPECT_EQ(abandoned, 2);
}

TEST(Owed, EndWaitsForTheCallThatRuns) {
  Owed owed;
  const uint64_t ticket = owed.Add([] {});
  std::atomic<bool> taken{false}, done{false};
  std::thread caller([&] {
    ASSERT_TRUE(owed.Take(ticket));
    taken = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    done = true;
    owed.Over();
  });
  while (!taken) std::this_thread::yield();
  owed.End();
  EXPECT_TRUE(done);
  caller.join();
}

// Each of many tickets is either taken or abandoned, whoever is faster.
TEST(Owed, RacesHaveOneWinner) {
  for (int round = 0; round < 50; ++round) {
    Owed owed;
    constexpr int kTickets = 64;
    std::vector<std::atomic<int>> paid(kTickets);
    std::vector<uint64_t> tickets;
    for (int i = 0; i < kTickets; ++i) tickets.push_back(owed.Add([&paid, i] { ++paid[static_cast<size_t>(i)]; }));
    std::thread payer([&] {
      for (size_t i = 0; i < kTickets; ++i) {
        if (!owed.Take(tickets[i])) continue;
        ++paid[i];
        owed.Over();
      }
    });
    owed.End();
    payer.join();
    for (const auto& n : paid) EXPECT_EQ(n, 1);
  }
}

}  // namespace
}  // namespace berth::plugin
