// The risk of a resource of a node: how far limits exceed the capacity, and how likely its pods use more than they
// request. Pure; thread: any. Source: computeRisk in pkg/trimaran/lowriskovercommitment/lowriskovercommitment.go and
// GetNodeRequestsAndLimits in pkg/trimaran/resourcestats.go of kubernetes-sigs/scheduler-plugins.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "../trimaran_common/resource_stats.h"
#include "beta.h"

namespace plugins::low_risk {

// One resource of a node: the requests and limits of its pods, and its capacity.
struct Commitment {
  int64_t request = 0, limit = 0, capacity = 0;
};

// How far the limits exceed the capacity, relative to how far they exceed the requests. `commitment` has the new pod.
inline double LimitRisk(const Commitment& commitment) {
  if (commitment.limit <= commitment.capacity) return 0;
  const int64_t request = std::min(commitment.request, commitment.capacity);
  return static_cast<double>(commitment.limit - commitment.capacity) / static_cast<double>(commitment.limit - request);
}

// How likely the pods use more than they request, within their limits. `before` does not include the new pod. windows:
// over how many values the average is smoothed.
inline double LoadRisk(trimaran::MuSigma use, int64_t windows, const Commitment& before) {
  const auto capacity = static_cast<double>(before.capacity);
  const int64_t request = std::min(before.request, before.capacity);
  const double sigma =
      std::min(use.sigma * std::sqrt(static_cast<double>(windows)), std::sqrt(MostVariance(use.mu) * 0.99));
  const double share = before.capacity > 0 ? std::clamp(static_cast<double>(request) / capacity, 0., 1.) : 0;
  auto [likely, fitted] = UseAtMost(use.mu, sigma, share);
  if (before.limit < before.capacity && request <= before.limit) {
    const double limit = static_cast<double>(before.limit) / capacity;
    const double possible = fitted ? fitted->Below(limit) : 0;
    if (limit == 0) {
      likely = 1;
    } else if (possible > 0) {
      likely = std::clamp(likely / possible, 0., 1.);
    }
  }
  return 1 - likely;
}

// limit_weight: from 0 to 1.
inline double TotalRisk(double limit_risk, double load_risk, double limit_weight) {
  return std::clamp(limit_weight * limit_risk + (1 - limit_weight) * load_risk, 0., 1.);
}

}  // namespace plugins::low_risk
