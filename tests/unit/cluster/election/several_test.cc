// Several candidates for one Lease, in virtual time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "world.h"

namespace berth::election {
namespace {

using Process = World::Process;

constexpr int64_t kTerm = 15 * base::kSecond;
constexpr int64_t kLongestWait = 4400 * base::kMillisecond;  // retryPeriod * (1 + JitterFactor)
constexpr int64_t kNetwork = 500 * base::kMillisecond;       // more than all requests of a try

Process& LeaderOf(World& world) {
  EXPECT_GE(world.UntilALeader(30 * base::kSecond), 0);
  return *world.Holders().at(0);
}

TEST(Several, OneLeads) {
  World world(3, 1);
  world.Run(100 * base::kSecond, [&] { ASSERT_LE(world.Holders().size(), 1u); });
  EXPECT_EQ(world.Holders().size(), 1u);
  EXPECT_EQ(world.server.record().transitions, 0);
}

TEST(Several, TheCreationOfTheLeaseHasOneWinner) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    World world(3, seed);  // all of them read before one creates it
    world.Run(base::kSecond, [&] { ASSERT_LE(world.Holders().size(), 1u); });
    EXPECT_EQ(world.Holders().size(), 1u);
  }
}

TEST(Several, ALeaderThatDiesIsReplacedInTime) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    World world(3, seed);
    Process& first = LeaderOf(world);
    world.Run(static_cast<int64_t>(seed) * 700 * base::kMillisecond);
    first.alive = false;
    const int64_t took = world.UntilALeader(60 * base::kSecond);
    EXPECT_GE(took, kTerm - 2 * base::kSecond - kNetwork);
    EXPECT_LE(took, kTerm + 2 * kLongestWait + kNetwork);
    EXPECT_EQ(world.server.record().transitions, 1);
  }
}

TEST(Several, ALeaderThatWasStoppedNoLongerHoldsTheLeaseBeforeItRuns) {
  World world(2, 3);
  Process& first = LeaderOf(world);
  first.running = false;
  world.Run(60 * base::kSecond, [&] { ASSERT_LE(world.Holders().size(), 1u); });
  EXPECT_FALSE(first.candidate.Holds());
  EXPECT_TRUE(first.candidate.election.leading());  // it does not know yet
  first.running = true;
  world.Run(20 * base::kSecond, [&] { ASSERT_LE(world.Holders().size(), 1u); });
  EXPECT_FALSE(first.candidate.election.leading());
  EXPECT_THAT(first.candidate.callbacks.calls, testing::Contains("lost"));
}

TEST(Several, AShortStopChangesNothing) {
  World world(2, 4);
  Process& first = LeaderOf(world);
  world.Run(5 * base::kSecond);
  first.running = false;
  world.Run(8 * base::kSecond);
  first.running = true;
  world.Run(20 * base::kSecond);
  EXPECT_TRUE(first.candidate.Holds());
  EXPECT_EQ(world.server.record().transitions, 0);
}

TEST(Several, ALeaderThatIsCutOffStopsBeforeAnotherStarts) {
  for (const bool deaf : {false, true}) {
    World world(3, 5);
    Process& first = LeaderOf(world);
    world.Run(5 * base::kSecond);
    (deaf ? first.deaf : first.cut_off) = true;
    world.Run(60 * base::kSecond, [&] { ASSERT_LE(world.Holders().size(), 1u); });
    EXPECT_EQ(first.candidate.step.kind, Step::Kind::kEnd);
    EXPECT_EQ(first.candidate.step.reason, EndReason::kLost);
    ASSERT_EQ(world.Holders().size(), 1u);
    EXPECT_NE(world.Holders()[0], &first);
  }
}

TEST(Several, AReleaseIsNoticedAtTheNextTry) {
  World world(3, 6);
  Process& first = LeaderOf(world);
  world.Run(10 * base::kSecond);
  world.Stop(first);
  const int64_t took = world.UntilALeader(60 * base::kSecond);
  EXPECT_GE(took, 0);
  EXPECT_LE(took, kLongestWait + kNetwork);
  EXPECT_EQ(world.server.record().transitions, 1);
}

TEST(Several, AmongThoseThatWakeTogetherTheConflictDecides) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    World world(3, seed);
    Process& first = LeaderOf(world);
    world.Run(10 * base::kSecond);
    world.Stop(first);
    world.Run(100 * base::kMillisecond);
    for (auto& process : world.all) {
      if (process.get() != &first && process->number == 0)
        process->candidate.step = process->candidate.election.OnWake();
    }
    world.Run(200 * base::kMillisecond, [&] { ASSERT_LE(world.Holders().size(), 1u); });
    EXPECT_EQ(world.Holders().size(), 1u) << seed;
    world.Run(30 * base::kSecond, [&] { ASSERT_EQ(world.Holders().size(), 1u); });
  }
}

