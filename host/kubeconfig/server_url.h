// Addresses of servers and proxies as client-go understands them, over those that our transport can go to. Thread: any;
// pure functions. Errors hold no user information and no query.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "http/endpoint.h"

namespace berth::kubeconfig {

struct Server {
  std::string url;  // as given, with a scheme and without query, fragment and slash at the end
  http::Endpoint endpoint;
};

// A kubeconfig's server or --master: a URL, or a host:port pair, which means http.
base::Result<Server> ParseServer(std::string_view text);

// A proxy's URL, to be taken as it is. Fails for socks5 and https too, which client-go knows and our transport does
// not.
base::Result<std::string> ParseProxy(std::string_view text);

// Of ASCII letters.
std::string LowerCase(std::string_view text);

}  // namespace berth::kubeconfig
