// Compares the loops over scores with simple loops.
#include "scheduler/framework/score_math.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace berth::framework {
namespace {

class ScoreMath : public testing::TestWithParam<uint32_t> {
 protected:
  // Full words of the bitmap, single rows, and a partial last word.
  void SetUp() override {
    std::mt19937 random(GetParam());
    const uint32_t n = 1 + random() % 400;
    rows_.Resize(n);
    scores_.resize(n);
    totals_.resize(n);
    const uint32_t density = random() % 4;
    for (uint32_t i = 0; i < n; ++i) {
      if (density == 0 || random() % (1 + density) == 0) rows_.Set(i), chosen_.push_back(i);
      scores_[i] = static_cast<int64_t>(random() % 101);
      totals_[i] = static_cast<int64_t>(random() % 7);
    }
    if (chosen_.empty()) rows_.Set(0), chosen_.push_back(0);
    weight_ = 1 + static_cast<int64_t>(random() % 9);
  }

  base::Bitmap rows_;
  std::vector<uint32_t> chosen_;
  std::vector<int64_t> scores_, totals_;
  int64_t weight_ = 1;
};

TEST_P(ScoreMath, MaxAndWeightedSums) {
  int64_t most = 0;
  std::vector<int64_t> expected = totals_;
  for (const uint32_t row : chosen_) {
    most = std::max(most, scores_[row]);
    expected[row] += weight_ * scores_[row];
  }
  EXPECT_EQ(MaxScore(scores_.data(), rows_), most);
  std::vector<int64_t> totals = totals_;
  EXPECT_TRUE(AddWeighted(totals.data(), scores_.data(), weight_, rows_));
  for (const uint32_t row : chosen_) EXPECT_EQ(totals[row], expected[row]) << row;
}

TEST_P(ScoreMath, NormalizedSums) {
  for (const bool reverse : {false, true}) {
    for (const int64_t max : {int64_t{0}, MaxScore(scores_.data(), rows_)}) {
      std::vector<int64_t> scores = scores_;
      if (max == 0) std::fill(scores.begin(), scores.end(), 0);
      std::vector<int64_t> totals = totals_;
      EXPECT_TRUE(AddNormalized(totals.data(), scores.data(), max, reverse, weight_, rows_));
      for (const uint32_t row : chosen_) {
        const int64_t scaled = max == 0 ? 0 : scores[row] * 100 / max;
        EXPECT_EQ(totals[row], totals_[row] + weight_ * (reverse ? 100 - scaled : scaled)) << row;
      }
    }
  }
}

// Raw scores below 0, above the maximum, and with products that overflow: as the formula for one score says.
TEST_P(ScoreMath, NormalizedSumsOfAnyScores) {
  std::mt19937_64 random(GetParam());
  for (const int64_t max : {int64_t{1}, int64_t{50}, int64_t{1} << 27, int64_t{1} << 28, int64_t{1} << 60, INT64_MAX}) {
    std::vector<int64_t> scores = scores_;
    for (int64_t& score : scores) {
      score = static_cast<int64_t>(random() % (static_cast<uint64_t>(max) + 1));
      if (random() % 16 == 0) score = static_cast<int64_t>(random()) >> random() % 64;
    }
    for (const bool reverse : {false, true}) {
      std::vector<int64_t> totals = totals_;
      bool in_range = true;
      for (const uint32_t row : chosen_) {
        const int64_t score = NormalizeOne(scores[row], max, reverse);
        in_range = in_range && score >= 0 && score <= 100;
      }
      ASSERT_EQ(AddNormalized(totals.data(), scores.data(), max, reverse, weight_, rows_), in_range) << max;
      for (const uint32_t row : chosen_) {
        const auto score = static_cast<uint64_t>(NormalizeOne(scores[row], max, reverse));
        const auto expected =
            static_cast<int64_t>(static_cast<uint64_t>(totals_[row]) + score * static_cast<uint64_t>(weight_));
        ASSERT_EQ(totals[row], expected) << row << " of " << max;
      }
    }
  }
}

TEST_P(ScoreMath, ConstantsAreAddedToTheRowsOnly) {
  std::vector<int64_t> totals = totals_;
  AddConstant(totals.data(), -5, rows_);
  for (uint32_t row = 0; row < totals.size(); ++row) {
    EXPECT_EQ(totals[row], totals_[row] - (rows_.Test(row) ? 5 : 0)) << row;
  }
}

TEST_P(ScoreMath, BestAndItsTies) {
  const Best best = FindBest(totals_.data(), rows_);
  std::vector<uint32_t> tied;
  for (const uint32_t row : chosen_) {
    EXPECT_LE(totals_[row], best.total);
    if (totals_[row] == best.total) tied.push_back(row);
  }
  ASSERT_EQ(best.ties, tied.size());
  for (uint32_t k = 0; k < tied.size(); ++k) EXPECT_EQ(NthBest(totals_.data(), rows_, best.total, k), tied[k]);
}

TEST(AllEqual, ReadsEveryScore) {
  for (size_t n = 1; n < 200; ++n) {
    std::vector<int64_t> scores(n + 1, 7);
    scores[n] = 8;
    EXPECT_TRUE(AllEqual(scores.data(), n));
    for (size_t i = 0; n > 1 && i < n; ++i) {
      scores[i] = -7;
      ASSERT_FALSE(AllEqual(scores.data(), n)) << i << " of " << n;
      scores[i] = 7;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, ScoreMath, testing::Range(1u, 41u));

TEST(ScoreMathRange, AScoreOutOfRangeIsFoundOnlyAmongTheRows) {
  base::Bitmap rows;
  rows.Resize(130);
  std::vector<int64_t> scores(130, 50), totals(130, 0);
  for (uint32_t i = 0; i < 130; ++i) rows.Set(i);
  for (const int64_t wrong : {int64_t{-1}, int64_t{101}, INT64_MAX, INT64_MIN}) {
    for (const uint32_t at : {0u, 63u, 64u, 129u}) {
      scores[at] = wrong;
      EXPECT_FALSE(AddWeighted(totals.data(), scores.data(), 1, rows)) << wrong << " at " << at;
      rows.Clear(at);
      EXPECT_TRUE(AddWeighted(totals.data(), scores.data(), 1, rows)) << wrong << " at " << at;
      rows.Set(at);
      scores[at] = 50;
    }
  }
}

}  // namespace
}  // namespace berth::framework
