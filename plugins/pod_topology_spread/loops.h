// The loops over the rows of a chunk that scoring consists of. Pure logic; thread: any.
#pragma once

#include <berth/domains.h>
#include <berth/hot.hpp>

#include <algorithm>
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
