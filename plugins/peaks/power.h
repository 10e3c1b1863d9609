// How much more power a node uses with a pod, and scores of it. Pure; thread: any. Source: pkg/trimaran/peaks/peaks.go
// of kubernetes-sigs/scheduler-plugins.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "args.h"

namespace plugins::peaks {

// The raw score of a node whose load is unknown, or whose CPU is insufficient.
inline constexpr int64_t kNoCost = std::numeric_limits<int64_t>::min();

// The cost of 10^-15 watts is 1.
inline int64_t CostOf(double watts) {
  constexpr double kMost = 9.2e18;
  const double cost = watts * 1e15;
  return std::isnan(cost) ? 0 : static_cast<int64_t>(std::clamp(cost, -kMost, kMost));
}

// The data of a row that Score reads.
struct RowPower {
  bool known = false;
  double capacity = 0, used = 0;   // thousandths of a CPU
  double k1 = 0, k2 = 0, now = 0;  // now: e^(k2 * the percentage in use)

  static RowPower Of(double percent, double capacity, const PowerModel& model) {
    return {true, capacity, percent / 100 * capacity, model.k1, model.k2, std::exp(model.k2 * percent)};
  }
  int64_t CostWith(double milli) const {
    if (!known) return kNoCost;
    const double percent = capacity == 0 ? 0 : 100 * (used + milli) / capacity;
    if (percent > 100) return kNoCost;
    return CostOf(k1 * (std::exp(k2 * percent) - now));
  }
};

// The cheapest node gets 100, the most expensive 0, and a node without a cost 0.
inline void ScoreByCost(std::span<int64_t> costs) {
  int64_t low = std::numeric_limits<int64_t>::max(), high = kNoCost;
  for (const int64_t cost : costs) {
    if (cost == kNoCost) continue;
    low = std::min(low, cost);
    high = std::max(high, cost);
  }
  const bool free = low == 0 && high == 0;
  const auto apart = [](int64_t more, int64_t less) {  // as uint64, which holds the difference of any two int64
    return static_cast<double>(static_cast<uint64_t>(more) - static_cast<uint64_t>(less));
  };
  for (int64_t& cost : costs) {
    if (cost == kNoCost || free) {
      cost = 0;
    } else {
      cost = 100 - static_cast<int64_t>(high == low ? 0 : 100 * apart(cost, low) / apart(high, low));
    }
  }
}

}  // namespace plugins::peaks
