// The address of the API server and the client's identity: from a kubeconfig file (its current context), from --master,
// or from the service account of the pod that the program runs in. Source: k8s.io/client-go/tools/clientcmd, with its
// rules and messages. The daemon calls it at its start, and rotation, on one thread. The functions in the options
// (http/tls_options.h says when they are called) may be called from several threads, and own everything that they need
// except the clock.
//
// No error and no log line contains secrets (tokens, passwords, keys, the output of a credential command).
#pragma once

#include <string>

#include "base/result.h"
#include "client/credentials/environment.h"
#include "client/http/tls_options.h"

namespace berth::credentials {

struct LoadState;

struct Target {
  std::string kubeconfig_path;  // --kubeconfig or clientConnection.kubeconfig; "" = none
  std::string master_url;       // --master: takes the place of the server in the kubeconfig; "" = none
  // Only the service account of the pod that the program runs in counts, as for client-go's rest.InClusterConfig.
  bool in_cluster = false;
};

// Sets url, proxy_url, tls, authorization, and http2; the other options keep their defaults. Credentials are sent over
// https only. Fails with all mistakes, as "invalid configuration: file:line:column: field: reason".
base::Result<http::ClientOptions> LoadClientOptions(const Target& target, const ProcessEnvironment& process);
base::Result<http::ClientOptions> LoadClientOptions(const Target& target);
// The same, and keeps in state what it has read. The credential command in state stays in use.
base::Result<http::ClientOptions> LoadClientOptions(const Target& target, const ProcessEnvironment& process,
                                                    LoadState& state);
// The same for the text of a kubeconfig, such as kubectl shows it; its paths are absolute. name: for errors.
base::Result<http::ClientOptions> LoadClientOptionsFrom(const std::string& text, const std::string& name,
                                                        const ProcessEnvironment& process);

}  // namespace berth::credentials
