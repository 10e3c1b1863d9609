// The loops over scores: maximum, scaling to 0..100, weighted sums, arg-max. Rows are chosen by a bitmap; whole words
// of 64 feasible rows take a path without branches. Thread: any; pure.
#pragma once

#include <cstdint>

#include "base/bitmap.h"
#include "berth/plugin.h"

namespace berth::framework {

inline constexpr int64_t kMinNodeScore = 0, kMaxNodeScore = 100;

// Largest score of the rows, at least 0.
int64_t MaxScore(const int64_t* by_row, const base::Bitmap& rows);
// totals[row] += weight * score[row]. Answers whether every score lay in 0..100.
bool AddWeighted(int64_t* totals, const int64_t* by_row, int64_t weight, const base::Bitmap& rows);
// The same after DefaultNormalizeScore (pkg/scheduler/framework/plugins/helper/normalize_score.go) with maximum `max`.
bool AddNormalized(int64_t* totals, const int64_t* by_row, int64_t max, bool reverse, int64_t weight,
                   const base::Bitmap& rows);
// Do all of the rows have this score?
bool AllEqual(const int64_t* by_row, int64_t value, const base::Bitmap& rows);
void AddConstant(int64_t* totals, int64_t value, const base::Bitmap& rows);

// One score scaled: max == 0 leaves it (or makes it 100 when reverse).
inline int64_t NormalizeOne(int64_t score, int64_t max, bool reverse) {
  if (max == 0) return reverse ? kMaxNodeScore : score;
  // Wraps like Go's int64 when a plugin scores absurdly high; the range check then reports it.
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
// The k-th row (from 0, ascending) whose total is the best one.
uint32_t NthBest(const int64_t* totals, const base::Bitmap& rows, int64_t best, uint32_t k);

}  // namespace berth::framework
