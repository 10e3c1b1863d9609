#include "telemetry/series/cell.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <thread>
#include <vector>

namespace berth::series {
namespace {

using testing::ElementsAre;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Cell, ACounterOnlyGrows) {
  Cell counter(Kind::kCounter, {});
  counter.Add(2);
  counter.Add(0.5);
  for (const double ignored : {-1.0, -kInfinity, kInfinity, static_cast<double>(NAN)}) counter.Add(ignored);
  counter.Set(1);
  counter.Observe(1);
  EXPECT_EQ(counter.Value(), 2.5);
  counter.Add(9007199254740992.0);  // 2^53
  EXPECT_EQ(counter.Value(), 9007199254740994.5);
}

TEST(Cell, AGaugeGoesUpAndDown) {
  Cell gauge(Kind::kGauge, {});
  gauge.Set(5);
  gauge.Add(-7.5);
  gauge.Add(NAN);
  gauge.Observe(1);
  EXPECT_EQ(gauge.Value(), -2.5);
  gauge.Set(kInfinity);
  EXPECT_EQ(gauge.Value(), kInfinity);
}

TEST(Cell, AHistogramCountsEachValueInItsBucket) {
  const std::array bounds{1.0, 2.0};
  Cell histogram(Kind::kHistogram, bounds);
  for (const double value : {-3.0, 1.0, 1.5, 2.0, 7.0, 8.0, static_cast<double>(NAN), kInfinity}) {
    histogram.Observe(value);
  }
  histogram.Add(1);
  histogram.Set(1);
  const Distribution counted = histogram.Counted();
  EXPECT_THAT(counted.counts, ElementsAre(2, 2, 2)) << "a bound belongs to its bucket";
  EXPECT_EQ(counted.sum, 16.5);
}

// Run with the thread sanitizer, too.
TEST(Cell, ThreadsLoseNothing) {
  const std::array bounds{0.5};
  Cell counter(Kind::kCounter, {}), gauge(Kind::kGauge, {}), histogram(Kind::kHistogram, bounds);
  constexpr int kThreads = 4, kTimes = 20'000;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&] {
        for (int n = 0; n < kTimes; ++n) {
          counter.Add(n % 2 == 0 ? 1 : 0.5);
          gauge.Add(1);
          histogram.Observe(n % 2);
        }
      });
    }
    while (counter.Value() < kThreads * kTimes / 2) (void)histogram.Counted();
  }
  EXPECT_EQ(counter.Value(), kThreads * kTimes * 0.75);
  EXPECT_EQ(gauge.Value(), kThreads * kTimes);
  EXPECT_THAT(histogram.Counted().counts, ElementsAre(kThreads * kTimes / 2, kThreads * kTimes / 2));
  EXPECT_EQ(histogram.Counted().sum, kThreads * kTimes / 2);
}

}  // namespace
}  // namespace berth::series
