// Asks the API server for the user of a bearer token. Source: k8s.io/apiserver plugin/pkg/authenticator/token/webhook
// (WebhookTokenAuthenticator.AuthenticateToken). Thread: any, concurrently; it blocks. Ownership: the call outlives it.
#pragma once

#include "base/secret.h"
#include "cluster/access/authentication_result.h"
#include "cluster/access/review_call.h"

namespace berth::access {

class TokenReviewer {
 public:
  explicit TokenReviewer(ReviewCall& call) : call_(call) {}
  // Neither user nor error: the server does not accept the token, and does not say why. No error contains the token.
  AuthenticationResult Review(const base::Secret& token) const;

 private:
  ReviewCall& call_;
};

}  // namespace berth::access
