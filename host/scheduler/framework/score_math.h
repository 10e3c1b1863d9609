// The loops over scores: maximum, normalization to 0..100, weighted sums, arg-max. A bitmap selects the rows; words of
// 64 feasible rows use a loop without branches. Thread: any; pure.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bitmap.h"
#include "berth/plugin.h"

namespace berth::framework {

inline constexpr int64_t kMinNodeScore = 0, kMaxNodeScore = 100;

// Largest score of the rows, at least 0.
int64_t MaxScore(const int64_t* by_row, const base::Bitmap& rows);
// Greatest of those of 64 scores whose bits are set; the lowest number if none is.
int64_t MaxOfWord(const int64_t* scores, uint64_t rows);
// totals[row] += weight * score[row]. Returns whether every score is in 0..100.
bool AddWeighted(int64_t* totals, const int64_t* by_row, int64_t weight, const base::Bitmap& rows);
// The same after DefaultNormalizeScore (pkg/scheduler/framework/plugins/helper/normalize_score.go) with maximum `max`.
bool AddNormalized(int64_t* totals, const int64_t* by_row, int64_t max, bool reverse, int64_t weight,
                   const base::Bitmap& rows);
// Whether n scores, at least one, are equal.
bool AllEqual(const int64_t* scores, size_t n);
void AddConstant(int64_t* totals, int64_t value, const base::Bitmap& rows);

// Normalizes one score. If max is 0, the score stays as it is, or becomes 100 with reverse.
inline int64_t NormalizeOne(int64_t score, int64_t max, bool reverse) {
  if (max == 0) return reverse ? kMaxNodeScore : score;
  // Overflow wraps as in Go; the range check reports the result.
  const int64_t scaled =
      static_cast<int64_t>(static_cast<uint64_t>(kMaxNodeScore) * static_cast<uint64_t>(score)) / max;
  return reverse ? kMaxNodeScore - scaled : scaled;
}

struct Best {
  int64_t total = 0;
  uint32_t ties = 0;
};
// The highest total of the rows and how many rows have it. rows must not be empty.
Best FindBest(const int64_t* totals, const base::Bitmap& rows);
// The k-th row (from 0, ascending) that has the best total.
uint32_t NthBest(const int64_t* totals, const base::Bitmap& rows, int64_t best, uint32_t k);

}  // namespace berth::framework
