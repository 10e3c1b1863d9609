// The user that an authenticating proxy names in headers of its requests. Whether the client is such a proxy is decided
// elsewhere (authentication.h). Source: k8s.io/apiserver pkg/authentication/request/headerrequest/requestheader.go.
// Thread: any; pure functions.
#pragma once

#include <string>
#include <vector>

#include "client/http/incoming.h"
#include "cluster/access/authentication_result.h"

namespace berth::access {

// Names of headers, in any case.
struct RequestHeaderNames {
  std::vector<std::string> usernames, uids, groups, extra_prefixes;
  std::vector<std::string> allowed_names;  // common names of proxies; empty = any
  bool operator==(const RequestHeaderNames&) const = default;
};

// The names that kube-apiserver uses, which WithAuthentication always removes.
RequestHeaderNames StandardHeaderNames();

AuthenticationResult UserOfHeaders(const http::Headers& headers, const RequestHeaderNames& names);
void RemoveUserHeaders(http::Headers& headers, const RequestHeaderNames& names);

}  // namespace berth::access