TEST(Several, AStormOfConflictsDoesNotCostTheLease) {
  World world(2, 7);
  Process& first = LeaderOf(world);
  base::Random random(7);
  world.server.fault = [&](const http::Request& request) -> std::optional<http::Reply> {
    if (request.method == "PUT" && random.Below(3) == 0) return LeaseServer::Status(409, "Conflict");
    return std::nullopt;
  };
  world.Run(300 * base::kSecond, [&] { ASSERT_LE(world.Holders().size(), 1u); });
  EXPECT_TRUE(first.candidate.Holds());
  EXPECT_EQ(world.server.record().transitions, 0);
}

TEST(Several, StepsOfWallClocksChangeNothing) {
  World world(3, 8);
  Process& first = LeaderOf(world);
  base::Random random(8);
  for (int i = 0; i < 50; ++i) {
    for (auto& process : world.all) {
      process->candidate.clock.wall += static_cast<int64_t>(random.Below(7200)) * base::kSecond - 3600 * base::kSecond;
    }
    world.Run(3 * base::kSecond, [&] { ASSERT_LE(world.Holders().size(), 1u); });
  }
  EXPECT_TRUE(first.candidate.Holds());
  EXPECT_EQ(world.server.record().transitions, 0);
}

void Heal(World& world, Process& process) {
  process.running = true;
  process.cut_off = process.deaf = false;
  process.delay = 0;
  if (process.candidate.step.kind == Step::Kind::kEnd) world.Start(process);
}

// One thing that happens to one process.
void Disturb(World& world, base::Random& random) {
  // Faults end sooner than they begin, so that somebody usually leads, and the leader has every second one.
  if (random.Below(2) == 0) Heal(world, *world.all[random.Below(world.all.size())]);
  const auto holders = world.Holders();
  Process& process =
      !holders.empty() && random.Below(2) == 0 ? *holders[0] : *world.all[random.Below(world.all.size())];
  switch (random.Below(8)) {
    case 0: process.running = !process.running; break;
    case 1: process.cut_off = !process.cut_off; break;
    case 2: process.deaf = !process.deaf; break;
    case 3: process.delay = static_cast<int64_t>(random.Below(8'000)) * base::kMillisecond; break;
    case 4: process.delay = 0; break;
    case 5:
      process.candidate.clock.wall += static_cast<int64_t>(random.Below(200)) * base::kSecond - 100 * base::kSecond;
      break;
    case 6:
      if (process.running && !process.candidate.election.ending()) world.Stop(process);
      break;
    default: break;
  }
  if (process.running && process.candidate.step.kind == Step::Kind::kEnd) world.Start(process);
}

class Schedule : public testing::TestWithParam<int> {};

TEST_P(Schedule, NeverHasTwoHoldersAndAlwaysFindsOneAgain) {
  for (uint64_t seed = static_cast<uint64_t>(GetParam()) * 10; seed < static_cast<uint64_t>(GetParam()) * 10 + 10;
       ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    World world(2 + static_cast<int>(seed % 2), seed + 1);
    base::Random random(base::Mix(seed));
    const auto check = [&] {
      ASSERT_LE(world.Holders().size(), 1u) << "at " << world.now / base::kMillisecond << " ms";
    };
    for (int round = 0; round < 40; ++round) {
      Disturb(world, random);
      world.Run(static_cast<int64_t>(random.Below(6'000)) * base::kMillisecond, check);
      if (testing::Test::HasFatalFailure()) return;
    }
    for (auto& process : world.all) Heal(world, *process);
    // A request may hang for 5 s, and a release for 10 s, before the candidate can try again.
    const int64_t hanging = 10 * base::kSecond;
    for (const int64_t end = world.now + hanging + kTerm + 2 * kLongestWait + kNetwork; world.now < end;) {
      world.Run(base::kSecond, check);
      if (testing::Test::HasFatalFailure()) return;
      for (auto& process : world.all) {
        if (process->candidate.step.kind == Step::Kind::kEnd) world.Start(*process);
      }
    }
    EXPECT_EQ(world.Holders().size(), 1u);
  }
}

// The schedules are hard enough to detect a fence that holds for 5 s longer than the Lease allows.
TEST(Several, RandomSchedulesWouldShowAFenceThatIsTooLong) {
  int overlaps = 0;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    World world(3, seed + 1);
    base::Random random(base::Mix(seed));
    for (int round = 0; round < 40; ++round) {
      Disturb(world, random);
      world.Run(static_cast<int64_t>(random.Below(6'000)) * base::kMillisecond, [&] {
        if (world.Holders(-5 * base::kSecond).size() > 1) ++overlaps;
      });
    }
  }
  EXPECT_GT(overlaps, 0);
}

INSTANTIATE_TEST_SUITE_P(Random, Schedule, testing::Range(0, 10));

}  // namespace
}  // namespace berth::election
