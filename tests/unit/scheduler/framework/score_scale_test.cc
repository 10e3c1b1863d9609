// Proves that ScoreScale equals the division. For one maximum, both are monotone in the score and have the values
// 0..100. So they are equal for every score if they agree at the 100 scores at which the quotient reaches the next
// integer, and at the scores before these.
#include "scheduler/framework/score_scale.h"

#include <gtest/gtest.h>

#include <random>

namespace berth::framework {
namespace {

bool EqualForEveryScore(uint64_t max) {
  const ScoreScale scale(max);
  for (uint64_t k = 0; k <= 100; ++k) {
    const uint64_t reaches = (k * max + 99) / 100;  // the lowest score with 100 * score / max >= k
    if (scale.Of(reaches) != 100 * reaches / max) return false;
    if (reaches > 0 && scale.Of(reaches - 1) != 100 * (reaches - 1) / max) return false;
  }
  return true;
}

TEST(ScoreScale, EqualsTheDivisionForSmallMaxima) {
  for (uint64_t max = 1; max <= 300; ++max) {
    const ScoreScale scale(max);
    for (uint64_t score = 0; score <= max; ++score)
      ASSERT_EQ(scale.Of(score), 100 * score / max) << score << "/" << max;
  }
  for (uint64_t max = 1; max <= 1 << 14; ++max) ASSERT_TRUE(EqualForEveryScore(max)) << max;
}

TEST(ScoreScale, EqualsTheDivisionUpToTheLargestMaximum) {
  for (uint64_t power = 1; power <= ScoreScale::kLargest; power *= 2) {
    for (uint64_t max = power > 50 ? power - 50 : 1; max <= power + 50 && max <= ScoreScale::kLargest; ++max) {
      ASSERT_TRUE(EqualForEveryScore(max)) << max;
    }
  }
  ASSERT_TRUE(EqualForEveryScore(ScoreScale::kLargest));
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    const uint64_t max = 1 + random() % ScoreScale::kLargest;
    ASSERT_TRUE(EqualForEveryScore(max)) << max;
  }
}

}  // namespace
}  // namespace berth::framework
