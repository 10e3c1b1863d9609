// How much CPU a pod is expected to use. Thread: any. Source: PredictUtilisation in
// pkg/trimaran/targetloadpacking/targetloadpacking.go of kubernetes-sigs/scheduler-plugins.
#pragma once

#include <berth/plugin.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "../common/bounded_amount.h"

namespace plugins::target_load_packing {

class PredictedUse {
 public:
  PredictedUse(berth::sdk::Id cpu, double multiplier, int64_t default_milli)
      : cpu_(cpu), multiplier_(multiplier), default_(Bounded(default_milli)) {}

  // In thousandths of a CPU, bounded. Init containers do not count.
  int64_t Of(const berth::sdk::Pod& pod) const {
    int64_t sum = Amount(pod.resources().overhead).value_or(0);
    for (const berth_container& container : pod.containers()) {
      if (container.kind == BERTH_CONTAINER_APP) sum = Bounded(sum + Of(container));
    }
    return sum;
  }

 private:
  // Negative with a negative multiplier, as in the original.
  static int64_t Bounded(int64_t milli) { return std::clamp(milli, -kMostAmount, kMostAmount); }
  static int64_t Rounded(double milli) {
    constexpr auto kMost = static_cast<double>(kMostAmount);
    return static_cast<int64_t>(std::round(std::clamp(milli, -kMost, kMost)));
  }

  int64_t Of(const berth_container& container) const {
    if (const auto limit = Amount(container.limits)) return *limit;
    if (const auto request = Amount(container.requests)) {
      return Rounded(static_cast<double>(*request) * multiplier_);
    }
    return default_;
  }
  std::optional<int64_t> Amount(berth::sdk::List<berth_amount> amounts) const {
    for (const berth_amount& amount : amounts) {
      if (amount.name == cpu_) return BoundedAmount(amount.value);
    }
    return std::nullopt;
  }

  const berth::sdk::Id cpu_;
  const double multiplier_;
  const int64_t default_;
};

}  // namespace plugins::target_load_packing
