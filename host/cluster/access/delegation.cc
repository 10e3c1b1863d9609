#include "cluster/access/delegation.h"

#include <strings.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "cluster/access/token_review.h"
#include "telemetry/log/log.h"

namespace berth::access {
namespace {

void WarnOfMissing(const char* key, const char* consequence) {
  log::Warning(std::string("No authentication-kubeconfig provided in order to lookup ") + key +
               " in configmap/extension-apiserver-authentication in kube-system, so " + consequence +
               " authentication won't work.");
}

void WarnOfFailedLookup(const base::Error& error) {
  log::Warning("Error looking up in-cluster authentication configuration: " + error.message);
  log::Warning("Continuing without authentication configuration. This may treat all requests as anonymous.");
  log::Warning(
      "To require authentication configuration lookup to succeed, set --authentication-tolerate-lookup-failure=false");
}

bool HasHeader(const std::vector<std::string>& headers, const char* standard) {
  return std::any_of(headers.begin(), headers.end(),
                     [&](const std::string& header) { return strcasecmp(header.c_str(), standard) == 0; });
}

// RequestHeaderAuthenticationOptions.Validate, as far as it warns; validate_options.h has its errors.
void WarnOfNonstandardHeaders(const options::Authentication& flags) {
  const auto check = [](const std::vector<std::string>& headers, const char* flag, const char* standard,
                        const char* kind) {
    if (headers.empty() || HasHeader(headers, standard)) return;
    log::Warning(std::string(flag) + " is set without specifying the standard " + standard + " header" + kind +
                 " - API aggregation will not work");
  };
  check(flags.username_headers, "--requestheader-username-headers", "X-Remote-User", "");
  check(flags.group_headers, "--requestheader-group-headers", "X-Remote-Group", "");
  check(flags.extra_headers_prefix, "--requestheader-extra-headers-prefix", "X-Remote-Extra-", " prefix");
}

std::shared_ptr<const RequestHeaderNames> NamesOfFlags(const options::Authentication& flags) {
  return std::make_shared<const RequestHeaderNames>(RequestHeaderNames{
      flags.username_headers, flags.uid_headers, flags.group_headers, flags.extra_headers_prefix, flags.allowed_names});
}

}  // namespace

base::Result<std::unique_ptr<Delegation>> Delegation::Make(const options::Authentication& authentication,
                                                           const options::Authorization& authorization,
                                                           const DelegationNeeds& needs) {
  std::unique_ptr<Delegation> made(new Delegation);
  if (auto applied = made->ApplyAuthentication(authentication, needs); !applied) return tl::unexpected(applied.error());
  if (auto applied = made->ApplyAuthorization(authorization, needs); !applied) return tl::unexpected(applied.error());
  return made;
}

Delegation::~Delegation() { Close(); }

base::Result<const CaBundle*> Delegation::BundleOfFile(const char* purpose, const std::string& path,
                                                       const MakeVerifier& make) {
  CaBundle& bundle = *bundles_.emplace_back(std::make_unique<CaBundle>(std::string(purpose) + "::" + path, make));
  CaFile& file = *files_.emplace_back(std::make_unique<CaFile>(path, bundle));
  if (auto loaded = file.Load(); !loaded) return tl::unexpected(loaded.error());
  return &bundle;
}

base::Result<void> Delegation::ApplyAuthentication(const options::Authentication& flags, const DelegationNeeds& needs) {
  WarnOfNonstandardHeaders(flags);
  AuthenticationParts parts;
  if (!flags.client_ca_file.empty()) {
    auto bundle = BundleOfFile("client-ca-bundle", flags.client_ca_file, needs.make_verifier);
    if (!bundle) return base::Fail("unable to load client CA provider: " + bundle.error().message);
    parts.client_ca = *bundle;
  }
  if (!flags.requestheader_client_ca_file.empty()) {
    auto bundle = BundleOfFile("request-header", flags.requestheader_client_ca_file, needs.make_verifier);
    if (!bundle) {
      return base::Fail("unable to create request header authentication config: " + bundle.error().message);
    }
    parts.request_header_ca = *bundle;
    parts.header_names = [names = NamesOfFlags(flags)] { return names; };
  }
  if (auto applied = ApplyClusterSettings(flags, needs, parts); !applied) return applied;
  if (needs.for_tokens != nullptr) {
    token_call_ = std::make_unique<ReviewCall>(*needs.for_tokens, *needs.clock, needs.limits,
                                               needs.metrics == nullptr ? nullptr : &needs.metrics->token_reviews());
    tokens_ = std::make_unique<TokenCache>(
        [reviewer = TokenReviewer(*token_call_)](const base::Secret& token) { return reviewer.Review(token); },
        flags.token_webhook_cache_ttl, *needs.clock, TokenCache::kLimit,
        needs.metrics == nullptr ? nullptr : &needs.metrics->tokens());
    parts.tokens = tokens_.get();
  }
  authentication_ = std::make_unique<const Authentication>(std::move(parts));
  return {};
}

// Settings without a flag come from the ConfigMap.
base::Result<void> Delegation::ApplyClusterSettings(const options::Authentication& flags, const DelegationNeeds& needs,
                                                    AuthenticationParts& parts) {
  ClusterSettings::Parts wanted{parts.client_ca == nullptr, parts.request_header_ca == nullptr};
  if (flags.skip_lookup || (!wanted.client_ca && !wanted.request_header)) return {};
  if (needs.for_tokens == nullptr) {
    if (wanted.client_ca) WarnOfMissing("client-ca-file", "client certificate");
    if (wanted.request_header) WarnOfMissing("requestheader-client-ca-file", "request-header client certificate");
    return {};
  }
  cluster_settings_ = std::make_unique<ClusterSettings>(*needs.for_tokens, wanted, needs.make_verifier);
  if (wanted.client_ca) parts.client_ca = &cluster_settings_->client_ca();
  if (!wanted.request_header) return {};
  if (auto read = cluster_settings_->ReadOnce(); !read) {
    if (!flags.tolerate_lookup_failure) {
      return base::Fail("unable to load configmap based request-header-client-ca-file: " + read.error().message);
    }
    WarnOfFailedLookup(read.error());  // as upstream: no request-header authentication until the next start
    return {};
  }
  parts.request_header_ca = &cluster_settings_->request_header_ca();
  parts.header_names = [settings = cluster_settings_.get()] { return settings->header_names(); };
  return {};
}

base::Result<void> Delegation::ApplyAuthorization(const options::Authorization& flags, const DelegationNeeds& needs) {
  auto paths = AllowedPaths::Parse(flags.always_allow_paths);
  if (!paths) return tl::unexpected(paths.error());
  if (needs.for_access == nullptr) {
    log::Warning("No authorization-kubeconfig provided, so SubjectAccessReview of authorization tokens won't work.");
  } else {
    ReviewLimits limits = needs.limits;
    limits.total_time = std::chrono::nanoseconds(0);  // upstream limits each try only
    access_call_ = std::make_unique<ReviewCall>(*needs.for_access, *needs.clock, limits,
                                                needs.metrics == nullptr ? nullptr : &needs.metrics->access_reviews());
    reviewer_ = std::make_unique<AccessReviewer>(
        *access_call_, AccessReviewer::Ttl{flags.webhook_cache_authorized_ttl, flags.webhook_cache_unauthorized_ttl},
        *needs.clock);
  }
  authorization_ = std::make_unique<const Authorization>(std::move(*paths), reviewer_.get());
  return {};
}

void Delegation::Start() {
  for (const auto& file : files_) file->Start();
  if (cluster_settings_) cluster_settings_->Start();
}

void Delegation::Close() {
  if (token_call_) token_call_->Close();
  if (access_call_) access_call_->Close();
}

}  // namespace berth::access
