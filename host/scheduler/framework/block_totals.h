// The sum of the kept scores of several plugins for each row, with the highest sum of each block of 64 rows: after a
// pod has changed one row, one block is summed up again, and the best row is found among the blocks.
// Thread: the scheduling thread. Ownership: refers to kept scores of the profile, which outlive it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/bitmap.h"
#include "scheduler/framework/block_sums.h"
#include "scheduler/framework/reuse.h"
#include "scheduler/framework/score_math.h"
#include "scheduler/framework/score_scale.h"

namespace berth::framework {

// What one plugin contributes: its kept scores, not uniform and within what FitsPart allows.
struct TotalsPart {
  ScoreEntry* entry = nullptr;
  int64_t weight = 1;
  bool scales = false;   // DefaultNormalizeScore follows
  bool reverse = false;  // with reverse
  bool operator==(const TotalsPart&) const = default;
};
// Whether no score of the entry can be out of 0..100 after normalization.
bool FitsPart(const ScoreEntry& entry, bool scales);

// The highest total of each block, and how many feasible rows of the block have it.
class BlockBests {
 public:
  void Resize(size_t blocks);
  // Reads the totals of a block. Those of rows that are not feasible become the lowest number.
  void Read(size_t block, int64_t* totals, uint64_t feasible);
  // totals = scores * weight + more for all blocks, as Resize and Read; more may be null. Returns the highest score of
  // a feasible row as an unsigned number, so that a negative one is high too.
  uint64_t Sum(int64_t* totals, const int64_t* scores, int64_t weight, const int64_t* more,
               const base::Bitmap& feasible);
  // Sums the terms up for the feasible rows of some blocks, with the same result as Read of each.
  void Sum(const SumTerms& terms, const base::Bitmap& blocks, const base::Bitmap& feasible, int64_t* totals);
  Best FindBest() const;
  // The k-th row (from 0, ascending) that has the best total. totals: by row, as they were read.
  uint32_t NthBest(const int64_t* totals, int64_t best, uint32_t k) const;

 private:
  std::vector<int64_t> best_;  // the lowest number if no row is feasible
  std::vector<uint32_t> ties_;
};

// totals += more, for the feasible rows; more may be null. Reads the result into bests.
void SumBlocks(int64_t* totals, const int64_t* more, const base::Bitmap& feasible, BlockBests& bests);

class BlockTotals {
 public:
  // Brings the totals of the feasible rows, which the bounds of the entries cover, up to date. everything: no kept
  // entry has been current before, so that a search for what changed is in vain.
  void Update(const std::vector<TotalsPart>& parts, const base::Bitmap& feasible, bool everything);

  bool IsOf(const std::vector<TotalsPart>& parts) const;
  const std::vector<int64_t>& by_row() const { return totals_; }  // valid for the feasible rows
  Best FindBest() const { return bests_.FindBest(); }             // among the feasible rows
  uint32_t NthBest(int64_t best, uint32_t k) const { return bests_.NthBest(totals_.data(), best, k); }

  uint64_t last_used = 0;  // for the owner

 private:
  struct Part {
    TotalsPart what;
    BlockChanges::Position seen = 0;
    // If what.scales:
    int64_t max = -1;                 // of the feasible rows, at least 0
    std::vector<int64_t> block_max;   // the same for each block
    std::optional<ScoreScale> scale;  // of max, if it has one
  };
  void FindChanged(const base::Bitmap& feasible);
  bool UpdateMax(Part& part, bool everything);  // whether it is another one
  void SumChanged();
  bool AddTerm(const Part& part);  // false: only a division computes it
  void SumSlowly();

  std::vector<Part> parts_;
  base::Bitmap feasible_;
  std::vector<int64_t> totals_;
  BlockBests bests_;
  base::Bitmap changed_;  // blocks
  bool passing_ = false;  // the last update was for everything, so there is no block_max
  SumTerms terms_;
};

// The most recently used totals of a profile. Pods that differ in every decision use one object in turn, so that it
// stays in the CPU's cache.
class KeptTotals {
 public:
  static constexpr size_t kEntries = 16;

  // Valid until the next Get. first_use: some of the entries hold their first result.
  BlockTotals& Get(const std::vector<TotalsPart>& parts, bool first_use);

 private:
  BlockTotals passing_;
  std::vector<BlockTotals> entries_;
  uint64_t clock_ = 0;
};

}  // namespace berth::framework
