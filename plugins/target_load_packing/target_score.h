// The score of a node by the share of its CPU that is used when the pod runs there. Pure; thread: any. Source: Score in
// pkg/trimaran/targetloadpacking/targetloadpacking.go of kubernetes-sigs/scheduler-plugins.
#pragma once

#include <cmath>
#include <cstdint>

namespace plugins::target_load_packing {

// Up to the target, higher use gives a higher score. Above it, lower use does, but less than any use below the target.
inline int64_t TargetScore(double percent, double target) {
  if (percent > 100) return 0;
  if (percent > target) return static_cast<int64_t>(std::round(target * (100 - percent) / (100 - target)));
  return static_cast<int64_t>(std::round((100 - target) * percent / target + target));
}

// The data of a row that Score reads, in thousandths of a CPU.
struct RowLoad {
  bool known = false;
  double capacity = 0, used = 0, missing = 0;

  double PercentWith(double pod) const { return capacity == 0 ? 0 : 100 * (used + pod + missing) / capacity; }
};

}  // namespace plugins::target_load_packing
