#include "scheduler/framework/block_totals.h"

#include <gtest/gtest.h>

#include <list>

#include "base/random.h"

namespace berth::framework {
namespace {

// Kept scores that change at random, and the totals of a loop over all rows.
class Random final {
 public:
  explicit Random(uint64_t seed) : random_(seed), rows_(64 * (1 + random_.Below(6))) {
    feasible_.Resize(rows_);
    for (size_t row = 0; row < rows_; ++row) feasible_.Assign(row, random_.Below(4) != 0);
    feasible_.Set(random_.Below(static_cast<uint32_t>(rows_)));
    const size_t parts = random_.Below(4);
    for (size_t i = 0; i < parts; ++i) AddPart();
  }
  void Change() {
    for (ScoreEntry& entry : entries_) {
      if (random_.Below(3) == 0) continue;
      if (random_.Below(10) == 0) {
        Fill(entry);
        continue;
      }
      for (uint32_t n = random_.Below(3); n > 0; --n) {
        const uint32_t row = static_cast<uint32_t>(random_.Below(static_cast<uint32_t>(rows_)));
        entry.scores[row] = Score();
        entry.bounds.Add(entry.scores[row]);
        entry.changes.Note(row);
      }
    }
    if (random_.Below(3) == 0) {
      const size_t row = random_.Below(static_cast<uint32_t>(rows_));
      feasible_.Assign(row, !feasible_.Test(row));
      if (!feasible_.Any()) feasible_.Set(row);
    }
  }
  std::vector<int64_t> WantedTotals() const {
    std::vector<int64_t> totals(rows_, 0);
    for (const TotalsPart& part : parts_) {
      if (part.scales) {
        const int64_t max = MaxScore(part.entry->scores.data(), feasible_);
        EXPECT_TRUE(AddNormalized(totals.data(), part.entry->scores.data(), max, part.reverse, part.weight, feasible_));
      } else {
        EXPECT_TRUE(AddWeighted(totals.data(), part.entry->scores.data(), part.weight, feasible_));
      }
    }
    return totals;
  }
  const std::vector<TotalsPart>& parts() const { return parts_; }
  const base::Bitmap& feasible() const { return feasible_; }

 private:
  int64_t Score() { return static_cast<int64_t>(random_.Below(large_ ? 1000 : 5)); }
  void Fill(ScoreEntry& entry) {
    entry.scores.resize(rows_);
    for (int64_t& score : entry.scores) score = Score();
    entry.bounds = {};
    for (const int64_t score : entry.scores) entry.bounds.Add(score);  // of rows that may become feasible too
    entry.changes.NoteAll();
  }
  void AddPart() {
    const bool scales = random_.Below(2) == 0;
    large_ = scales && random_.Below(2) == 0;
    ScoreEntry& entry = entries_.emplace_back();
    Fill(entry);
    parts_.push_back({&entry, 1 + static_cast<int64_t>(random_.Below(3)), scales, scales && random_.Below(2) == 0});
    large_ = false;
  }

  base::Random random_;
  const size_t rows_;
  bool large_ = false;
  std::list<ScoreEntry> entries_;
  std::vector<TotalsPart> parts_;
  base::Bitmap feasible_;
};

TEST(BlockTotals, AgreeWithALoopOverAllRows) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    Random world(seed);
    BlockTotals totals;
    for (int step = 0; step < 30; ++step) {
      totals.Update(world.parts(), world.feasible(), step % 11 == 10);
      const std::vector<int64_t> wanted = world.WantedTotals();
      world.feasible().ForEach([&](uint32_t row) { ASSERT_EQ(totals.by_row()[row], wanted[row]) << row; });
      const Best best = totals.FindBest(), want = FindBest(wanted.data(), world.feasible());
      ASSERT_EQ(best.total, want.total);
      ASSERT_EQ(best.ties, want.ties);
      for (uint32_t k = 0; k < best.ties; ++k) {
        ASSERT_EQ(totals.NthBest(best.total, k), NthBest(wanted.data(), world.feasible(), best.total, k));
      }
      world.Change();
    }
  }
}

// The maximum is too large for a multiplication instead of the division.
TEST(BlockTotals, LargeScoresAreNormalizedToo) {
  ScoreEntry entry;
  entry.scores.resize(64, 0);
  entry.scores[3] = int64_t{1} << 40;
  entry.scores[5] = (int64_t{1} << 40) / 4 * 3;
  base::Bitmap feasible(64);
  for (const size_t row : {2, 3, 5}) feasible.Set(row);
  entry.bounds = BoundsOf(entry.scores.data(), feasible);
  BlockTotals totals;
  totals.Update({{&entry, 2, true, false}}, feasible, true);
  EXPECT_EQ(totals.by_row()[2], 0);
  EXPECT_EQ(totals.by_row()[3], 200);
  EXPECT_EQ(totals.by_row()[5], 150);
  EXPECT_EQ(totals.FindBest().total, 200);
  EXPECT_EQ(totals.NthBest(200, 0), 3u);
}

