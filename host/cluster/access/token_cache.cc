#include "cluster/access/token_cache.h"

#include <exception>
#include <random>
#include <utility>

#include "cluster/access/digest_key.h"
#include "telemetry/log/log.h"

namespace berth::access {
namespace {

std::string RandomSalt() {
  std::random_device source;
  std::string salt;
  for (int i = 0; i < 8; ++i) salt += std::to_string(source()) + ":";
  return salt;
}

}  // namespace

TokenCache::TokenCache(Review review, std::chrono::nanoseconds ttl, const base::Clock& clock, size_t limit,
                       metrics::TokenCacheMetrics* metrics)
    : review_(std::move(review)),
      ttl_ns_(ttl.count()),
      salt_(RandomSalt()),
      clock_(clock),
      metrics_(metrics),
      cache_(clock, limit) {}

// Nested, as in an HMAC: a client that knows a token and its length cannot extend the digest.
std::string TokenCache::KeyOf(const base::Secret& token) const {
  return DigestKey(salt_ + DigestKey(salt_ + token.Reveal()));
}

TokenCache::Shared TokenCache::Cached(const base::Secret& token, int64_t good_for_ns) {
  return cache_.Get(KeyOf(token), good_for_ns);
}

TokenCache::Shared TokenCache::Find(const base::Secret& token) {
  const int64_t began = clock_.MonoNs();
  const std::string key = KeyOf(token);
  Shared kept = cache_.Get(key);
  const bool hit = kept != nullptr;
  if (!hit && metrics_ != nullptr) metrics_->Waits(1);
  if (!hit) kept = FindMissing(key, token);
  if (!hit && metrics_ != nullptr) metrics_->Waits(-1);
  if (metrics_ != nullptr) metrics_->Found(hit, base::InSeconds(clock_.MonoNs() - began));
  return kept;
}

TokenCache::Shared TokenCache::FindMissing(const std::string& key, const base::Secret& token) {
  std::shared_ptr<Flight> flight;
  {
    base::MutexLock lock(mutex_);
    auto& entry = flights_[key];
    if (entry != nullptr) {
      flight = entry;
      ++waiting_;
      landed_.wait(lock, [&flight] { return flight->result != nullptr; });
      --waiting_;
      return flight->result;
    }
    entry = std::make_shared<Flight>();
  }
  return Land(key, Lead(key, token));
}

TokenCache::Shared TokenCache::Lead(const std::string& key, const base::Secret& token) {
  if (Shared kept = cache_.Get(key)) return kept;  // of a review that has just ended
  auto result = std::make_shared<const AuthenticationResult>(Reviewed(token));
  if (result->error.empty()) cache_.Put(key, result, ttl_ns_);
  return result;
}

AuthenticationResult TokenCache::Reviewed(const base::Secret& token) const {
  if (metrics_ != nullptr) metrics_->ReviewBegins();
  AuthenticationResult result = Guarded(token);
  if (metrics_ != nullptr) metrics_->ReviewEnds(result.error.empty());
  return result;
}

TokenCache::Shared TokenCache::Land(const std::string& key, Shared result) {
  base::MutexLock lock(mutex_);
  const auto found = flights_.find(key);
  found->second->result = result;
  flights_.erase(found);
  landed_.notify_all();
  return result;
}

size_t TokenCache::waiting() const {
  base::MutexLock lock(mutex_);
  return waiting_;
}

// Other callers wait for the result, so there is always one (upstream: errAuthnCrash).
AuthenticationResult TokenCache::Guarded(const base::Secret& token) const {
  try {
    return review_(token);
  } catch (const std::exception& e) {
    log::Error("Authentication failed unexpectedly", {{"err", e.what()}});
    return AuthenticationResult::Failed("authentication failed unexpectedly");
  }
}

}  // namespace berth::access
