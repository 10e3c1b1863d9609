// Proves that the loops in doubles equal upstream's formulas for all integers from 0 to 2^46 - 1, which RangeCheck
// accepts. A result of IEEE 754 is the exact result, rounded, and rounding keeps the order of numbers. So a score in
// doubles is monotone in each argument, as upstream's quotient is, and a few arguments decide about all others.
//
// A quotient t / c, rounded down, with 0 <= t <= 100 * c: for one c, all t agree if these agree: k * c, where the
// quotient reaches k, and k * c - 1, the largest t below. (k * c - 1) / c is k - 1 / c, which grows with c. So the
// largest c decides about every smaller one.
//
// A mean by multiplication: for one sum of weights, the same numerators decide. The test tries every sum of weights.
//
// The other tests run the loops on steps of many capacities, to find mistakes in this proof.
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <random>
#include <vector>

#include "../common/allocation_strategies.h"

namespace plugins::allocation {
namespace {

// As in least_allocated.go and most_allocated.go. Sums and products wrap in Go, and so does the quotient by -1.
int64_t GoQuotient(int64_t a, int64_t b) { return static_cast<int64_t>(static_cast<__int128>(a) / b); }
int64_t GoTimes100(int64_t a) { return static_cast<int64_t>(static_cast<uint64_t>(a) * 100); }
int64_t GoMinus(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
}
int64_t LeastRequestedScore(int64_t requested, int64_t capacity) {
  if (capacity == 0) return 0;
  if (requested > capacity) return 0;
  return GoQuotient(GoTimes100(GoMinus(capacity, requested)), capacity);
}
int64_t MostRequestedScore(int64_t requested, int64_t capacity) {
  if (capacity == 0) return 0;
  if (requested > capacity) requested = capacity;
  return GoQuotient(GoTimes100(requested), capacity);
}

constexpr auto kLimit = static_cast<int64_t>(kExactBelow);

// Capacities and requested amounts of rows, and the scores that the loops compute for them.
class Columns {
 public:
  void Add(int64_t capacity, int64_t requested) {
    if (requested < 0 || requested >= kLimit) return;
    capacity_.push_back(static_cast<double>(capacity));
    used_.push_back(static_cast<double>(requested));
  }
  // The amounts at which the score of the capacity changes.
  void AddSteps(int64_t capacity) {
    for (int64_t k = 0; k <= 100; ++k) {
      const int64_t step = (k * capacity + 99) / 100;
      for (const int64_t amount : {step - 1, step}) Add(capacity, amount), Add(capacity, capacity - amount);
    }
    Add(capacity, capacity + 1);
  }
  void ExpectUpstreamsScores() {
    const size_t n = capacity_.size();
    std::vector<double> sum(n), weights(n), most(n), none(n), zeros(n);
    std::vector<int64_t> least_out(n), most_out(n), two_out(n);
    ASSERT_TRUE(AddLeast(capacity_.data(), used_.data(), 0, 3, n, sum.data(), weights.data()));
    ASSERT_TRUE(AddMost(capacity_.data(), used_.data(), 0, 3, n, most.data(), none.data()));
    DivideMeans(sum.data(), weights.data(), n, least_out.data());
    DivideMeans(most.data(), none.data(), n, most_out.data());
    const RangeOfOne range{capacity_.data(), used_.data(), 0, 3};
    const RangeOfOne absent{zeros.data(), zeros.data(), 0, 5};
    ASSERT_TRUE(LeastMeans(range, absent, n, two_out.data()));
    for (size_t i = 0; i < n; ++i) {
      const auto capacity = static_cast<int64_t>(capacity_[i]), used = static_cast<int64_t>(used_[i]);
      ASSERT_EQ(least_out[i], LeastRequestedScore(used, capacity)) << used << " of " << capacity;
      ASSERT_EQ(two_out[i], LeastRequestedScore(used, capacity)) << used << " of " << capacity;
      ASSERT_EQ(most_out[i], MostRequestedScore(used, capacity)) << used << " of " << capacity;
    }
  }

