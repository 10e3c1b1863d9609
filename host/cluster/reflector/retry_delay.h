// The delay before the next try: 0.8 s, then 1.6 s, each multiplied by a random factor of up to 2. It is reset after
// two minutes without a failure. client-go increases its delay to 30 s because it has thousands of clients. A scheduler
// has only a few watches, and the cluster depends on it. Source: k8s.io/client-go/tools/cache/reflector.go. Thread: one
// owner.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/clock.h"
#include "base/random.h"

namespace berth::reflector {

class RetryDelay {
 public:
  // ns
  explicit RetryDelay(int64_t first = 800 * base::kMillisecond, int64_t most = 1600 * base::kMillisecond)
      : first_(first), most_(most) {}
  // ns to wait now.
  int64_t Next(int64_t mono_ns, base::Random& random) {
    if (last_ != 0 && mono_ns - last_ > 120 * base::kSecond) base_ = first_;
    last_ = mono_ns;
    const int64_t delay = base_ + static_cast<int64_t>(random.Below(static_cast<uint64_t>(base_)));
    base_ = std::min(2 * base_, most_);
    return delay;
  }
  void Reset() { base_ = first_; }

 private:
  int64_t first_, most_;
  int64_t base_ = first_, last_ = 0;
};

// The delay that the server requests, but at most a minute. An API server requests at most 32 s
// (k8s.io/apiserver/pkg/util/flowcontrol/dropped_requests_tracker.go). client-go has no limit, but a proxy that
// requests an hour must not stop the scheduler's watches for an hour.
inline int64_t RetryAfterNs(std::optional<int64_t> seconds) {
  return std::clamp<int64_t>(seconds.value_or(0), 0, 60) * base::kSecond;
}

}  // namespace berth::reflector
