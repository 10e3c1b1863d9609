#include "base/ticks.h"

#include <gtest/gtest.h>

#include <thread>

#include "base/clock.h"

namespace berth::base {
namespace {

TEST(Ticks, AgreeWithTheMonotonicClock) {
  const RealClock clock;
  const int64_t outer_began = clock.MonoNs();
  const Ticks began = Ticks::Now();
  const int64_t inner_began = clock.MonoNs();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const int64_t inner = clock.MonoNs() - inner_began;
  const int64_t took = Ticks::Now().Since(began);
  const int64_t outer = clock.MonoNs() - outer_began;
  EXPECT_GE(took, inner - inner / 500);
  EXPECT_LE(took, outer + outer / 500);
}

TEST(Ticks, AnEarlierMomentIsNoNegativeDuration) {
  const Ticks earlier = Ticks::Now();
  const RealClock clock;
  for (const int64_t began = clock.MonoNs(); clock.MonoNs() - began < 1000;) {
  }
  const Ticks later = Ticks::Now();
  EXPECT_GT(later.Since(earlier), 0);
  EXPECT_EQ(earlier.Since(later), 0);
}

TEST(Ticks, ScaleIsThatOfNanosecondsWithoutACounter) {
  const internal::TickScale& scale = internal::ScaleOfTicks();
  if (!scale.counter) {
    EXPECT_EQ(scale.ns_per_2_32, uint64_t{1} << 32);
  }
}

}  // namespace
}  // namespace berth::base
