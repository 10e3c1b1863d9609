#include "scheduler/framework/score_math.h"

#include <algorithm>
#include <limits>

#include "base/wide.h"
#include "scheduler/framework/score_scale.h"

namespace berth::framework {
namespace {

constexpr uint64_t kAll = ~uint64_t{0};
constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();
constexpr auto kLowestBits = static_cast<uint64_t>(kLowest);

// How many words of the bitmap have 64 rows: all but the last one.
inline size_t FullWords(const base::Bitmap& rows) { return rows.size() / 64; }

// fn(row) for the rows after the full words.
template <class Fn>
void ForRest(const base::Bitmap& rows, Fn&& fn) {
  const size_t full = FullWords(rows);
  if (full == rows.n_words()) return;
  for (uint64_t bits = rows.words()[full]; bits != 0; bits &= bits - 1) {
    fn(full * 64 + static_cast<size_t>(std::countr_zero(bits)));
  }
}

// All ones if bit i is set, else 0. Masks keep branches out of the loops, so that the compiler can vectorize them.
inline uint64_t Mask(uint64_t bits, size_t i) { return uint64_t{0} - (bits >> i & 1); }

inline int64_t Plus(int64_t total, uint64_t score, uint64_t weight) {
  return static_cast<int64_t>(static_cast<uint64_t>(total) + score * weight);
}

// ---- loops over full words, each for words with 64 rows and for words with fewer ----

BERTH_WIDE int64_t MaxOfWords(const int64_t* by_row, const uint64_t* words, size_t n) {
  int64_t max = kLowest;
  for (size_t w = 0; w < n; ++w, by_row += 64) {
    const uint64_t bits = words[w];
    if (bits == kAll) {
      for (size_t i = 0; i < 64; ++i) max = by_row[i] > max ? by_row[i] : max;
    } else if (bits != 0) {
      for (size_t i = 0; i < 64; ++i) {
        const uint64_t mask = Mask(bits, i);
        const auto one = static_cast<int64_t>((static_cast<uint64_t>(by_row[i]) & mask) | (kLowestBits & ~mask));
        max = one > max ? one : max;
      }
    }
  }
  return max;
}

// Returns the highest score as an unsigned number: it is above 100 if any score is out of range.
BERTH_WIDE uint64_t AddWords(int64_t* __restrict totals, const int64_t* __restrict by_row, uint64_t weight,
                             const uint64_t* words, size_t n) {
  uint64_t highest = 0;
  for (size_t w = 0; w < n; ++w, by_row += 64, totals += 64) {
    const uint64_t bits = words[w];
    if (bits == kAll) {
      for (size_t i = 0; i < 64; ++i) {
        const auto u = static_cast<uint64_t>(by_row[i]);
        highest = u > highest ? u : highest;
        totals[i] = Plus(totals[i], u, weight);
      }
    } else if (bits != 0) {
      for (size_t i = 0; i < 64; ++i) {
        const uint64_t u = static_cast<uint64_t>(by_row[i]) & Mask(bits, i);
        highest = u > highest ? u : highest;
        totals[i] = Plus(totals[i], u, weight);
      }
    }
  }
  return highest;
}

bool AddNormalizedOne(int64_t* total, int64_t raw, int64_t max, bool reverse, int64_t weight) {
  const int64_t score = NormalizeOne(raw, max, reverse);
  *total = Plus(*total, static_cast<uint64_t>(score), static_cast<uint64_t>(weight));
  return score >= kMinNodeScore && score <= kMaxNodeScore;
}

// Returns whether all raw scores of the 64 rows are in 0..max. If not, it adds nothing.
inline bool AddScaledWord(int64_t* __restrict totals, const int64_t* __restrict by_row, const ScoreScale& scale,
                          bool reverse, uint64_t weight, uint64_t bits) {
  const uint64_t max = scale.max, factor = scale.factor, shift = scale.shift;
  const uint64_t base = reverse ? weight * uint64_t{kMaxNodeScore} : 0, times = reverse ? uint64_t{0} - weight : weight;
  uint64_t above = 0;
  for (size_t i = 0; i < 64; ++i) {
    const uint64_t raw = static_cast<uint64_t>(by_row[i]) & Mask(bits, i);
    above |= static_cast<uint64_t>(raw > max);
  }
  if (above != 0) return false;
  for (size_t i = 0; i < 64; ++i) {
    const uint64_t scaled = (static_cast<uint64_t>(by_row[i]) * factor) >> shift;
    const uint64_t sum = base + scaled * times;
    totals[i] = static_cast<int64_t>(static_cast<uint64_t>(totals[i]) + (sum & Mask(bits, i)));
  }
  return true;
}

BERTH_WIDE bool AddScaledWords(int64_t* __restrict totals, const int64_t* __restrict by_row, const ScoreScale& scale,
                               bool reverse, int64_t weight, const uint64_t* words, size_t n) {
  bool in_range = true;
  for (size_t w = 0; w < n; ++w, by_row += 64, totals += 64) {
    if (words[w] == 0 || AddScaledWord(totals, by_row, scale, reverse, static_cast<uint64_t>(weight), words[w]))
      continue;
    for (uint64_t bits = words[w]; bits != 0; bits &= bits - 1) {
      const auto i = static_cast<size_t>(std::countr_zero(bits));
      in_range &= AddNormalizedOne(totals + i, by_row[i], static_cast<int64_t>(scale.max), reverse, weight);
    }
  }
  return in_range;
}

BERTH_WIDE uint64_t CountInWords(const int64_t* by_row, int64_t value, const uint64_t* words, size_t n) {
  uint64_t count = 0;
  for (size_t w = 0; w < n; ++w, by_row += 64) {
    const uint64_t bits = words[w];
    if (bits == kAll) {
      for (size_t i = 0; i < 64; ++i) count += static_cast<uint64_t>(by_row[i] == value);
    } else if (bits != 0) {
      for (size_t i = 0; i < 64; ++i) count += by_row[i] == value ? bits >> i & 1 : 0;
    }
  }
  return count;
}

BERTH_WIDE bool Equal(const int64_t* scores, size_t n) {
  const int64_t first = scores[0];
  size_t at = 0;
  for (; at + 64 <= n; at += 64) {
    uint64_t different = 0;
    for (size_t i = 0; i < 64; ++i) different |= static_cast<uint64_t>(scores[at + i] ^ first);
    if (different != 0) return false;
  }
  for (; at < n; ++at) {
    if (scores[at] != first) return false;
  }
  return true;
}

BERTH_WIDE void AddToWords(int64_t* totals, int64_t value, const uint64_t* words, size_t n) {
  for (size_t w = 0; w < n; ++w, totals += 64) {
    const uint64_t bits = words[w];
    if (bits == kAll) {
      for (size_t i = 0; i < 64; ++i) totals[i] += value;
    } else if (bits != 0) {
      for (size_t i = 0; i < 64; ++i) totals[i] += static_cast<int64_t>(static_cast<uint64_t>(value) & Mask(bits, i));
    }
  }
}

}  // namespace

int64_t MaxOfWord(const int64_t* scores, uint64_t rows) { return MaxOfWords(scores, &rows, 1); }

int64_t MaxScore(const int64_t* by_row, const base::Bitmap& rows) {
  int64_t max = std::max(int64_t{0}, MaxOfWords(by_row, rows.words(), FullWords(rows)));
  ForRest(rows, [&](size_t row) { max = std::max(max, by_row[row]); });
  return max;
}

bool AddWeighted(int64_t* totals, const int64_t* by_row, int64_t weight, const base::Bitmap& rows) {
  const auto times = static_cast<uint64_t>(weight);
  uint64_t highest = AddWords(totals, by_row, times, rows.words(), FullWords(rows));
  ForRest(rows, [&](size_t row) {
    const auto u = static_cast<uint64_t>(by_row[row]);
    highest = std::max(highest, u);
    totals[row] = Plus(totals[row], u, times);
  });
  return highest <= static_cast<uint64_t>(kMaxNodeScore);
}

bool AddNormalized(int64_t* totals, const int64_t* by_row, int64_t max, bool reverse, int64_t weight,
                   const base::Bitmap& rows) {
  bool in_range = true;
  const auto add = [&](size_t row) { in_range &= AddNormalizedOne(totals + row, by_row[row], max, reverse, weight); };
  if (max < 1 || static_cast<uint64_t>(max) > ScoreScale::kLargest) {
    rows.ForEach(add);
    return in_range;
  }
  in_range = AddScaledWords(totals, by_row, ScoreScale(static_cast<uint64_t>(max)), reverse, weight, rows.words(),
                            FullWords(rows));
  ForRest(rows, add);
  return in_range;
}

bool AllEqual(const int64_t* scores, size_t n) { return Equal(scores, n); }

void AddConstant(int64_t* totals, int64_t value, const base::Bitmap& rows) {
  AddToWords(totals, value, rows.words(), FullWords(rows));
  ForRest(rows, [&](size_t row) { totals[row] += value; });
}

Best FindBest(const int64_t* totals, const base::Bitmap& rows) {
  const size_t full = FullWords(rows);
  Best best{MaxOfWords(totals, rows.words(), full), 0};
  ForRest(rows, [&](size_t row) { best.total = std::max(best.total, totals[row]); });
  best.ties = static_cast<uint32_t>(CountInWords(totals, best.total, rows.words(), full));
  ForRest(rows, [&](size_t row) { best.ties += totals[row] == best.total; });
  return best;
}

uint32_t NthBest(const int64_t* totals, const base::Bitmap& rows, int64_t best, uint32_t k) {
  const size_t full = FullWords(rows);
  for (size_t w = 0; w < rows.n_words(); ++w) {
    if (w < full) {
      const uint64_t here = CountInWords(totals + w * 64, best, rows.words() + w, 1);
      if (here <= k) {
        k -= static_cast<uint32_t>(here);
        continue;
      }
    }
    for (uint64_t bits = rows.words()[w]; bits != 0; bits &= bits - 1) {
      const size_t row = w * 64 + static_cast<size_t>(std::countr_zero(bits));
      if (totals[row] == best && k-- == 0) return static_cast<uint32_t>(row);
    }
  }
  return 0;
}

}  // namespace berth::framework
