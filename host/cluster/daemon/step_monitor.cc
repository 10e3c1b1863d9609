#include "cluster/daemon/step_monitor.h"

#include <algorithm>
#include <utility>

namespace berth::daemon {

void StepMonitor::Look(int64_t mono_ns) {
  const uint64_t steps = steps_.load(std::memory_order_relaxed);
  const int64_t passed = std::min(mono_ns - std::exchange(looked_mono_ns_, mono_ns), most_per_look_ns_);
  const bool moved = std::exchange(seen_steps_, steps) != steps;
  const bool stuck = !moved && !resting_.load(std::memory_order_relaxed);
  stuck_ns_.store(stuck ? stuck_ns() + passed : 0, std::memory_order_relaxed);
}

}  // namespace berth::daemon
