#include "telemetry/metrics/access_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::metrics {
namespace {

using testing::HasSubstr;
using testing::Not;
using Authentication = AccessMetrics::Authentication;
using Authorization = AccessMetrics::Authorization;

TEST(AccessMetrics, CountAuthenticationsByResultAndClassOfUser) {
  Registry registry;
  AccessMetrics metrics(registry);
  metrics.Authenticated(Authentication::kSuccess, "kubelet", 0.0015);
  metrics.Authenticated(Authentication::kSuccess, "jane@example.com", 0);
  metrics.Authenticated(Authentication::kSuccess, "system:serviceaccount:blue:default", 0);
  metrics.Authenticated(Authentication::kError, "", 0);
  const std::string text = registry.Text();
  for (const char* line :
       {"authenticated_user_requests{username=\"kubelet\"} 1\n",
        "authenticated_user_requests{username=\"email_id\"} 1\n", "authenticated_user_requests{username=\"other\"} 1\n",
        "authentication_attempts{result=\"success\"} 3\n", "authentication_attempts{result=\"error\"} 1\n",
        "authentication_duration_seconds_bucket{result=\"success\",le=\"0.001\"} 2\n",
        "authentication_duration_seconds_bucket{result=\"success\",le=\"0.002\"} 3\n"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
  EXPECT_THAT(text, Not(HasSubstr("jane")));
}

TEST(AccessMetrics, CountAuthorizationsByResult) {
  Registry registry;
  AccessMetrics metrics(registry);
  metrics.Authorized(Authorization::kAllowed, 0);
  metrics.Authorized(Authorization::kNoOpinion, 0);
  const std::string text = registry.Text();
  EXPECT_THAT(text, HasSubstr("authorization_attempts_total{result=\"allowed\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("authorization_duration_seconds_count{result=\"no-opinion\"} 1\n"));
}

TEST(AccessMetrics, CountLookupsOfTokens) {
  Registry registry;
  AccessMetrics metrics(registry);
  metrics.tokens().Waits(1);
  metrics.tokens().ReviewBegins();
  EXPECT_THAT(registry.Text(), HasSubstr("authentication_token_cache_active_fetch_count{status=\"blocked\"} 1\n"));
  EXPECT_THAT(registry.Text(), HasSubstr("authentication_token_cache_active_fetch_count{status=\"in_flight\"} 1\n"));
  metrics.tokens().ReviewEnds(true);
  metrics.tokens().Waits(-1);
  metrics.tokens().Found(false, 0.0129);
  const std::string text = registry.Text();
  for (const char* line : {"authentication_token_cache_active_fetch_count{status=\"blocked\"} 0\n",
                           "authentication_token_cache_active_fetch_count{status=\"in_flight\"} 0\n",
                           "authentication_token_cache_fetch_total{status=\"ok\"} 1\n",
                           "authentication_token_cache_request_total{status=\"miss\"} 1\n",
                           "authentication_token_cache_request_duration_seconds_sum{status=\"miss\"} 0.012\n"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

TEST(AccessMetrics, CountReviewsByCode) {
  Registry registry;
  AccessMetrics metrics(registry);
  metrics.token_reviews().Answered(201, 0.3);
  metrics.access_reviews().Answered(0, 11);
  const std::string text = registry.Text();
  EXPECT_THAT(text, HasSubstr("apiserver_delegated_authn_request_total{code=\"201\"} 1\n"));
  EXPECT_THAT(text,
              HasSubstr("apiserver_delegated_authn_request_duration_seconds_bucket{code=\"201\",le=\"0.5\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("apiserver_delegated_authz_request_total{code=\"<error>\"} 1\n"));
}

}  // namespace
}  // namespace berth::metrics
