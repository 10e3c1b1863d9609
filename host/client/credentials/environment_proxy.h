// The proxy that the environment gives for a server (HTTPS_PROXY, HTTP_PROXY, NO_PROXY), by the rules of
// golang.org/x/net/http/httpproxy, which client-go uses for clusters without a proxy-url. Thread: any.
#pragma once

#include <string>

#include "base/result.h"
#include "client/credentials/environment.h"
#include "client/credentials/server_url.h"

namespace berth::credentials {

// "" = none. The error names the variable.
base::Result<std::string> ProxyFromEnvironment(const Environment& environment, const Server& server);

}  // namespace berth::credentials
