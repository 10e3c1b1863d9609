// Scores that are spread over 0 to 100, compared with a division of 128 bits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "../common/spread_scores.h"

namespace allocatable_test {
namespace {

TEST(Percentage, IsThatOfAnExactDivision) {
  std::mt19937_64 random(20261124);
  for (int i = 0; i < 200'000; ++i) {
    const uint64_t range = (random() >> (random() % 64)) | 1;
    const uint64_t near = random() % 101;  // next to a whole percentage
    const uint64_t exact = static_cast<uint64_t>(static_cast<unsigned __int128>(range) * near / 100);
    for (const uint64_t offset : {random() % range, exact, exact + 1, exact - 1, range}) {
      if (offset > range) continue;
      const auto want = static_cast<int64_t>(static_cast<unsigned __int128>(offset) * 100 / range);
      ASSERT_EQ(plugins::Percentage(range).Of(offset), want) << offset << " of " << range;
    }
  }
}

TEST(SpreadScores, TheSmallestGetsZeroAndTheLargestAHundred) {
  std::vector<int64_t> scores{INT64_MIN, 0, INT64_MAX, -1};
  plugins::SpreadScores(scores);
  EXPECT_THAT(scores, testing::ElementsAre(0, 50, 100, 49));
}

TEST(SpreadScores, EqualScoresBecomeZero) {
  std::vector<int64_t> scores{7, 7};
  plugins::SpreadScores(scores);
  EXPECT_THAT(scores, testing::ElementsAre(0, 0));
}

}  // namespace
}  // namespace allocatable_test
