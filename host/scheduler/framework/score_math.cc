#include "scheduler/framework/score_math.h"

#include <algorithm>
#include <limits>

// The loops use the widest vectors of the machine. Sanitizers do not support the resolvers that this needs.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define BERTH_WIDE __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default"), optimize("O3")))
#else
#define BERTH_WIDE
#endif

namespace berth::framework {
namespace {

// block(first_row) for words of 64 feasible rows, one(row) for the others.
template <class Block, class One>
inline void ForRows(const base::Bitmap& rows, Block&& block, One&& one) {
  for (size_t w = 0; w < rows.n_words(); ++w) {
    uint64_t bits = rows.words()[w];
    if (bits == ~uint64_t{0}) {
      block(w * 64);
      continue;
    }
    for (; bits != 0; bits &= bits - 1) one(w * 64 + static_cast<size_t>(std::countr_zero(bits)));
  }
}

BERTH_WIDE int64_t MaxOf64(const int64_t* v) {
  int64_t max = std::numeric_limits<int64_t>::min();
  for (size_t i = 0; i < 64; ++i) max = v[i] > max ? v[i] : max;
  return max;
}

BERTH_WIDE uint64_t AddWeighted64(int64_t* __restrict totals, const int64_t* __restrict v, int64_t weight) {
  uint64_t highest = 0;  // as unsigned: above 100 for every value out of range
  for (size_t i = 0; i < 64; ++i) {
    const uint64_t u = static_cast<uint64_t>(v[i]);
    highest = u > highest ? u : highest;
    totals[i] = static_cast<int64_t>(static_cast<uint64_t>(totals[i]) + u * static_cast<uint64_t>(weight));
  }
  return highest;
}

BERTH_WIDE uint32_t CountEqual64(const int64_t* v, int64_t value) {
  uint32_t n = 0;
  for (size_t i = 0; i < 64; ++i) n += v[i] == value;
  return n;
}

}  // namespace

int64_t MaxScore(const int64_t* by_row, const base::Bitmap& rows) {
  int64_t max = 0;
  ForRows(
      rows, [&](size_t first) { max = std::max(max, MaxOf64(by_row + first)); },
      [&](size_t row) { max = std::max(max, by_row[row]); });
  return max;
}

bool AddWeighted(int64_t* totals, const int64_t* by_row, int64_t weight, const base::Bitmap& rows) {
  uint64_t highest = 0;
  ForRows(
      rows, [&](size_t first) { highest = std::max(highest, AddWeighted64(totals + first, by_row + first, weight)); },
      [&](size_t row) {
        const uint64_t u = static_cast<uint64_t>(by_row[row]);
        highest = std::max(highest, u);
        totals[row] = static_cast<int64_t>(static_cast<uint64_t>(totals[row]) + u * static_cast<uint64_t>(weight));
      });
  return highest <= static_cast<uint64_t>(kMaxNodeScore);
}

bool AddNormalized(int64_t* totals, const int64_t* by_row, int64_t max, bool reverse, int64_t weight,
                   const base::Bitmap& rows) {
  // Most maxima are small counts: divide once for each possible score instead of once for each row.
  constexpr int64_t kTable = 256;
  int64_t table[kTable];
  const int64_t known = max < kTable ? max + 1 : 0;
  for (int64_t s = 0; s < known; ++s) table[s] = NormalizeOne(s, max, reverse);
  bool in_range = true;
  rows.ForEach([&](uint32_t row) {
    const int64_t raw = by_row[row];
    const int64_t score = raw >= 0 && raw < known ? table[raw] : NormalizeOne(raw, max, reverse);
    in_range = in_range && score >= kMinNodeScore && score <= kMaxNodeScore;
    totals[row] = static_cast<int64_t>(static_cast<uint64_t>(totals[row]) +
                                       static_cast<uint64_t>(score) * static_cast<uint64_t>(weight));
  });
  return in_range;
}

bool AllEqual(const int64_t* by_row, int64_t value, const base::Bitmap& rows) {
  for (size_t w = 0; w < rows.n_words(); ++w) {
    uint64_t bits = rows.words()[w];
    if (bits == ~uint64_t{0}) {
      if (CountEqual64(by_row + w * 64, value) != 64) return false;
      continue;
    }
    for (; bits != 0; bits &= bits - 1) {
      if (by_row[w * 64 + static_cast<size_t>(std::countr_zero(bits))] != value) return false;
    }
  }
  return true;
}

void AddConstant(int64_t* totals, int64_t value, const base::Bitmap& rows) {
  ForRows(
      rows,
      [&](size_t first) {
        for (size_t i = 0; i < 64; ++i) totals[first + i] += value;
      },
      [&](size_t row) { totals[row] += value; });
}

Best FindBest(const int64_t* totals, const base::Bitmap& rows) {
  Best best{std::numeric_limits<int64_t>::min(), 0};
  ForRows(
      rows, [&](size_t first) { best.total = std::max(best.total, MaxOf64(totals + first)); },
      [&](size_t row) { best.total = std::max(best.total, totals[row]); });
  ForRows(
      rows, [&](size_t first) { best.ties += CountEqual64(totals + first, best.total); },
      [&](size_t row) { best.ties += totals[row] == best.total; });
  return best;
}

uint32_t NthBest(const int64_t* totals, const base::Bitmap& rows, int64_t best, uint32_t k) {
  for (size_t w = 0; w < rows.n_words(); ++w) {
    if (rows.words()[w] == ~uint64_t{0}) {
      const uint32_t here = CountEqual64(totals + w * 64, best);
      if (here <= k) {
        k -= here;
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
