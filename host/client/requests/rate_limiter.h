// The client-side rate limit: clientConnection's qps and burst as a token bucket. Source: client-go/util/flowcontrol.
// Thread: one at a time; the request queue holds its lock.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/clock.h"

namespace berth::requests {

class RateLimiter {
 public:
  // qps <= 0: no limit. burst: the number of requests that may start at once after a pause, at least 1.
  RateLimiter(double qps, int burst) : qps_(qps), burst_(std::max(1, burst)), tokens_(burst_) {}

  // 0: a request may start now, and is counted. Otherwise the nanoseconds until one may start.
  int64_t Take(int64_t mono_ns) {
    if (qps_ <= 0) return 0;
    if (mono_ns > filled_) {
      tokens_ = std::min<double>(burst_, tokens_ + static_cast<double>(mono_ns - filled_) / base::kSecond * qps_);
      filled_ = mono_ns;
    }
    if (tokens_ >= 1) {
      tokens_ -= 1;
      return 0;
    }
    return std::max<int64_t>(1, static_cast<int64_t>((1 - tokens_) / qps_ * base::kSecond));
  }

  // The counted request was not sent.
  void GiveBack() { tokens_ = std::min<double>(burst_, tokens_ + 1); }

 private:
  const double qps_;
  const int burst_;
  double tokens_;
  int64_t filled_ = 0;
};

}  // namespace berth::requests
