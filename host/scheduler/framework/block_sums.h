// Loops over the scores of blocks of 64 rows, each in one call for all blocks: what several plugins contribute to the
// totals, and the highest scores. A bitmap of blocks says which ones, and a bitmap of rows which rows of them count;
// the cells of other rows contain anything. Thread: any; pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/bitmap.h"
#include "scheduler/framework/block_changes.h"
#include "scheduler/framework/reuse.h"

namespace berth::framework {

// The total of rows that do not count.
inline constexpr int64_t kLowestTotal = INT64_MIN;

// The total of a row: base + the sum of score * times + the sum of ((score * factor) >> shift) * times, with the scores
// of several plugins, by row. Overflow wraps as in Go.
struct SumTerms {
  struct Plain {
    const int64_t* scores;
    uint64_t times;
  };
  struct Scaled {
    const int64_t* scores;
    uint64_t factor, shift, times;
  };
  uint64_t base = 0;
  std::vector<Plain> plain;
  std::vector<Scaled> scaled;

  void clear() {
    base = 0;
    plain.clear();
    scaled.clear();
  }
};

// For each block of `blocks`: totals[row] = the total of the rows that count, kLowestTotal for the others; best[block]
// = the highest total, and ties[block] = how many rows have it, 0 if no row counts, in which case totals stay as they
// are.
void SumUpBlocks(const SumTerms& terms, const base::Bitmap& blocks, const base::Bitmap& rows, int64_t* totals,
                 int64_t* best, uint32_t* ties);

// As SumUpBlocks for all blocks, with one term and what `more` has, which may be null. Returns the highest score of a
// row that counts as an unsigned number, so that a negative one is high too.
uint64_t SumOne(const SumTerms::Plain& term, const int64_t* more, const base::Bitmap& rows, int64_t* totals,
                int64_t* best, uint32_t* ties);

// max[block] = the highest score of the rows that count, the lowest number if none counts; for each block of `blocks`.
void MaxOfBlocks(const int64_t* scores, const base::Bitmap& blocks, const base::Bitmap& rows, int64_t* max);

// Of the scores of the rows.
ScoreBounds BoundsOf(const int64_t* scores, const base::Bitmap& rows);

// The highest score of the rows, at least `least`. Stops at a block with a score that is not below `enough`.
int64_t MaxUpTo(const int64_t* scores, const base::Bitmap& rows, int64_t least, int64_t enough);

}  // namespace berth::framework
