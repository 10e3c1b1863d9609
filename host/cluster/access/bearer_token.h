// The bearer token of a request. Source: k8s.io/apiserver pkg/authentication/request/bearertoken/bearertoken.go.
// Thread: any; a pure function.
#pragma once

#include "base/secret.h"
#include "client/http/incoming.h"

namespace berth::access {

// Empty: the request has none, or one that upstream ignores ("Bearer  two-spaces").
base::Secret BearerTokenOf(const http::Incoming& request);

}  // namespace berth::access
