// From the values of nodes to scores from 0 to 100. Pure; thread: any. Source: sigs.k8s.io/scheduler-plugins
// pkg/nodemetadata/node_metadata.go.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>

namespace plugins::node_metadata {

// The raw score of a node whose value is missing or cannot be read.
inline constexpr int64_t kInvalid = std::numeric_limits<int64_t>::min();

// The age of a time, in whole seconds cut towards zero; at most 292 years, as in Go. Both in microseconds since 1970.
inline int64_t AgeSeconds(int64_t now, int64_t time) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max() / 1000;  // of Go's nanoseconds
  return std::clamp(now - time, -kMost, kMost) / 1'000'000;
}

// Valid scores are spread over 1..100, or are all 1 if they are equal. Invalid ones become 0.
inline void SpreadValid(std::span<int64_t> scores) {
  int64_t low = std::numeric_limits<int64_t>::max(), high = kInvalid;
  for (const int64_t score : scores) {
    if (score == kInvalid) continue;
    low = std::min(low, score);
    high = std::max(high, score);
  }
  const __int128 range = static_cast<__int128>(high) - low;
  for (int64_t& score : scores) {
    if (score == kInvalid) {
      score = 0;
    } else {
      score = 1 + (range == 0 ? 0 : static_cast<int64_t>((static_cast<__int128>(score) - low) * 99 / range));
    }
  }
}

}  // namespace plugins::node_metadata
