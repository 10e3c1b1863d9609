// Looked up scores, compared with those that are computed for each row.
#include "pair_scores.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace plugins::spread {
namespace {

int64_t RawOf(uint32_t domain, int32_t pods) { return 7 + 3 * domain + int64_t{8} * pods; }

struct Columns {
  std::vector<uint32_t> domains;
  std::vector<int32_t> pods;
  std::vector<uint64_t> feasible;
  std::vector<uint32_t> rows;  // that are feasible

  Columns(std::mt19937& random, uint32_t n, uint32_t n_domains, int32_t least, uint32_t numbers) {
    feasible.resize((n + 63) / 64);
    const bool all = random() % 3 == 0;
    for (uint32_t row = 0; row < n; ++row) {
      const bool is = all || row / 64 % 3 == 1 || random() % 3 != 0;
      // what the other rows have must not matter
      domains.push_back(is ? static_cast<uint32_t>(random() % n_domains) : static_cast<uint32_t>(random() % 9) - 1u);
      pods.push_back(is ? least + static_cast<int32_t>(random() % numbers) : static_cast<int32_t>(random() % 99));
      if (!is) continue;
      feasible[row / 64] |= uint64_t{1} << row % 64;
      rows.push_back(row);
    }
  }
};

std::vector<int64_t> WantOf(const Columns& columns) {
  std::vector<int64_t> want;
  for (const uint32_t row : columns.rows) want.push_back(RawOf(columns.domains[row], columns.pods[row]));
  const ScoreRange range = RangeOf(want.data(), want.size());
  for (int64_t& score : want) score = Flipped(range, score);
  return want;
}

TEST(PairScores, AreThoseOfEachRow) {
  std::mt19937 random(11);
  for (int round = 0; round < 500; ++round) {
    const auto n = static_cast<uint32_t>(1 + random() % 400);
    const Columns columns(random, n, 1 + random() % 4, static_cast<int32_t>(random() % 20), 1 + random() % 4);
    if (columns.rows.empty()) continue;
    const berth_rows feasible{sizeof feasible, n, 0, 0, nullptr, columns.feasible.data()};
    const auto size = static_cast<uint32_t>(columns.rows.size());
    const berth_rows picked{sizeof picked, size, 0, 0, columns.rows.data(), columns.feasible.data()};
    PairScores pairs;
    pairs.Find(round % 2 == 0 ? &feasible : &picked, columns.domains.data(), 4, columns.pods.data(), RawOf);
    ASSERT_TRUE(pairs.usable());
    std::vector<int64_t> scores(size, -1);
    EachRowChunk(&picked, kChunk, [&](const RowChunk& chunk) { pairs.Score(chunk, scores.data() + chunk.begin()); });
    ASSERT_EQ(scores, WantOf(columns)) << round;
  }
}

TEST(PairScores, HaveTheirLimits) {
  std::vector<uint32_t> domains{0, 3, 1};
  std::vector<int32_t> pods{2, 3, 5};
  const uint64_t all = 7;
  const berth_rows feasible{sizeof feasible, 3, 0, 0, nullptr, &all};
  const auto usable = [&](uint32_t n_domains, auto raw) {
    PairScores pairs;
    pairs.Find(&feasible, domains.data(), n_domains, pods.data(), raw);
    return pairs.usable();
  };
  EXPECT_TRUE(usable(4, RawOf));
  EXPECT_FALSE(usable(5, RawOf)) << "a domain has no place in the table";
  EXPECT_FALSE(usable(4, [](uint32_t, int32_t pods_here) { return pods_here == 2 ? -500 : 500; })) << "above 100";
  pods = {2, 3, 6};
  EXPECT_FALSE(usable(4, RawOf)) << "five numbers of pods";
  pods = {30, 29, 29};
  EXPECT_TRUE(usable(4, RawOf));
  pods = {31, 31, 31};
  EXPECT_FALSE(usable(4, RawOf)) << "so many pods are not told apart";
}

}  // namespace
}  // namespace plugins::spread
