// The address and credentials of the API server for a pod: from the environment and the service account. Source:
// client-go's rest.InClusterConfig. Called by client_config.
#pragma once

#include "base/result.h"
#include "client/credentials/environment.h"
#include "client/credentials/load_state.h"
#include "client/http/tls_options.h"

namespace berth::credentials {

// Whether the environment variables and the token file exist.
bool IsInCluster(const ProcessEnvironment& process);

// An unusable CA file is an error in the log, and the system's CAs are used; during a later load it is an error of the
// load.
base::Result<http::ClientOptions> InClusterOptions(const ProcessEnvironment& process, LoadState& state);

}  // namespace berth::credentials
