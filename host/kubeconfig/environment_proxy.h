// The proxy that the environment names for a server (HTTPS_PROXY, HTTP_PROXY, NO_PROXY), by the rules of
// golang.org/x/net/http/httpproxy, which client-go follows where a cluster names none. Thread: any.
#pragma once

#include <string>

#include "base/result.h"
#include "kubeconfig/server_url.h"
#include "kubeconfig/surroundings.h"

namespace berth::kubeconfig {

// "" = none. The error names the variable.
base::Result<std::string> ProxyFromEnvironment(const Environment& environment, const Server& server);

}  // namespace berth::kubeconfig
