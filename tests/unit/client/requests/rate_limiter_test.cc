#include "client/requests/rate_limiter.h"

#include <gtest/gtest.h>

namespace berth::requests {
namespace {

TEST(RateLimiter, AllowsABurstAndThenTheRate) {
  RateLimiter limiter(10, 3);
  int64_t now = 5 * base::kSecond;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(limiter.Take(now), 0);
  EXPECT_EQ(limiter.Take(now), 100 * base::kMillisecond);
  now += 100 * base::kMillisecond;
  EXPECT_EQ(limiter.Take(now), 0);
  EXPECT_GT(limiter.Take(now), 0);
}

TEST(RateLimiter, SavesNoMoreThanABurst) {
  RateLimiter limiter(10, 2);
  const int64_t late = 3600 * base::kSecond;
  EXPECT_EQ(limiter.Take(late), 0);
  EXPECT_EQ(limiter.Take(late), 0);
  EXPECT_GT(limiter.Take(late), 0);
}

TEST(RateLimiter, WithoutARateThereIsNoLimit) {
  RateLimiter limiter(-1, 1);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(limiter.Take(0), 0);
}

}  // namespace
}  // namespace berth::requests
