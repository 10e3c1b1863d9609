#include "telemetry/metrics/kube_families.h"

namespace berth::metrics {
namespace {

// prometheus.DefBuckets
const std::vector<double> kDefaultBuckets{0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10};
const std::vector<double> kReviewBuckets{0.25, 0.5, 0.7, 1, 1.5, 3, 5, 10};

}  // namespace

const std::vector<Family>& AccessFamilies() {
  static const std::vector<Family> all{
      {"authenticated_user_requests",
       Kind::kCounter,
       Stability::kAlpha,
       {"username"},
       "Counter of authenticated requests broken out by username.",
       {}},
      {"authentication_attempts",
       Kind::kCounter,
       Stability::kAlpha,
       {"result"},
       "Counter of authenticated attempts.",
       {}},
      {"authentication_duration_seconds",
       Kind::kHistogram,
       Stability::kAlpha,
       {"result"},
       "Authentication duration in seconds broken out by result.",
       ExponentialBuckets(0.001, 2, 15)},
      {"authorization_attempts_total",
       Kind::kCounter,
       Stability::kAlpha,
       {"result"},
       "Counter of authorization attempts broken down by result. It can be either 'allowed', 'denied', 'no-opinion' or "
       "'error'.",
       {}},
      {"authorization_duration_seconds",
       Kind::kHistogram,
       Stability::kAlpha,
       {"result"},
       "Authorization duration in seconds broken out by result.",
       ExponentialBuckets(0.001, 2, 15)},
      {"authentication_token_cache_request_duration_seconds",
       Kind::kHistogram,
       Stability::kAlpha,
       {"status"},
       "",
       kDefaultBuckets},
      {"authentication_token_cache_request_total", Kind::kCounter, Stability::kAlpha, {"status"}, "", {}},
      {"authentication_token_cache_fetch_total", Kind::kCounter, Stability::kAlpha, {"status"}, "", {}},
      {"authentication_token_cache_active_fetch_count", Kind::kGauge, Stability::kAlpha, {"status"}, "", {}},
      {"apiserver_delegated_authn_request_total",
       Kind::kCounter,
       Stability::kAlpha,
       {"code"},
       "Number of HTTP requests partitioned by status code.",
       {}},
      {"apiserver_delegated_authn_request_duration_seconds",
       Kind::kHistogram,
       Stability::kAlpha,
       {"code"},
       "Request latency in seconds. Broken down by status code.",
       kReviewBuckets},
      {"apiserver_delegated_authz_request_total",
       Kind::kCounter,
       Stability::kAlpha,
       {"code"},
       "Number of HTTP requests partitioned by status code.",
       {}},
      {"apiserver_delegated_authz_request_duration_seconds",
       Kind::kHistogram,
       Stability::kAlpha,
       {"code"},
       "Request latency in seconds. Broken down by status code.",
       kReviewBuckets},
  };
  return all;
}

}  // namespace berth::metrics
