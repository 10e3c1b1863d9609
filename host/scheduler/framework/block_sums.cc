#include "scheduler/framework/block_sums.h"

#include "base/wide.h"

namespace berth::framework {
namespace {

constexpr uint64_t kEveryRow = ~uint64_t{0};
constexpr int64_t kHighest = INT64_MAX;

// Only what the compiler inlines into a function with BERTH_WIDE benefits from it.
#define BERTH_INLINE inline __attribute__((always_inline))

// v if bit i is set, else other. Without a branch, which would keep the compiler from vectorizing a loop that loads v.
BERTH_INLINE int64_t Either(int64_t v, int64_t other, uint64_t bits, size_t i) {
  const uint64_t mask = 0 - (bits >> i & 1);
  return static_cast<int64_t>((static_cast<uint64_t>(v) & mask) | (static_cast<uint64_t>(other) & ~mask));
}
BERTH_INLINE uint64_t TermOf(const SumTerms::Plain& term, size_t row) {
  return static_cast<uint64_t>(term.scores[row]) * term.times;
}
BERTH_INLINE uint64_t TermOf(const SumTerms::Scaled& term, size_t row) {
  return ((static_cast<uint64_t>(term.scores[row]) * term.factor) >> term.shift) * term.times;
}

// With the number of terms known, a total stays in a register until it is complete.
template <size_t kPlain, size_t kScaled>
BERTH_INLINE void SumFew(const SumTerms& terms, size_t first, uint64_t rows, int64_t* __restrict totals) {
  SumTerms::Plain plain[kPlain + 1];
  SumTerms::Scaled scaled[kScaled + 1];
  for (size_t t = 0; t < kPlain; ++t) plain[t] = terms.plain[t];
  for (size_t t = 0; t < kScaled; ++t) scaled[t] = terms.scaled[t];
  const uint64_t base = terms.base;
  for (size_t i = 0; i < kBlockRows; ++i) {
    uint64_t total = base;
    for (size_t t = 0; t < kPlain; ++t) total += TermOf(plain[t], first + i);
    for (size_t t = 0; t < kScaled; ++t) total += TermOf(scaled[t], first + i);
    totals[i] = Either(static_cast<int64_t>(total), kLowestTotal, rows, i);
  }
}

BERTH_INLINE void SumMany(const SumTerms& terms, size_t first, uint64_t rows, int64_t* __restrict totals) {
  alignas(64) uint64_t sums[kBlockRows];
  for (size_t i = 0; i < kBlockRows; ++i) sums[i] = terms.base;
  for (const SumTerms::Plain term : terms.plain) {
    for (size_t i = 0; i < kBlockRows; ++i) sums[i] += TermOf(term, first + i);
  }
  for (const SumTerms::Scaled term : terms.scaled) {
    for (size_t i = 0; i < kBlockRows; ++i) sums[i] += TermOf(term, first + i);
  }
  for (size_t i = 0; i < kBlockRows; ++i) totals[i] = Either(static_cast<int64_t>(sums[i]), kLowestTotal, rows, i);
}

// The default profile has two plain terms for most pods: NodeResourcesFit and NodeResourcesBalancedAllocation.
BERTH_INLINE void SumBlock(const SumTerms& terms, size_t first, uint64_t rows, int64_t* totals) {
  const size_t scaled = terms.scaled.size();
  if (terms.plain.size() == 2 && scaled == 0) return SumFew<2, 0>(terms, first, rows, totals);
  if (terms.plain.size() == 2 && scaled == 1) return SumFew<2, 1>(terms, first, rows, totals);
  if (terms.plain.size() == 2 && scaled == 2) return SumFew<2, 2>(terms, first, rows, totals);
  SumMany(terms, first, rows, totals);
}

BERTH_INLINE int64_t MaxOf64(const int64_t* v) {
  int64_t max = kLowestTotal;
  for (size_t i = 0; i < kBlockRows; ++i) max = v[i] > max ? v[i] : max;
  return max;
}
BERTH_INLINE int64_t MaxOf64(const int64_t* v, uint64_t rows) {
  if (rows == kEveryRow) return MaxOf64(v);
  int64_t max = kLowestTotal;
  for (size_t i = 0; i < kBlockRows; ++i) {
    const int64_t one = Either(v[i], kLowestTotal, rows, i);
    max = one > max ? one : max;
  }
  return max;
}

BERTH_INLINE bool HasBlock(const uint64_t* blocks, size_t block) {
  return (blocks[block / 64] >> (block % 64) & 1) != 0;
}

// The best of 64 totals, and how many have it.
BERTH_INLINE void NoteBest(const int64_t* totals, int64_t& best, uint32_t& ties) {
  const int64_t max = MaxOf64(totals);
  uint64_t count = 0;
  for (size_t i = 0; i < kBlockRows; ++i) count += static_cast<uint64_t>(totals[i] == max);
  best = max;
  ties = static_cast<uint32_t>(count);
}

BERTH_WIDE void SumEach(const SumTerms& terms, const uint64_t* blocks, const uint64_t* rows, size_t n, int64_t* totals,
                        int64_t* best, uint32_t* ties) {
  for (size_t block = 0; block < n; ++block) {
    if (!HasBlock(blocks, block)) continue;
    best[block] = kLowestTotal;
    ties[block] = 0;
    if (rows[block] == 0) continue;
    int64_t* const here = totals + block * kBlockRows;
    SumBlock(terms, block * kBlockRows, rows[block], here);
    NoteBest(here, best[block], ties[block]);
  }
}

BERTH_WIDE uint64_t SumOneOfEach(const SumTerms::Plain& term, const int64_t* __restrict more, const uint64_t* rows,
                                 size_t n, int64_t* __restrict totals, int64_t* best, uint32_t* ties) {
  static constexpr int64_t kNothing[kBlockRows] = {};
  const int64_t* __restrict scores = term.scores;
  const uint64_t times = term.times;
  uint64_t highest = 0;
  for (size_t block = 0; block < n; ++block, scores += kBlockRows, totals += kBlockRows) {
    const uint64_t bits = rows[block];
    best[block] = kLowestTotal;
    ties[block] = 0;
    if (bits == 0) continue;
    const int64_t* const others = more != nullptr ? more + block * kBlockRows : kNothing;
    for (size_t i = 0; i < kBlockRows; ++i) {
      const auto score = static_cast<uint64_t>(scores[i]);
      const auto counts = static_cast<uint64_t>(Either(scores[i], 0, bits, i));
      highest = counts > highest ? counts : highest;
      totals[i] = Either(static_cast<int64_t>(score * times + static_cast<uint64_t>(others[i])), kLowestTotal, bits, i);
    }
    NoteBest(totals, best[block], ties[block]);
  }
  return highest;
}

BERTH_WIDE void MaxOfEach(const int64_t* scores, const uint64_t* blocks, const uint64_t* rows, size_t n, int64_t* max) {
  for (size_t block = 0; block < n; ++block) {
    if (!HasBlock(blocks, block)) continue;
    max[block] = rows[block] == 0 ? kLowestTotal : MaxOf64(scores + block * kBlockRows, rows[block]);
  }
}

BERTH_WIDE int64_t MaxOfSome(const int64_t* scores, const uint64_t* rows, size_t n, int64_t max, int64_t enough) {
  for (size_t block = 0; block < n && max < enough; ++block) {
    if (rows[block] == 0) continue;
    const int64_t one = MaxOf64(scores + block * kBlockRows, rows[block]);
    max = one > max ? one : max;
  }
  return max;
}

// Nearly every block is full, and consecutive ones are one loop.
BERTH_WIDE void BoundsOfEach(const int64_t* scores, const uint64_t* rows, size_t n, int64_t* least, int64_t* greatest) {
  int64_t min = kHighest, max = kLowestTotal;
  for (size_t block = 0; block < n;) {
    const int64_t* const v = scores + block * kBlockRows;
    const uint64_t bits = rows[block++];
    if (bits == 0) continue;
    if (bits != kEveryRow) {
      for (size_t i = 0; i < kBlockRows; ++i) {
        const int64_t low = Either(v[i], kHighest, bits, i), high = Either(v[i], kLowestTotal, bits, i);
        min = low < min ? low : min;
        max = high > max ? high : max;
      }
      continue;
    }
    while (block < n && rows[block] == kEveryRow) ++block;
    const auto cells = static_cast<size_t>(scores + block * kBlockRows - v);
    for (size_t i = 0; i < cells; ++i) {
      min = v[i] < min ? v[i] : min;
      max = v[i] > max ? v[i] : max;
    }
  }
  *least = min;
  *greatest = max;
}

}  // namespace

void SumUpBlocks(const SumTerms& terms, const base::Bitmap& blocks, const base::Bitmap& rows, int64_t* totals,
                 int64_t* best, uint32_t* ties) {
  SumEach(terms, blocks.words(), rows.words(), rows.n_words(), totals, best, ties);
}

uint64_t SumOne(const SumTerms::Plain& term, const int64_t* more, const base::Bitmap& rows, int64_t* totals,
                int64_t* best, uint32_t* ties) {
  return SumOneOfEach(term, more, rows.words(), rows.n_words(), totals, best, ties);
}

void MaxOfBlocks(const int64_t* scores, const base::Bitmap& blocks, const base::Bitmap& rows, int64_t* max) {
  MaxOfEach(scores, blocks.words(), rows.words(), rows.n_words(), max);
}

ScoreBounds BoundsOf(const int64_t* scores, const base::Bitmap& rows) {
  ScoreBounds bounds;
  BoundsOfEach(scores, rows.words(), rows.n_words(), &bounds.least, &bounds.greatest);
  return bounds;
}

int64_t MaxUpTo(const int64_t* scores, const base::Bitmap& rows, int64_t least, int64_t enough) {
  return MaxOfSome(scores, rows.words(), rows.n_words(), least, enough);
}

}  // namespace berth::framework

#undef BERTH_INLINE
