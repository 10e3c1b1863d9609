// From costs to scores: the lowest cost becomes 100 and the highest 0. Pure; thread: any.
// Source: NormalizeScore of pkg/networkaware/networkoverhead/networkoverhead.go of kubernetes-sigs/scheduler-plugins.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>

namespace plugins::network_overhead {

// If all are equal they become 100, or stay 0.
inline void SpreadCosts(std::span<int64_t> scores) {
  int64_t low = std::numeric_limits<int64_t>::max(), high = std::numeric_limits<int64_t>::min();
  for (const int64_t score : scores) {
    low = std::min(low, score);
    high = std::max(high, score);
  }
  if (low == 0 && high == 0) return;
  const double range = static_cast<double>(static_cast<__int128>(high) - low);
  for (int64_t& score : scores) {
    const double above = static_cast<double>(static_cast<__int128>(score) - low);
    score = low == high ? 100 : 100 - static_cast<int64_t>(100.0 * above / range);
  }
}

}  // namespace plugins::network_overhead
