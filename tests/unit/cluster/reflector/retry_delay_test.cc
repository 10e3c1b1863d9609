#include "cluster/reflector/retry_delay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/clock.h"
#include "base/random.h"

namespace berth::reflector {
namespace {

TEST(RetryAfter, IsBounded) {
  EXPECT_EQ(RetryAfterNs(std::nullopt), 0);
  EXPECT_EQ(RetryAfterNs(-1), 0);
  EXPECT_EQ(RetryAfterNs(32), 32 * base::kSecond);
  EXPECT_EQ(RetryAfterNs(int64_t{1} << 60), 60 * base::kSecond);
}

TEST(RetryDelay, DoublesUpToALimitAndResets) {
  RetryDelay delay;
  base::Random random(7);
  int64_t now = base::kSecond, expected = 800 * base::kMillisecond;
  for (int i = 0; i < 6; ++i) {
    const int64_t wait = delay.Next(now, random);
    EXPECT_GE(wait, expected);
    EXPECT_LT(wait, 2 * expected);
    expected = std::min(2 * expected, 1600 * base::kMillisecond);
    now += wait;
  }
  EXPECT_LT(delay.Next(now + 200 * base::kSecond, random), 1600 * base::kMillisecond);
}

}  // namespace
}  // namespace berth::reflector
