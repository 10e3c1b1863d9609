#include "base/parallelizer.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "eventually.h"

namespace berth::base {
namespace {

TEST(Parallelizer, ChunkSizes) {
  // Numbers of upstream's TestChunkSize, and the ends.
  EXPECT_EQ(Parallelizer::ChunkSize(32, 16), 3u);
  EXPECT_EQ(Parallelizer::ChunkSize(16, 16), 2u);
  EXPECT_EQ(Parallelizer::ChunkSize(10, 16), 1u);
  EXPECT_EQ(Parallelizer::ChunkSize(0, 16), 1u);
  EXPECT_EQ(Parallelizer::ChunkSize(1, 1), 1u);
  EXPECT_EQ(Parallelizer::ChunkSize(5000, 16), 70u);
  EXPECT_EQ(Parallelizer::ChunkSize(4294967295u, 1), 65535u);
}

class ParallelizerRun : public testing::TestWithParam<uint32_t> {};
INSTANTIATE_TEST_SUITE_P(Workers, ParallelizerRun, testing::Values(0u, 1u, 3u));

TEST_P(ParallelizerRun, VisitsEveryRowOnce) {
  Parallelizer parallelizer(GetParam());
  EXPECT_EQ(parallelizer.workers(), GetParam());
  for (uint32_t n : {0u, 1u, 2u, 63u, 64u, 1000u, 5000u}) {
    std::vector<int> visits(n, 0);  // not atomic: a row has one visitor, and Run ends after all of them
    for (int round = 0; round < 20; ++round) {
      parallelizer.Run(n, [&](uint32_t begin, uint32_t end) {
        for (uint32_t i = begin; i < end; ++i) ++visits[i];
      });
    }
    EXPECT_EQ(std::set<int>(visits.begin(), visits.end()), n == 0 ? std::set<int>() : std::set<int>{20}) << n;
  }
}

TEST_P(ParallelizerRun, StopsBetweenRanges) {
  Parallelizer parallelizer(GetParam());
  std::atomic<bool> stop{false};
  std::atomic<uint32_t> rows{0};
  parallelizer.Run(
      1'000'000,
      [&](uint32_t begin, uint32_t end) {
        rows += end - begin;
        stop = true;
      },
      &stop);
  EXPECT_GT(rows, 0u);
  EXPECT_LE(rows, (GetParam() + 1) * Parallelizer::ChunkSize(1'000'000, GetParam() + 1));
}

TEST_P(ParallelizerRun, NestsInline) {
  Parallelizer parallelizer(GetParam());
  std::atomic<uint32_t> cells{0};
  parallelizer.Run(50, [&](uint32_t begin, uint32_t end) {
    for (uint32_t i = begin; i < end; ++i) {
      const auto thread = std::this_thread::get_id();
      parallelizer.Run(40, [&](uint32_t from, uint32_t to) {
        EXPECT_EQ(std::this_thread::get_id(), thread);
        cells += to - from;
      });
    }
  });
  EXPECT_EQ(cells, 2000u);
}

// The number of threads that take part in a run. No range ends before there are this many, or Eventually gave up.
size_t Visitors(Parallelizer& parallelizer, size_t wanted) {
  std::mutex mutex;
  std::set<std::thread::id> visitors;
  std::atomic<bool> gave_up{false};
  parallelizer.Run(1000, [&](uint32_t, uint32_t) {
    {
      const std::lock_guard lock(mutex);
      visitors.insert(std::this_thread::get_id());
    }
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    const bool enough = Eventually([&] {
      const std::lock_guard lock(mutex);
      return gave_up || visitors.size() >= wanted;
    });
    if (!enough) gave_up = true;
  });
  return visitors.size();
}

TEST(Parallelizer, WorkersEndWithoutARunAndStartAgain) {
  Parallelizer parallelizer(2, std::chrono::milliseconds(5));
  for (int round = 0; round < 5; ++round) {
    EXPECT_EQ(Visitors(parallelizer, 3), 3u);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

TEST(Parallelizer, RunsWhileWorkersEnd) {
  Parallelizer parallelizer(3, std::chrono::microseconds(20));
  std::atomic<uint32_t> rows{0};
  for (int i = 0; i < 500; ++i) {
    parallelizer.Run(300, [&](uint32_t begin, uint32_t end) { rows += end - begin; });
    if (i % 2 == 0) std::this_thread::sleep_for(std::chrono::microseconds(30));
  }
  EXPECT_EQ(rows, 150'000u);
}

TEST(Parallelizer, TwoCallersShareIt) {
  Parallelizer parallelizer(2);
  std::atomic<uint32_t> rows{0};
  auto caller = [&] {
    for (int i = 0; i < 200; ++i) {
      parallelizer.Run(300, [&](uint32_t begin, uint32_t end) { rows += end - begin; });
    }
  };
  std::thread other(caller);
  caller();
  other.join();
  EXPECT_EQ(rows, 2u * 200 * 300);
}

TEST(Parallelizer, WorkersTakePart) {
  Parallelizer parallelizer(1);
  std::atomic<int> inside{0};
  // Each range ends only after both have begun, so two threads must run.
  parallelizer.Run(2, [&](uint32_t, uint32_t) {
    ++inside;
    while (inside < 2) std::this_thread::yield();
  });
  EXPECT_EQ(inside, 2);
}

TEST(Parallelizer, ParallelismOfOneUsesOnlyTheCaller) {
  Parallelizer parallelizer(3);
  parallelizer.SetParallelism(1);
  EXPECT_EQ(parallelizer.parallelism(), 1u);
  EXPECT_EQ(Visitors(parallelizer, 1), 1u);
  parallelizer.SetParallelism(16);  // more than the pool has
  EXPECT_EQ(parallelizer.parallelism(), 4u);
  EXPECT_EQ(Visitors(parallelizer, 4), 4u);
}

TEST(Parallelizer, NoMoreThanItsParallelismAtOnce) {
  Parallelizer parallelizer(3);
  parallelizer.SetParallelism(2);
  std::atomic<int> inside{0}, most{0};
  std::atomic<bool> gave_up{false};
  for (int round = 0; round < 20; ++round) {
    parallelizer.Run(64, [&](uint32_t, uint32_t) {
      const int now = ++inside;
      for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
      }
      std::this_thread::sleep_for(std::chrono::microseconds(200));
      if (!Eventually([&] { return gave_up || most >= 2; })) gave_up = true;
      --inside;
    });
  }
  EXPECT_EQ(most, 2);
}

}  // namespace
}  // namespace berth::base
