// Notices that the scheduling thread is stuck in a step. It counts the looks at which nothing has moved instead of
// comparing times: while the whole process is stopped (SIGSTOP, a frozen cgroup) nobody looks, so that the time of the
// stop does not count.
//
// Thread: Step and Rest by the scheduling thread, Look by one other thread at regular times, stuck_ns by any.
#pragma once

#include <atomic>
#include <cstdint>

namespace berth::daemon {

class StepMonitor {
 public:
  // most_per_look_ns: how much of the time between two looks counts; more than their usual distance.
  explicit StepMonitor(int64_t most_per_look_ns) : most_per_look_ns_(most_per_look_ns) {}

  void Step() {  // a step begins
    steps_.store(steps_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    resting_.store(false, std::memory_order_relaxed);
  }
  void Rest() { resting_.store(true, std::memory_order_relaxed); }  // there is no work until the next step

  void Look(int64_t mono_ns);
  // For how long the step that is under way has been seen; 0: it has just begun, or the thread rests.
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
