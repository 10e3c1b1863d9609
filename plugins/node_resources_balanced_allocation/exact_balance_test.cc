// The loop over two resources equals upstream's formula to the last bit, because it does the same operations of IEEE
// 754 in the same order. One differs: the loop adds the pod's request to a node's as doubles, and upstream adds
// integers and converts the sum. Both give the exact sum, rounded once. The tests look for mistakes in this: with every
// small number, with sums above 2^53, which are rounded, and with numbers around powers of 2 and of 10.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "balance.h"

namespace plugins::balance {
namespace {

// balancedResourceScore of balanced_allocation.go, with its slice of fractions.
int64_t BalancedResourceScore(std::array<int64_t, 2> requested, std::array<int64_t, 2> allocatable) {
  std::vector<double> fractions;
  double total = 0;
  for (size_t i = 0; i < 2; ++i) {
    if (allocatable[i] == 0) continue;
    double fraction = static_cast<double>(requested[i]) / static_cast<double>(allocatable[i]);
    if (fraction > 1) fraction = 1;
    total += fraction;
    fractions.push_back(fraction);
  }
  const double std = fractions.size() == 2 ? std::abs((fractions[0] - fractions[1]) / 2) : 0.0;
  return static_cast<int64_t>((1 - std) * 100.0);
}
int64_t BalancedResourceScorer(std::array<int64_t, 2> used, std::array<int64_t, 2> pod,
                               std::array<int64_t, 2> capacity) {
  const int64_t with = BalancedResourceScore({used[0] + pod[0], used[1] + pod[1]}, capacity);
  return 50 + (50 + with - BalancedResourceScore(used, capacity)) / 2;
}

class Rows {
 public:
  void Add(std::array<int64_t, 2> capacity, std::array<int64_t, 2> used) {
    capacity_.push_back(capacity), used_.push_back(used);
    for (size_t i = 0; i < 2; ++i) {
      cells_[i].push_back(static_cast<double>(capacity[i]));
      cells_[2 + i].push_back(static_cast<double>(used[i]));
    }
  }
  void ExpectUpstreamsScores(std::array<int64_t, 2> pod) const {
    const size_t n = capacity_.size();
    std::vector<int64_t> out(n);
    ASSERT_TRUE(ScoreTwo(cells_[0].data(), cells_[2].data(), static_cast<double>(pod[0]), cells_[1].data(),
                         cells_[3].data(), static_cast<double>(pod[1]), n, out.data()));
    for (size_t i = 0; i < n; ++i) {
      ASSERT_EQ(out[i], BalancedResourceScorer(used_[i], pod, capacity_[i]))
          << used_[i][0] << "+" << pod[0] << "/" << capacity_[i][0] << ", " << used_[i][1] << "+" << pod[1] << "/"
          << capacity_[i][1];
    }
  }

 private:
  std::vector<std::array<int64_t, 2>> capacity_, used_;
  std::array<std::vector<double>, 4> cells_;
};

TEST(ExactBalance, EverySmallNumber) {
  Rows rows;
  for (int64_t a = 0; a <= 10; ++a) {
    for (int64_t b = 0; b <= 12; ++b) {
      for (int64_t used_a = 0; used_a <= a + 1; ++used_a) {
        for (int64_t used_b = 0; used_b <= b + 1; ++used_b) rows.Add({a, b}, {used_a, used_b});
      }
    }
  }
  for (int64_t pod_a = 0; pod_a <= 4; ++pod_a) {
    for (int64_t pod_b = 0; pod_b <= 4; ++pod_b) rows.ExpectUpstreamsScores({pod_a, pod_b});
  }
}

TEST(ExactBalance, SumsThatAreRounded) {
  constexpr int64_t kExact = int64_t{1} << 53;
  Rows rows;
  for (const int64_t used : {kExact - 1, kExact - 2, kExact / 2 + 1, kExact / 2, int64_t{1}}) {
    for (const int64_t other : {kExact - 1, kExact / 2 - 1, int64_t{3}})
      rows.Add({kExact - 1, kExact - 1}, {used, other});
  }
  for (int64_t pod_a = kExact / 2 - 5; pod_a < kExact / 2; ++pod_a) {
    for (int64_t pod_b = 0; pod_b < 5; ++pod_b) rows.ExpectUpstreamsScores({pod_a, pod_b});
  }
}

TEST(ExactBalance, NumbersOfAllSizes) {
  std::mt19937_64 random(11);
  const auto draw = [&random]() -> int64_t {
    const uint64_t kind = random() % 3, near = random() % 3;
    if (kind == 0) return static_cast<int64_t>(random() >> (12 + random() % 50));
    if (kind == 1) return std::max<int64_t>(0, (int64_t{1} << random() % 52) + static_cast<int64_t>(near) - 1);
    int64_t power = 1;
    for (uint64_t i = random() % 15; i > 0; --i) power *= 10;
    return power * static_cast<int64_t>(1 + random() % 9);
  };
  for (int round = 0; round < 200; ++round) {
    Rows rows;
    for (int i = 0; i < 200; ++i) {
      const std::array<int64_t, 2> capacity{draw(), draw()};
      std::array<int64_t, 2> used{draw(), draw()};
      for (size_t r = 0; r < 2; ++r) {
        if (capacity[r] != 0 && random() % 4 != 0) used[r] %= capacity[r] + 1;
      }
      rows.Add(capacity, used);
    }
    rows.ExpectUpstreamsScores({draw() >> 1, draw() >> 1});
  }
}

TEST(ExactBalance, NegativeNumbersAreRefusedWhereverTheyAre) {
  for (size_t at = 0; at < 4; ++at) {
    for (const size_t row : {size_t{0}, size_t{9}, size_t{20}}) {
      std::array<std::vector<double>, 4> cells;
      for (auto& column : cells) column.assign(21, 10);
      cells[at][row] = -1;
      std::vector<int64_t> out(21);
      EXPECT_FALSE(ScoreTwo(cells[0].data(), cells[1].data(), 1, cells[2].data(), cells[3].data(), 1, 21, out.data()));
    }
  }
}

}  // namespace
}  // namespace plugins::balance
