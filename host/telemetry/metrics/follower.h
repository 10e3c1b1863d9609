// A counter that follows a number that only grows and that other code counts. Thread: one at a time.
#pragma once

#include <algorithm>

#include "telemetry/metrics/registry.h"

namespace berth::metrics {

class Follower {
 public:
  explicit Follower(Counter counter) : counter_(counter) {}
  // A smaller number than before changes nothing.
  void Follow(double value) {
    if (value > last_) counter_.Increment(value - last_);
    last_ = std::max(last_, value);
  }

 private:
  Counter counter_;
  double last_ = 0;
};

}  // namespace berth::metrics
