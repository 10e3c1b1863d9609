// The answers to requests that are not served: 401, 403, and 500 if the API server is unreachable. Sources:
// k8s.io/apiserver pkg/endpoints/handlers/responsewriters (errors.go, writers.go), pkg/endpoints/filters/
// authentication.go (Unauthorized), handlers/negotiation/negotiate.go (isPrettyPrint); apimachinery pkg/api/errors.
// Differs: the body is JSON also for clients that prefer YAML or protobuf. Thread: any; pure functions.
#pragma once

#include <string>

#include "client/http/incoming.h"
#include "cluster/access/ruling.h"

namespace berth::access {

http::Answer Unauthorized(const http::Incoming& request);
http::Answer Forbidden(const http::Incoming& request, const Attributes& attributes, const std::string& reason);
http::Answer InternalError(const http::Incoming& request, const std::string& error);
// The path is not percent-encoded as it should be: net/http does not pass such a request on.
http::Answer BadPath();

}  // namespace berth::access
