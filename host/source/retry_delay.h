// How long to wait before asking again: 0.8 s, then 1.6 s, each up to twice as long by chance; forgotten after
// two minutes of peace. client-go goes on to 30 s for the sake of thousands of clients; a scheduler has a handful of
// watches, and a cluster waits for it. Source: client-go/tools/cache/reflector.go. Thread: one owner.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/clock.h"
#include "base/random.h"

namespace berth::source {

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

// What the server asks for, but never more than a minute. An API server asks for 32 s at most
// (apiserver/pkg/util/flowcontrol/dropped_requests_tracker.go). client-go has no such bound; a proxy's idea of an hour
// must not leave a scheduler blind for one.
inline int64_t RetryAfterNs(std::optional<int64_t> seconds) {
  return std::clamp<int64_t>(seconds.value_or(0), 0, 60) * base::kSecond;
}

}  // namespace berth::source
