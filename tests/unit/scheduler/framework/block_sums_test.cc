#include "scheduler/framework/block_sums.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <list>

#include "base/random.h"

namespace berth::framework {
namespace {

// Some blocks of rows at random, among them full and empty ones, and the cells of rows that do not count.
class Blocks {
 public:
  explicit Blocks(uint64_t seed) : random_(seed), n_(1 + random_.Below(9)) {
    rows_.Resize(n_ * kBlockRows);
    asked_.Resize(n_);
    for (size_t block = 0; block < n_; ++block) {
      asked_.Assign(block, random_.Below(4) != 0);
      const uint64_t kind = random_.Below(4);
      rows_.words()[block] = kind == 0 ? 0 : kind == 1 ? random_.Next() : ~uint64_t{0};
    }
  }
  // Scores in 0..most, and anything for other rows.
  const std::vector<int64_t>& Scores(uint32_t most) {
    std::vector<int64_t>& scores = scores_.emplace_back(rows_.size());
    for (size_t row = 0; row < scores.size(); ++row) {
      scores[row] = static_cast<int64_t>(rows_.Test(row) ? random_.Below(most + 1) : random_.Next());
    }
    return scores;
  }
  base::Random& random() { return random_; }
  size_t n() const { return n_; }
  const base::Bitmap& rows() const { return rows_; }
  const base::Bitmap& asked() const { return asked_; }

 private:
  base::Random random_;
  size_t n_;
  base::Bitmap rows_, asked_;
  std::list<std::vector<int64_t>> scores_;
};

uint64_t TotalOf(const SumTerms& terms, size_t row) {
  uint64_t total = terms.base;
  for (const auto& term : terms.plain) total += static_cast<uint64_t>(term.scores[row]) * term.times;
  for (const auto& term : terms.scaled) {
    total += ((static_cast<uint64_t>(term.scores[row]) * term.factor) >> term.shift) * term.times;
  }
  return total;
}

TEST(SumUpBlocks, AgreesWithALoopOverTheRows) {
  for (uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    Blocks blocks(seed);
    SumTerms terms;
    terms.base = blocks.random().Below(1000);
    for (uint64_t n = blocks.random().Below(4); n > 0; --n) {
      terms.plain.push_back({blocks.Scores(4).data(), 1 + blocks.random().Below(3)});
    }
    for (uint64_t n = blocks.random().Below(4); n > 0; --n) {
      const uint64_t times = 1 + blocks.random().Below(3);
      terms.scaled.push_back({blocks.Scores(4).data(), 1 + blocks.random().Below(1000), blocks.random().Below(12),
                              blocks.random().Below(2) == 0 ? times : 0 - times});
    }
    std::vector<int64_t> totals(blocks.rows().size(), 7), best(blocks.n(), 7);
    std::vector<uint32_t> ties(blocks.n(), 7);
    SumUpBlocks(terms, blocks.asked(), blocks.rows(), totals.data(), best.data(), ties.data());
    for (size_t block = 0; block < blocks.n(); ++block) {
      const uint64_t rows = blocks.rows().words()[block];
      if (!blocks.asked().Test(block)) {
        EXPECT_EQ(best[block], 7);
        EXPECT_EQ(totals[block * kBlockRows], 7);
        continue;
      }
      int64_t highest = kLowestTotal;
      uint32_t equal = 0;
      for (size_t row = block * kBlockRows; row < (block + 1) * kBlockRows; ++row) {
        if (!blocks.rows().Test(row)) {
          EXPECT_EQ(totals[row], rows != 0 ? kLowestTotal : 7);
          continue;
        }
        const auto want = static_cast<int64_t>(TotalOf(terms, row));
        ASSERT_EQ(totals[row], want) << row;
        equal = want > highest ? 1 : equal + (want == highest ? 1 : 0);
        highest = std::max(highest, want);
      }
      EXPECT_EQ(best[block], highest);
      EXPECT_EQ(ties[block], equal);
    }
  }
}

TEST(BlockScores, BoundsAndMaximaAgreeWithALoopOverTheRows) {
  for (uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    Blocks blocks(seed);
    const std::vector<int64_t>& scores = blocks.Scores(1000);
    ScoreBounds want;
    std::vector<int64_t> highest(blocks.n(), kLowestTotal), found(blocks.n(), 7);
    blocks.rows().ForEach([&](uint32_t row) {
      want.Add(scores[row]);
      highest[row / kBlockRows] = std::max(highest[row / kBlockRows], scores[row]);
    });
    const ScoreBounds bounds = BoundsOf(scores.data(), blocks.rows());
    EXPECT_EQ(bounds.least, want.least);
    EXPECT_EQ(bounds.greatest, want.greatest);
    EXPECT_EQ(MaxUpTo(scores.data(), blocks.rows(), 3, INT64_MAX), std::max<int64_t>(3, want.greatest));
    EXPECT_EQ(MaxUpTo(scores.data(), blocks.rows(), 3, want.greatest), std::max<int64_t>(3, want.greatest));
    MaxOfBlocks(scores.data(), blocks.asked(), blocks.rows(), found.data());
    for (size_t block = 0; block < blocks.n(); ++block) {
      EXPECT_EQ(found[block], blocks.asked().Test(block) ? highest[block] : 7) << block;
    }
  }
}

}  // namespace
}  // namespace berth::framework
