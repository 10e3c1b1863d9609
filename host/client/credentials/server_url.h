// Parses addresses of servers and proxies as client-go does, and rejects those that the transport does not support.
// Thread: any; pure functions. Errors contain no user information and no query.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "client/http/endpoint.h"

namespace berth::credentials {

struct Server {
  std::string url;  // as given, with a scheme and without query, fragment and slash at the end
  http::Endpoint endpoint;
};

// A kubeconfig's server or --master: a URL, or a host:port pair, which means http.
base::Result<Server> ParseServer(std::string_view text);

// Checks a proxy's URL and returns it unchanged. Rejects socks5 and https, which client-go supports and the transport
// does not.
base::Result<std::string> ParseProxy(std::string_view text);

}  // namespace berth::credentials
