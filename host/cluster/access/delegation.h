// All parts of delegated authentication and authorization, as the flags configure them. Source: k8s.io/apiserver
// pkg/server/options (DelegatingAuthenticationOptions.ApplyTo, DelegatingAuthorizationOptions.ApplyTo).
// Thread: Make, Start, and the destructor on main. Ownership: transports and clock outlive it. Filters use
// authentication() and authorization(), and end before it does; Close ends their requests to the API server.
#pragma once

#include <memory>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "client/http/transport.h"
#include "cluster/access/authentication.h"
#include "cluster/access/authorization.h"
#include "cluster/access/ca_file.h"
#include "cluster/access/cluster_settings.h"
#include "cluster/access/review_call.h"
#include "cluster/access/token_cache.h"
#include "cluster/access/verifier.h"
#include "config/options/options.h"

namespace berth::access {

struct DelegationNeeds {
  http::Transport* for_tokens = nullptr;  // TokenReviews and the ConfigMap; null: neither
  http::Transport* for_access = nullptr;  // SubjectAccessReviews; null: none
  const base::Clock* clock = nullptr;     // never null
  MakeVerifier make_verifier = MakeTrustVerifier;
  ReviewLimits limits = {};
  metrics::AccessMetrics* metrics = nullptr;  // may be null
};

class Delegation {
 public:
  // Reads the CA files and, if the flags ask for it, the ConfigMap, which may wait for the API server. Errors are
  // upstream's and end the start of the program.
  static base::Result<std::unique_ptr<Delegation>> Make(const options::Authentication& authentication,
                                                        const options::Authorization& authorization,
                                                        const DelegationNeeds& needs);
  ~Delegation();
  Delegation(const Delegation&) = delete;

  // Follows the ConfigMap and the CA files from now on.
  void Start();
  // Ends requests that wait for the API server, and later ones at once: they are answered with 401 or 500.
  void Close();

  const Authentication& authentication() const { return *authentication_; }
  const Authorization& authorization() const { return *authorization_; }
  // For tests.
  const ClusterSettings* cluster_settings() const { return cluster_settings_.get(); }

 private:
  Delegation() = default;
  base::Result<void> ApplyAuthentication(const options::Authentication& flags, const DelegationNeeds& needs);
  base::Result<void> ApplyAuthorization(const options::Authorization& flags, const DelegationNeeds& needs);
  base::Result<void> ApplyClusterSettings(const options::Authentication& flags, const DelegationNeeds& needs,
                                          AuthenticationParts& parts);
  base::Result<const CaBundle*> BundleOfFile(const char* purpose, const std::string& path, const MakeVerifier& make);

  std::unique_ptr<ReviewCall> token_call_, access_call_;
  std::vector<std::unique_ptr<CaBundle>> bundles_;  // of the files
  std::vector<std::unique_ptr<CaFile>> files_;
  std::unique_ptr<ClusterSettings> cluster_settings_;
  std::unique_ptr<TokenCache> tokens_;
  std::unique_ptr<AccessReviewer> reviewer_;
  std::unique_ptr<const Authentication> authentication_;
  std::unique_ptr<const Authorization> authorization_;
};

}  // namespace berth::access
