#include "cluster/access/access_filter.h"

#include <strings.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/text.h"
#include "cluster/access/refusal.h"
#include "codec/text/percent.h"
#include "telemetry/log/log.h"

namespace berth::access {
namespace {

// Between IsPrompt and Serve an answer must not expire.
constexpr int64_t kGoodFor = base::kSecond;

// RequestInfoFactory.NewRequestInfo for a non-resource request.
std::string VerbOf(const std::string& method) { return base::Lower(method); }

// WithCacheControl: unless the handler has set it.
http::Answer WithCacheControl(http::Answer answer) {
  const bool has = std::any_of(answer.headers.begin(), answer.headers.end(), [](const auto& header) {
    return strcasecmp(header.first.c_str(), "Cache-Control") == 0;
  });
  if (!has) answer.headers.emplace_back("Cache-Control", "no-cache, private");
  return answer;
}

}  // namespace

// recordAuthenticationMetrics of pkg/endpoints/filters/metrics.go
AuthenticationResult Filter::Authenticated(const http::Incoming& request) const {
  using Result = metrics::AccessMetrics::Authentication;
  const int64_t began = base::RealClock().MonoNs();
  AuthenticationResult outcome = authentication_.Authenticate(request);
  if (metrics_ == nullptr) return outcome;
  const Result result = !outcome.error.empty() ? Result::kError : outcome.user ? Result::kSuccess : Result::kFailure;
  metrics_->Authenticated(result, outcome.user ? outcome.user->name : std::string(),
                          base::InSeconds(base::RealClock().MonoNs() - began));
  return outcome;
}

// recordAuthorizationMetrics of pkg/endpoints/filters/metrics.go
Ruling Filter::Authorized(const Attributes& attributes) const {
  using Result = metrics::AccessMetrics::Authorization;
  const int64_t began = base::RealClock().MonoNs();
  Ruling ruling = authorization_.Authorize(attributes);
  if (metrics_ == nullptr) return ruling;
  Result result = Result::kNoOpinion;
  if (ruling.decision == Decision::kAllow) {
    result = Result::kAllowed;
  } else if (!ruling.error.empty()) {
    result = Result::kError;
  } else if (ruling.decision == Decision::kDeny) {
    result = Result::kDenied;
  }
  metrics_->Authorized(result, base::InSeconds(base::RealClock().MonoNs() - began));
  return ruling;
}

http::Answer Filter::Serve(const http::Incoming& request) const { return WithCacheControl(Answered(request)); }

http::Answer Filter::Answered(const http::Incoming& request) const {
  std::optional<std::string> path = text::PercentDecoded(request.path);
  if (!path) return BadPath();
  AuthenticationResult outcome = Authenticated(request);
  if (!outcome.user) {
    log::Error("Unable to authenticate the request", {{"err", outcome.error}});
    return Unauthorized(request);
  }
  const Attributes attributes{*std::move(outcome.user), *std::move(path), VerbOf(request.method)};
  const Ruling ruling = Authorized(attributes);
  if (ruling.decision == Decision::kAllow) return handler_(authentication_.WithoutCredentials(request));
  if (!ruling.error.empty()) return InternalError(request, ruling.error);
  log::V(4, "Forbidden", {{"URI", request.path}, {"reason", ruling.reason}});
  return Forbidden(request, attributes, ruling.reason);
}

bool Filter::IsPrompt(const http::Incoming& request) const {
  std::optional<std::string> path = text::PercentDecoded(request.path);
  if (!path) return true;
  std::optional<AuthenticationResult> outcome = authentication_.AuthenticateNow(request, kGoodFor);
  if (!outcome) return false;
  if (!outcome->user) return true;
  return authorization_.AuthorizeNow({*std::move(outcome->user), *std::move(path), VerbOf(request.method)}, kGoodFor)
      .has_value();
}

}  // namespace berth::access