 private:
  std::vector<double> capacity_, used_;
};

// t / c is exactly k for t = k * c, so only the numerators before these can be rounded up to a wrong integer.
TEST(ExactScores, NoQuotientOfTheWholeDomainReachesTheNextInteger) {
  const auto capacity = static_cast<double>(kLimit - 1);
  for (int64_t k = 1; k <= 100; ++k) {
    const int64_t numerator = k * (kLimit - 1) - 1;
    ASSERT_EQ(static_cast<int64_t>(static_cast<double>(numerator)), numerator) << "not exact";
    EXPECT_LT(static_cast<double>(numerator) / capacity, static_cast<double>(k));
    EXPECT_EQ(static_cast<double>(numerator + 1) / capacity, static_cast<double>(k));
  }
}

TEST(ExactScores, EveryAmountOfSmallCapacities) {
  Columns columns;
  for (int64_t capacity = 0; capacity <= 250; ++capacity) {
    for (int64_t requested = 0; requested <= capacity + 3; ++requested) columns.Add(capacity, requested);
  }
  columns.ExpectUpstreamsScores();
}

TEST(ExactScores, EveryStepOfLargeCapacities) {
  Columns columns;
  for (int64_t power = 1; power < kLimit; power *= 2) {
    for (const int64_t capacity : {power - 1, power, power + 1, power / 3 * 2 + 1, power / 100 * 100}) {
      if (capacity > 0) columns.AddSteps(capacity);
    }
  }
  for (int64_t power = 1; power < kLimit; power *= 10) {
    for (int64_t digit = 1; digit < 10 && digit * power < kLimit; ++digit) columns.AddSteps(digit * power);
  }
  columns.AddSteps(kLimit - 1);
  std::mt19937_64 random(7);
  for (int i = 0; i < 1500; ++i) columns.AddSteps(1 + static_cast<int64_t>(random() >> (18 + random() % 40)));
  columns.ExpectUpstreamsScores();
}

TEST(ExactScores, NoMeanOfTheWholeDomainDiffers) {
  for (int64_t weights = 1; weights <= 2 * kPlainWeight; ++weights) {
    const double share = 1 / static_cast<double>(weights);
    int64_t wrong = 0;
    for (int64_t k = 0; k <= 100; ++k) {
      const int64_t sum = k * weights;
      wrong += MeanOf(static_cast<double>(sum), share) != static_cast<double>(k);
      wrong += k > 0 && MeanOf(static_cast<double>(sum - 1), share) != static_cast<double>(k - 1);
    }
    ASSERT_EQ(wrong, 0) << weights;
  }
}

// All pairs of scores with many pairs of weights.
TEST(ExactScores, EveryMeanOfTwoScores) {
  std::vector<double> capacity(101 * 101, 100), used_a, used_b;
  for (int a = 0; a <= 100; ++a) {
    for (int b = 0; b <= 100; ++b) used_a.push_back(100 - a), used_b.push_back(100 - b);
  }
  std::vector<int64_t> out(capacity.size());
  const std::array<int64_t, 13> weights{1, 2, 3, 5, 7, 10, 33, 49, 64, 97, 100, kPlainWeight - 1, kPlainWeight};
  for (const int64_t wa : weights) {
    for (const int64_t wb : weights) {
      const RangeOfOne a{capacity.data(), used_a.data(), 0, static_cast<double>(wa)};
      const RangeOfOne b{capacity.data(), used_b.data(), 0, static_cast<double>(wb)};
      ASSERT_TRUE(LeastMeans(a, b, out.size(), out.data()));
      for (size_t i = 0; i < out.size(); ++i) {
        const int64_t score_a = static_cast<int64_t>(i) / 101, score_b = static_cast<int64_t>(i) % 101;
        ASSERT_EQ(out[i], (score_a * wa + score_b * wb) / (wa + wb))
            << score_a << "*" << wa << " " << score_b << "*" << wb;
      }
    }
  }
}

TEST(ExactScores, NumbersThatAreNegativeOrTooLargeAreRefusedWhereverTheyAre) {
  for (const double wrong : {-1.0, -0x1p46, -0x1p52, 0x1p46, 0x1p46 + 1, 0x1p52, 0x1p53}) {
    for (size_t at = 0; at < 4; ++at) {
      for (const size_t row : {size_t{0}, size_t{20}, size_t{36}}) {
        std::array<std::vector<double>, 4> cells;
        for (auto& column : cells) column.assign(37, 0x1p46 - 1);
        std::vector<int64_t> out(37);
        const RangeOfOne a{cells[0].data(), cells[1].data(), 0, 1}, b{cells[2].data(), cells[3].data(), 0, 1};
        ASSERT_TRUE(LeastMeans(a, b, 37, out.data()));
        cells[at][row] = wrong;
        EXPECT_FALSE(LeastMeans(a, b, 37, out.data())) << wrong << " in column " << at << ", row " << row;
        std::vector<double> sum(37), weights(37);
        if (at >= 2) continue;
        EXPECT_FALSE(AddLeast(cells[0].data(), cells[1].data(), 0, 1, 37, sum.data(), weights.data())) << wrong;
        EXPECT_FALSE(AddMost(cells[0].data(), cells[1].data(), 0, 1, 37, sum.data(), weights.data())) << wrong;
      }
    }
  }
}

// What the loops refuse is computed in integers: equal to upstream's over all of int64.
TEST(ExactScores, IntegersOverTheWholeDomain) {
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min(), kMax = std::numeric_limits<int64_t>::max();
  std::vector<int64_t> numbers{0,          kMin,           kMin + 1,   kMax,          kMax - 1,
                               kMax / 100, kMax / 100 + 1, kMin / 100, kMin / 100 - 1};
  for (int bit = 0; bit < 63; ++bit) {
    for (const int64_t near : {-1, 0, 1}) {
      numbers.push_back((int64_t{1} << bit) + near);
      numbers.push_back(-(int64_t{1} << bit) + near);
    }
  }
  for (const int64_t capacity : numbers) {
    if (capacity == 0) continue;  // WeightedMean leaves the resource out, as upstream does
    for (const int64_t requested : numbers) {
      ASSERT_EQ(LeastScore(requested, capacity), LeastRequestedScore(requested, capacity))
          << requested << " of " << capacity;
      ASSERT_EQ(MostScore(requested, capacity), MostRequestedScore(requested, capacity))
          << requested << " of " << capacity;
    }
  }
}

}  // namespace
}  // namespace plugins::allocation
