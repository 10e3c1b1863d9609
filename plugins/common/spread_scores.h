// Spreads raw scores over 0..100, the smallest to 0 and the largest to 100, as several plugins of scheduler-plugins do.
// Source: NormalizeScore of pkg/noderesources/allocatable.go and pkg/podstate/pod_state.go. Thread: any.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace plugins {

// What percentage of a range an offset is, cut to a whole number: 100 * offset / range without a division, which would
// take most of the time of a cluster with thousands of nodes.
class Percentage {
 public:
  explicit Percentage(uint64_t range) : range_(range), scale_(100. / static_cast<double>(range)) {}

  // offset: at most the range.
  int64_t Of(uint64_t offset) const {
    if (range_ > UINT64_MAX / 128) return static_cast<int64_t>(static_cast<unsigned __int128>(offset) * 100 / range_);
    const uint64_t product = offset * 100;
    uint64_t percent = static_cast<uint64_t>(static_cast<double>(offset) * scale_);  // may be wrong by one
    if (percent * range_ > product) {
      --percent;
    } else if (product - percent * range_ >= range_) {
      ++percent;
    }
    return static_cast<int64_t>(percent);
  }

 private:
  uint64_t range_;
  double scale_;
};

// If all scores are equal, each becomes 0. Exact for every int64; upstream's product overflows from about 9.2e16 on.
inline void SpreadScores(std::span<int64_t> scores) {
  if (scores.empty()) return;
  const auto [lowest, highest] = std::minmax_element(scores.begin(), scores.end());
  const auto low = static_cast<uint64_t>(*lowest);
  if (*lowest == *highest) return std::fill(scores.begin(), scores.end(), 0);
  const Percentage percentage(static_cast<uint64_t>(*highest) - low);
  for (int64_t& score : scores) score = percentage.Of(static_cast<uint64_t>(score) - low);
}

}  // namespace plugins
