#include "telemetry/metrics/access_metrics.h"

#include <array>
#include <cmath>

#include "telemetry/metrics/kube_families.h"

namespace berth::metrics {
namespace {

constexpr std::array<const char*, 3> kAuthentications{"success", "failure", "error"};
constexpr std::array<const char*, 4> kAuthorizations{"allowed", "denied", "no-opinion", "error"};

// compressUsername of pkg/endpoints/filters/metrics.go
std::string_view ClassOf(std::string_view user) {
  for (const std::string_view known :
       {"admin", "client", "kube_proxy", "kubelet", "system:serviceaccount:kube-system:default"}) {
    if (user == known) return user;
  }
  return user.find('@') != user.npos ? "email_id" : "other";
}

}  // namespace

ReviewMetrics::ReviewMetrics(Registry& registry, const std::string& prefix)
    : requests_(registry, prefix + "_request_total", {"code"}),
      seconds_(registry, prefix + "_request_duration_seconds", {"code"}) {}

void ReviewMetrics::Answered(int status, double seconds) {
  const std::string code = status == 0 ? "<error>" : std::to_string(status);
  requests_.At({code}).Increment();
  seconds_.At({code}).Observe(seconds);
}

TokenCacheMetrics::TokenCacheMetrics(Registry& registry)
    : lookups_(registry, "authentication_token_cache_request_total", {"status"}),
      reviews_(registry, "authentication_token_cache_fetch_total", {"status"}),
      seconds_(registry, "authentication_token_cache_request_duration_seconds", {"status"}),
      active_(registry, "authentication_token_cache_active_fetch_count", {"status"}) {}

void TokenCacheMetrics::Found(bool in_cache, double seconds) {
  const char* status = in_cache ? "hit" : "miss";
  lookups_.At({status}).Increment();
  seconds_.At({status}).Observe(std::floor(seconds * 1000) / 1000);  // upstream counts whole milliseconds
}

void TokenCacheMetrics::Waits(int delta) { active_.At({"blocked"}).Add(delta); }

void TokenCacheMetrics::ReviewBegins() { active_.At({"in_flight"}).Add(1); }

void TokenCacheMetrics::ReviewEnds(bool ok) {
  active_.At({"in_flight"}).Add(-1);
  reviews_.At({ok ? "ok" : "error"}).Increment();
}

namespace {

Registry& WithAccessFamilies(Registry& registry) {
  registry.Declare(AccessFamilies());
  return registry;
}

}  // namespace

AccessMetrics::AccessMetrics(Registry& registry)
    : users_(WithAccessFamilies(registry), "authenticated_user_requests", {"username"}),
      authentications_(registry, "authentication_attempts", {"result"}),
      authorizations_(registry, "authorization_attempts_total", {"result"}),
      authentication_seconds_(registry, "authentication_duration_seconds", {"result"}),
      authorization_seconds_(registry, "authorization_duration_seconds", {"result"}),
      tokens_(registry),
      token_reviews_(registry, "apiserver_delegated_authn"),
      access_reviews_(registry, "apiserver_delegated_authz") {}

void AccessMetrics::Authenticated(Authentication result, std::string_view user, double seconds) {
  const char* label = kAuthentications[static_cast<size_t>(result)];
  if (result == Authentication::kSuccess) users_.At({ClassOf(user)}).Increment();
  authentications_.At({label}).Increment();
  authentication_seconds_.At({label}).Observe(seconds);
}

void AccessMetrics::Authorized(Authorization result, double seconds) {
  const char* label = kAuthorizations[static_cast<size_t>(result)];
  authorizations_.At({label}).Increment();
  authorization_seconds_.At({label}).Observe(seconds);
}

}  // namespace berth::metrics
