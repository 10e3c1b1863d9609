// How long a key waits before it is tried again: 5 ms, twice as long after each further failure, and at most a minute.
// Source: k8s.io/client-go/util/workqueue/default_rate_limiters.go ItemExponentialFailureRateLimiter. Differs: the
// original waits up to 1000 seconds, so that a status could be wrong for a quarter of an hour after the API server is
// back. Thread: one owner.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "base/clock.h"
#include "base/text_hash.h"

namespace berth::work {

class RetryDelays {
 public:
  static constexpr int64_t kFirst = 5 * base::kMillisecond, kMost = 60 * base::kSecond;

  // The key has failed: the nanoseconds until the next try.
  int64_t Next(const std::string& key) {
    constexpr int kMostDoublings = 20;  // more than from kFirst to kMost
    const int doublings = std::min(failures_[key]++, kMostDoublings);
    return std::min(kFirst << doublings, kMost);
  }
  void Forget(const std::string& key) { failures_.erase(key); }
  void Clear() { failures_.clear(); }

 private:
  base::TextMap<int> failures_;  // of keys that failed last time
};

}  // namespace berth::work
