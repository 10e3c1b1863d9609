// The API server as a pod finds it: by the environment, with the pod's service account. Source: client-go's
// rest.InClusterConfig. Called by client_config.
#pragma once

#include "base/result.h"
#include "http/tls_options.h"
#include "kubeconfig/sources.h"
#include "kubeconfig/surroundings.h"

namespace berth::kubeconfig {

// Environment and token are there.
bool IsInCluster(const Surroundings& surroundings);

// A CA file that cannot be used is an error in the log only, and the system's CAs are used; when loaded again it is an
// error of the load.
base::Result<http::ClientOptions> InClusterOptions(const Surroundings& surroundings, Sources& sources);

}  // namespace berth::kubeconfig
