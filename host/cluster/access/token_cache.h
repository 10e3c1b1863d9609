// The users of bearer tokens, for a while: one review per token at a time, whose result all callers share. Errors are
// not kept; users and refusals without an error are. Source: k8s.io/apiserver pkg/authentication/token/cache
// (cachedTokenAuthenticator). Differs from it: the number of tokens is limited. Keys are keyed digests, so the cache
// holds no token. Thread: any, concurrently. Ownership: the clock outlives it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>

#include "base/clock.h"
#include "base/secret.h"
#include "base/thread_annotations.h"
#include "cluster/access/authentication_result.h"
#include "cluster/access/expiring_cache.h"
#include "telemetry/metrics/access_metrics.h"

namespace berth::access {

class TokenCache {
 public:
  using Review = std::function<AuthenticationResult(const base::Secret& token)>;
  using Shared = std::shared_ptr<const AuthenticationResult>;
  static constexpr size_t kLimit = 4096;  // tokens

  // review: called without locks, at most once at a time for a token. ttl 0: nothing is kept. metrics: may be null, and
  // outlive the object.
  TokenCache(Review review, std::chrono::nanoseconds ttl, const base::Clock& clock, size_t limit = kLimit,
             metrics::TokenCacheMetrics* metrics = nullptr);

  // Never null. Blocks as long as a review.
  Shared Find(const base::Secret& token);
  // null: no result that is kept for another good_for_ns.
  Shared Cached(const base::Secret& token, int64_t good_for_ns);
  size_t size() const { return cache_.size(); }
  // Callers of Find that wait for the review of another caller.
  size_t waiting() const;

 private:
  struct Flight {
    Shared result;  // null until the review has ended
  };
  std::string KeyOf(const base::Secret& token) const;
  Shared FindMissing(const std::string& key, const base::Secret& token);
  Shared Lead(const std::string& key, const base::Secret& token);
  AuthenticationResult Reviewed(const base::Secret& token) const;
  Shared Land(const std::string& key, Shared result);
  AuthenticationResult Guarded(const base::Secret& token) const;

  const Review review_;
  const int64_t ttl_ns_;
  const std::string salt_;  // random
  const base::Clock& clock_;
  metrics::TokenCacheMetrics* const metrics_;
  ExpiringCache<AuthenticationResult> cache_;
  mutable base::Mutex mutex_;
  size_t waiting_ GUARDED_BY(mutex_) = 0;
  base::Condition landed_;
  std::unordered_map<std::string, std::shared_ptr<Flight>> flights_ GUARDED_BY(mutex_);  // one per waiting request
};

}  // namespace berth::access
