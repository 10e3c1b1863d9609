#include "cluster/access/authentication.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "client/http/client_trust.h"
#include "cluster/access/bearer_token.h"
#include "cluster/access/client_certificate.h"

namespace berth::access {
namespace {

constexpr const char* kInvalidToken = "invalid bearer token";

AuthenticationResult AnonymousUser() { return AuthenticationResult::Of({kAnonymous, "", {kAllUnauthenticated}, {}}); }

AuthenticationResult WithGroup(AuthenticationResult outcome) {
  User& user = *outcome.user;
  const bool known = std::any_of(user.groups.begin(), user.groups.end(), [](const std::string& group) {
    return group == kAllAuthenticated || group == kAllUnauthenticated;
  });
  if (user.name != kAnonymous && !known) user.groups.emplace_back(kAllAuthenticated);
  return outcome;
}

// As k8s.io/apimachinery's Aggregate: each error once.
std::string AggregateOf(const std::vector<std::string>& errors) {
  std::vector<std::string> different;
  for (const std::string& error : errors) {
    if (std::find(different.begin(), different.end(), error) == different.end()) different.push_back(error);
  }
  return different.size() == 1 ? different.front() : "[" + base::Join(different, ", ") + "]";
}

std::string CertificateFault(const std::string& der, const base::Error& error) {
  return "verifying certificate " + http::CertificateIdentifier(der) + " failed: " + error.message;
}

// unionAuthRequestHandler: takes attempts until one has a user.
class Union {
 public:
  // true: there is a user.
  bool Take(AuthenticationResult outcome) {
    if (outcome.user) {
      user_ = WithGroup(std::move(outcome));
      return true;
    }
    if (!outcome.error.empty()) errors_.push_back(std::move(outcome.error));
    return false;
  }
  AuthenticationResult Result() && {
    if (user_) return std::move(*user_);
    return errors_.empty() ? AnonymousUser() : AuthenticationResult::Failed(AggregateOf(errors_));
  }

 private:
  std::optional<AuthenticationResult> user_;
  std::vector<std::string> errors_;
};

}  // namespace

AuthenticationResult Authentication::Authenticate(const http::Incoming& request) const {
  Union all;
  const base::Secret token = parts_.tokens == nullptr ? base::Secret() : BearerTokenOf(request);
  if (all.Take(ByRequestHeader(request)) || all.Take(ByCertificate(request))) return std::move(all).Result();
  if (!token.empty()) all.Take(ByToken(parts_.tokens->Find(token)));
  return std::move(all).Result();
}

std::optional<AuthenticationResult> Authentication::AuthenticateNow(const http::Incoming& request,
                                                                    int64_t good_for_ns) const {
  if (!request.client_certificates.empty()) return std::nullopt;
  const base::Secret token = parts_.tokens == nullptr ? base::Secret() : BearerTokenOf(request);
  if (token.empty()) return AnonymousUser();
  const TokenCache::Shared kept = parts_.tokens->Cached(token, good_for_ns);
  if (kept == nullptr) return std::nullopt;
  Union all;
  all.Take(ByToken(kept));
  return std::move(all).Result();
}

// Verifier.AuthenticateRequest around requestHeaderAuthRequestHandler: the certificate is judged first, also when no
// header names a user.
AuthenticationResult Authentication::ByRequestHeader(const http::Incoming& request) const {
  if (parts_.request_header_ca == nullptr || request.client_certificates.empty()) return {};
  const std::shared_ptr<const Verifier> verify = parts_.request_header_ca->verifier();
  if (verify == nullptr) return {};
  const base::Result<http::ClientName> proxy = (*verify)(request.client_certificates);
  if (!proxy) return AuthenticationResult::Failed(proxy.error().message);
  const std::shared_ptr<const RequestHeaderNames> names = parts_.header_names();
  std::string refusal = RefusalOfProxy(*proxy, names->allowed_names);
  if (!refusal.empty()) return AuthenticationResult::Failed(std::move(refusal));
  return UserOfHeaders(request.headers, *names);
}

AuthenticationResult Authentication::ByCertificate(const http::Incoming& request) const {
  if (parts_.client_ca == nullptr || request.client_certificates.empty()) return {};
  const std::shared_ptr<const Verifier> verify = parts_.client_ca->verifier();
  if (verify == nullptr) return {};
  const base::Result<http::ClientName> certificate = (*verify)(request.client_certificates);
  if (!certificate)
    return AuthenticationResult::Failed(CertificateFault(request.client_certificates.front(), certificate.error()));
  return UserOfCertificate(*certificate);
}

AuthenticationResult Authentication::ByToken(const TokenCache::Shared& result) {
  AuthenticationResult outcome = *result;
  if (!outcome.user && outcome.error.empty()) outcome.error = kInvalidToken;
  return outcome;
}

std::vector<std::string> Authentication::ClientCaNames() const {
  std::vector<std::string> names;
  for (const CaBundle* bundle : {parts_.client_ca, parts_.request_header_ca}) {
    const auto verifier = bundle == nullptr ? nullptr : bundle->verifier();
    if (verifier == nullptr) continue;
    for (const std::string& name : verifier->ca_names()) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

http::Incoming Authentication::WithoutCredentials(const http::Incoming& request) const {
  http::Incoming bare = request;
  std::erase_if(bare.headers, [](const auto& header) { return header.first == "authorization"; });
  RemoveUserHeaders(bare.headers, StandardHeaderNames());
  if (parts_.request_header_ca != nullptr) RemoveUserHeaders(bare.headers, *parts_.header_names());
  return bare;
}

}  // namespace berth::access
