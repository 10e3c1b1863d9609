// The loops of scoring, compared with upstream's formulas.
#include "loops.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

#include "tally.h"

namespace plugins::spread {
namespace {

// For one maximum, percentages are monotone and have the values 0..100, so their 100 steps decide about all of them.
bool EqualsTheDivision(uint64_t most) {
  const PercentOf percent(most);
  for (uint64_t k = 0; k <= 100; ++k) {
    const uint64_t step = (k * most + 99) / 100;
    if (percent(step) != 100 * step / most) return false;
    if (step > 0 && percent(step - 1) != 100 * (step - 1) / most) return false;
  }
  return true;
}

TEST(PercentOf, EqualsTheDivision) {
  for (uint64_t most = 1; most <= 5000; ++most) ASSERT_TRUE(EqualsTheDivision(most)) << most;
  for (uint64_t power = 1; power <= PercentOf::kLargest; power *= 2) {
    for (const uint64_t most : {power - 1, power, power + 1, power / 3 * 2 + 1}) {
      if (most < 1 || most > PercentOf::kLargest) continue;
      ASSERT_TRUE(EqualsTheDivision(most)) << most;
    }
  }
  ASSERT_TRUE(EqualsTheDivision(PercentOf::kLargest));
  std::mt19937_64 random(3);
  for (int i = 0; i < 5000; ++i) ASSERT_TRUE(EqualsTheDivision(1 + random() % PercentOf::kLargest));
}

TEST(Loops, FlippedScores) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 300; ++round) {
    std::vector<int64_t> scores(1 + random() % 100);
    const uint64_t below = uint64_t{1} << (1 + random() % 27);
    for (int64_t& score : scores) score = static_cast<int64_t>(random() % below);
    scores.front() += 1;
    const ScoreRange range = RangeOf(scores.data(), scores.size());
    ASSERT_EQ(range.least, *std::min_element(scores.begin(), scores.end()));
    ASSERT_EQ(range.most, *std::max_element(scores.begin(), scores.end()));
    std::vector<int64_t> flipped = scores;
    FlipAll(range, flipped.data(), flipped.size());
    for (size_t i = 0; i < scores.size(); ++i) ASSERT_EQ(flipped[i], Flipped(range, scores[i])) << scores[i];
  }
}

TEST(Loops, WorthOfRows) {
  const std::array<uint32_t, 4> domains{1, BERTH_NO_DOMAIN, 0, 1};
  const std::array<double, 3> worth{0, 10, 20};
  const std::array<int32_t, 4> pods{2, 3, 0, 1};
  std::array<double, 4> sums{1, 1, 1, 1};
  AddWorthOfCells(domains.data(), worth.data(), 4, sums.data());
  EXPECT_EQ(sums, (std::array<double, 4>{21, 1, 11, 21}));
  AddWorthOfRows(domains.data(), pods.data(), 1.5, 0.25, 4, sums.data());
  EXPECT_EQ(sums, (std::array<double, 4>{24.25, 1, 11.25, 22.75}));
  AddWorthOfEmptyRows(domains.data(), 0.25, 4, sums.data());
  EXPECT_EQ(sums, (std::array<double, 4>{24.5, 1, 11.5, 23}));
  std::array<int64_t, 4> out;
  RoundAll(sums.data(), 4, out.data());
  EXPECT_EQ(out, (std::array<int64_t, 4>{25, 1, 12, 23}));
}

// Each number of domains takes one of three ways.
TEST(Tally, PodsOfCells) {
  std::mt19937 random(7);
  for (uint32_t domains = 0; domains < 80; ++domains) {
    const size_t rows = random() % 200;
    std::vector<uint32_t> domain_of_row(rows);
    std::vector<int32_t> pods_of_row(rows), cells(domains + 1, 5), want = cells;
    for (size_t row = 0; row < rows; ++row) {
      domain_of_row[row] = random() % (domains + 1) - 1u;
      pods_of_row[row] = static_cast<int32_t>(random() % 9);
      want[CellOf(domain_of_row[row])] += pods_of_row[row];
    }
    AddPods(domain_of_row, pods_of_row, nullptr, 0, cells);
    ASSERT_EQ(cells, want) << domains;
  }
}

}  // namespace
}  // namespace plugins::spread