// Some rows with scores and with more scores to add.
struct Sums {
  base::Bitmap feasible;
  std::vector<int64_t> scores, more, wanted;  // wanted: scores * weight + more

  Sums(base::Random& random, int64_t weight, bool adds) {
    const size_t rows = 64 * (1 + random.Below(5));
    feasible.Resize(rows);
    const uint32_t density = 1 + random.Below(4);
    for (size_t row = 0; row < rows; ++row) feasible.Assign(row, random.Below(density) == 0);
    feasible.Set(random.Below(static_cast<uint32_t>(rows)));
    for (size_t row = 0; row < rows; ++row) {
      scores.push_back(static_cast<int64_t>(random.Below(4)));
      more.push_back(static_cast<int64_t>(random.Below(4)));
      wanted.push_back(scores[row] * weight + (adds ? more[row] : 0));
    }
  }
};

void ExpectBests(const BlockBests& bests, const std::vector<int64_t>& totals, const Sums& sums) {
  const Best best = bests.FindBest(), want = FindBest(sums.wanted.data(), sums.feasible);
  ASSERT_EQ(best.total, want.total);
  ASSERT_EQ(best.ties, want.ties);
  for (uint32_t k = 0; k < best.ties; ++k) {
    ASSERT_EQ(bests.NthBest(totals.data(), best.total, k), NthBest(sums.wanted.data(), sums.feasible, best.total, k));
  }
  sums.feasible.ForEach([&](uint32_t row) { ASSERT_EQ(totals[row], sums.wanted[row]); });
}

TEST(BlockBests, OfASumAgreeWithALoopOverAllRows) {
  base::Random random(3);
  for (int round = 0; round < 300; ++round) {
    const bool adds = round % 2 == 0;
    const Sums sums(random, 1, adds);
    std::vector<int64_t> totals = sums.scores;
    BlockBests bests;
    SumBlocks(totals.data(), adds ? sums.more.data() : nullptr, sums.feasible, bests);
    ExpectBests(bests, totals, sums);
  }
}

TEST(BlockBests, OfAWeightedSumAgreeWithALoopOverAllRows) {
  base::Random random(5);
  BlockBests bests;
  for (int round = 0; round < 300; ++round) {
    const bool adds = round % 2 == 0;
    const auto weight = static_cast<int64_t>(1 + random.Below(3));
    Sums sums(random, weight, adds);
    std::vector<int64_t> totals(sums.scores.size(), 7);
    const int64_t* const more = adds ? sums.more.data() : nullptr;
    EXPECT_LE(bests.Sum(totals.data(), sums.scores.data(), weight, more, sums.feasible), 3u);
    ExpectBests(bests, totals, sums);

    const size_t odd = random.Below(static_cast<uint32_t>(sums.scores.size()));
    sums.scores[odd] = round % 3 == 0 ? -1 : 101;
    const uint64_t highest = bests.Sum(totals.data(), sums.scores.data(), weight, more, sums.feasible);
    EXPECT_EQ(highest > 100, sums.feasible.Test(odd)) << "only scores of feasible rows count";
  }
}

TEST(BlockTotals, FitsPartOnlyWithinTheRangeOfScores) {
  struct Case {
    const char* name;
    ScoreBounds bounds;
    bool scales, want;
  };
  const Case cases[] = {
      {.name = "0..100", .bounds = {0, 100}, .scales = false, .want = true},
      {.name = "above", .bounds = {0, 101}, .scales = false, .want = false},
      {.name = "above, scaled", .bounds = {0, 101}, .scales = true, .want = true},
      {.name = "negative, scaled", .bounds = {-1, 5}, .scales = true, .want = false},
      {.name = "100 times the score is too large", .bounds = {0, INT64_MAX / 50}, .scales = true, .want = false},
  };
  for (const Case& one : cases) {
    ScoreEntry entry;
    entry.bounds = one.bounds;
    EXPECT_EQ(FitsPart(entry, one.scales), one.want) << one.name;
  }
}

TEST(KeptTotals, KeepsTheMostRecentlyUsed) {
  std::list<ScoreEntry> entries(KeptTotals::kEntries + 1);
  KeptTotals kept;
  base::Bitmap feasible(64);
  feasible.Set(1);
  const auto get = [&](ScoreEntry& entry) {
    entry.scores.resize(64);
    const std::vector<TotalsPart> parts{{&entry, 1, false, false}};
    BlockTotals& totals = kept.Get(parts, false);
    const bool known = totals.IsOf(parts);
    totals.Update(parts, feasible, false);
    return known;
  };
  for (ScoreEntry& entry : entries) EXPECT_FALSE(get(entry));
  EXPECT_TRUE(get(entries.back()));
  EXPECT_FALSE(get(entries.front())) << "was used longest ago";
}

}  // namespace
}  // namespace berth::framework
