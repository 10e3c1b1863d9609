// The loops over the rows of a chunk that scoring consists of. Pure logic; thread: any.
#pragma once

#include <berth/domains.h>
#include <berth/hot.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "../common/go_log.h"
#include "../common/percent_of.h"

namespace plugins::spread {

// Adds the worth of each row's cell. worth[0] is for rows without the key.
BERTH_HOT inline void AddWorthOfCells(const uint32_t* domains, const double* worth, size_t n, double* sums) {
  for (size_t i = 0; i < n; ++i) sums[i] += worth[domains[i] + 1u];
}
// Adds what each row's own number of pods is worth, if the row has the key.
BERTH_HOT inline void AddWorthOfRows(const uint32_t* domains, const int32_t* pods, double each, double always, size_t n,
                                     double* sums) {
  for (size_t i = 0; i < n; ++i) {
    const double one = static_cast<double>(pods[i]) * each + always;
    sums[i] += domains[i] != BERTH_NO_DOMAIN ? one : 0.0;
  }
}
BERTH_HOT inline void AddWorthOfEmptyRows(const uint32_t* domains, double always, size_t n, double* sums) {
  for (size_t i = 0; i < n; ++i) sums[i] += domains[i] != BERTH_NO_DOMAIN ? always : 0.0;
}
BERTH_HOT inline void RoundAll(const double* sums, size_t n, int64_t* out) {
  for (size_t i = 0; i < n; ++i) out[i] = GoRound(sums[i]);
}

inline constexpr size_t kChunk = 256;  // rows scored at once, on the stack

// The pairs (domain, pods of the node) that exist: bit p of numbers[d] means p pods, and kManyPods means more.
inline constexpr uint32_t kPairDomains = 4, kManyPods = uint32_t{1} << 31;
using PodNumbers = std::array<uint32_t, kPairDomains>;
// Adds the pairs of rows. Other domains are ignored.
BERTH_HOT inline void NotePairs(const uint32_t* domains, const int32_t* pods, size_t n, uint32_t* numbers) {
  uint32_t a = 0, b = 0, c = 0, d = 0;
  for (size_t i = 0; i < n; ++i) {
    const uint32_t bit = 1u << std::min(static_cast<uint32_t>(pods[i]), 31u);
    a |= bit & -static_cast<uint32_t>(domains[i] == 0);
    b |= bit & -static_cast<uint32_t>(domains[i] == 1);
    c |= bit & -static_cast<uint32_t>(domains[i] == 2);
    d |= bit & -static_cast<uint32_t>(domains[i] == 3);
  }
  numbers[0] |= a, numbers[1] |= b, numbers[2] |= c, numbers[3] |= d;
}
// At most 64 domains: those of rows whose bits are not set become none.
BERTH_HOT inline void PickDomains(const uint32_t* domains, size_t n, uint64_t bits, uint32_t* out) {
  for (size_t i = 0; i < n; ++i) out[i] = (bits >> i & 1) != 0 ? domains[i] : BERTH_NO_DOMAIN;
}
// The score of each row: the byte of its domain's scores that belongs to its pods, from `least` to least + 3.
inline constexpr uint32_t kPairNumbers = 4;
BERTH_HOT inline void ScoresOfPairs(const uint32_t* domains, const int32_t* pods, size_t n, int32_t least,
                                    const uint32_t* scores, int64_t* out) {
  const uint32_t a = scores[0], b = scores[1], c = scores[2], d = scores[3];
  for (size_t i = 0; i < n; ++i) {
    uint32_t mine = a;
    mine = domains[i] == 1 ? b : mine;
    mine = domains[i] == 2 ? c : mine;
    mine = domains[i] == 3 ? d : mine;
    out[i] = mine >> static_cast<uint32_t>(pods[i] - least) % kPairNumbers * 8 & 0xff;
  }
}

// The lowest raw score, and the highest or 0.
struct ScoreRange {
  int64_t least = std::numeric_limits<int64_t>::max(), most = 0;
};
BERTH_HOT inline ScoreRange RangeOf(const int64_t* scores, size_t n) {
  auto [least, most] = ScoreRange{};
  for (size_t i = 0; i < n; ++i) {
    least = std::min(least, scores[i]);
    most = std::max(most, scores[i]);
  }
  return {least, most};
}

// 100 * (most + least - score) / most.
inline int64_t Flipped(const ScoreRange& range, int64_t score) {
  return range.most == 0 ? 100 : 100 * (range.most + range.least - score) / range.most;
}
// The same for all scores of the range, of which most is in 1..PercentOf::kLargest and least is not negative.
BERTH_HOT inline void FlipAll(const ScoreRange& range, int64_t* io, size_t n) {
  const PercentOf percent(static_cast<uint64_t>(range.most));
  const auto ends = static_cast<uint64_t>(range.most) + static_cast<uint64_t>(range.least);
  for (size_t i = 0; i < n; ++i) io[i] = static_cast<int64_t>(percent(ends - static_cast<uint64_t>(io[i])));
}

}  // namespace plugins::spread
