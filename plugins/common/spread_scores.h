// Spreads raw scores over 0..100, the smallest to 0 and the largest to 100, as several plugins of scheduler-plugins do.
// Source: NormalizeScore of pkg/noderesources/allocatable.go and pkg/podstate/pod_state.go. Thread: any.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace plugins {

// If all scores are equal, each becomes 0. Exact for every int64; upstream's product overflows from about 9.2e16 on.
inline void SpreadScores(std::span<int64_t> scores) {
  if (scores.empty()) return;
  const auto [lowest, highest] = std::minmax_element(scores.begin(), scores.end());
  const int64_t low = *lowest;
  const __int128 range = static_cast<__int128>(*highest) - low;
  for (int64_t& score : scores) {
    score = range == 0 ? 0 : static_cast<int64_t>((static_cast<__int128>(score) - low) * 100 / range);
  }
}

}  // namespace plugins
