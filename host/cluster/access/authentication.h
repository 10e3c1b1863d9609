// Who sent a request. The authenticators are asked in upstream's order: the headers of an authenticating proxy, the
// client certificate, the bearer token. The first user counts. Without one, an error of any of them rejects the
// request; a request without credentials is anonymous. Sources: k8s.io/apiserver
// pkg/authentication/authenticatorfactory/delegating.go, request/union/union.go, group/authenticated_group_adder.go,
// request/anonymous/anonymous.go. Left out: tokens in a websocket's subprotocol; the scheduler serves no websockets.
// Thread: any, concurrently. Ownership: the parts outlive it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/secret.h"
#include "client/http/incoming.h"
#include "cluster/access/authentication_result.h"
#include "cluster/access/ca_bundle.h"
#include "cluster/access/request_header.h"
#include "cluster/access/token_cache.h"

namespace berth::access {

struct AuthenticationParts {
  using HeaderNames = std::function<std::shared_ptr<const RequestHeaderNames>()>;  // never null

  const CaBundle* request_header_ca = nullptr;  // null: no request-header authentication
  HeaderNames header_names = {};                // set if request_header_ca is
  const CaBundle* client_ca = nullptr;          // null: no authentication by client certificate
  TokenCache* tokens = nullptr;                 // null: bearer tokens are ignored
};

class Authentication {
 public:
  explicit Authentication(AuthenticationParts parts) : parts_(std::move(parts)) {}

  // A user or an error. May wait for the API server.
  AuthenticationResult Authenticate(const http::Incoming& request) const;
  // The same without a request to the API server and without a verification of certificates; nullopt: it needs one. A
  // token is known if its result is kept for another good_for_ns.
  std::optional<AuthenticationResult> AuthenticateNow(const http::Incoming& request, int64_t good_for_ns) const;

  // The subjects of the CAs of clients and of authenticating proxies, in DER, as they are now. Source:
  // k8s.io/apiserver pkg/server/config.go AuthenticationInfo.ApplyClientCert.
  std::vector<std::string> ClientCaNames() const;

  // The request without what it was authenticated with, for handlers.
  http::Incoming WithoutCredentials(const http::Incoming& request) const;

 private:
  AuthenticationResult ByRequestHeader(const http::Incoming& request) const;
  AuthenticationResult ByCertificate(const http::Incoming& request) const;
  static AuthenticationResult ByToken(const TokenCache::Shared& result);

  const AuthenticationParts parts_;
};

}  // namespace berth::access
