// Finds out whether the scheduling thread is stuck in a step. Another thread looks at regular times and counts the
// looks without progress. While the whole process is stopped (SIGSTOP, a frozen cgroup), there are no looks, so that
// time does not count.
//
// Thread: the scheduling thread for Step and Rest, one other thread for Look, any for stuck_ns.
#pragma once

#include <atomic>
#include <cstdint>

namespace berth::daemon {

class StepMonitor {
 public:
  // most_per_look_ns: the longest time that may count between two looks; more than their usual interval.
  explicit StepMonitor(int64_t most_per_look_ns) : most_per_look_ns_(most_per_look_ns) {}

  void Step() {  // a step begins
    steps_.store(steps_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    resting_.store(false, std::memory_order_relaxed);
  }
  void Rest() { resting_.store(true, std::memory_order_relaxed); }  // no work until the next step

  void Look(int64_t mono_ns);
  // How long the current step has taken so far; 0: it has just begun, or there is none.
  int64_t stuck_ns() const { return stuck_ns_.load(std::memory_order_relaxed); }

 private:
  const int64_t most_per_look_ns_;
  std::atomic<uint64_t> steps_{0};  // begun
  std::atomic<bool> resting_{true};
  uint64_t seen_steps_ = 0;  // at the last look
  int64_t looked_mono_ns_ = 0;
  std::atomic<int64_t> stuck_ns_{0};
};

}  // namespace berth::daemon
