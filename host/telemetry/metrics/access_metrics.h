// The metrics of authentication and authorization on the secure port, with the names and help texts of
// k8s.io/apiserver. Sources: pkg/endpoints/filters/metrics.go, pkg/authentication/token/cache/stats.go,
// pkg/authentication/authenticatorfactory/metrics.go, pkg/authorization/authorizerfactory/metrics.go. Thread: any.
// Ownership: the registry outlives it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "telemetry/metrics/registry.h"
#include "telemetry/metrics/series_by.h"

namespace berth::metrics {

// Requests to the API server that ask who a client is or what it may do.
class ReviewMetrics {
 public:
  // prefix: "apiserver_delegated_authn".
  ReviewMetrics(Registry& registry, const std::string& prefix);
  // status: of the reply; 0: there was none.
  void Answered(int status, double seconds);

 private:
  SeriesBy<Counter> requests_;
  SeriesBy<Histogram> seconds_;
};

class TokenCacheMetrics {
 public:
  explicit TokenCacheMetrics(Registry& registry);
  void Found(bool in_cache, double seconds);  // a lookup has ended
  void Waits(int delta);                      // a lookup waits for a review, or no longer does
  void ReviewBegins();
  void ReviewEnds(bool ok);

 private:
  SeriesBy<Counter> lookups_, reviews_;
  SeriesBy<Histogram> seconds_;
  SeriesBy<Gauge> active_;
};

class AccessMetrics {
 public:
  enum class Authentication : uint8_t { kSuccess, kFailure, kError };
  enum class Authorization : uint8_t { kAllowed, kDenied, kNoOpinion, kError };

  // Declares AccessFamilies.
  explicit AccessMetrics(Registry& registry);
  AccessMetrics(const AccessMetrics&) = delete;

  // user: of a success. The label has only classes of users.
  void Authenticated(Authentication result, std::string_view user, double seconds);
  void Authorized(Authorization result, double seconds);
  TokenCacheMetrics& tokens() { return tokens_; }
  ReviewMetrics& token_reviews() { return token_reviews_; }
  ReviewMetrics& access_reviews() { return access_reviews_; }

 private:
  SeriesBy<Counter> users_, authentications_, authorizations_;
  SeriesBy<Histogram> authentication_seconds_, authorization_seconds_;
  TokenCacheMetrics tokens_;
  ReviewMetrics token_reviews_, access_reviews_;
};

}  // namespace berth::metrics
