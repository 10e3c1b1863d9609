// Where the API server is, and who we are to it: from a kubeconfig file (its current context), from --master, or from
// the service account of the pod we run in. Source: k8s.io/client-go/tools/clientcmd, whose rules and texts these are.
// Called by the daemon at its start and by rotation, on one thread. What the options call later (http/tls_options.h
// says when) may be called from several threads, and owns what it needs but the clock.
//
// Secrets (tokens, passwords, keys, whatever a credential command answers) are in no error and in no log line.
#pragma once

#include <string>

#include "base/result.h"
#include "http/tls_options.h"
#include "kubeconfig/surroundings.h"

namespace berth::kubeconfig {

struct Sources;

struct Target {
  std::string kubeconfig_path;  // --kubeconfig or clientConnection.kubeconfig; "" = none
  std::string master_url;       // --master: takes the place of the server in the kubeconfig; "" = none
};

// Sets url, proxy_url, tls and authorization; the rest keeps its defaults. Credentials are for https only: without it
// none are sent. Fails, with everything that is wrong, as "invalid configuration: file:line:column: field: reason".
base::Result<http::ClientOptions> LoadClientOptions(const Target& target, const Surroundings& surroundings);
base::Result<http::ClientOptions> LoadClientOptions(const Target& target);
// The same, and keeps in sources what it has read. What they hold of a credential command goes on serving.
base::Result<http::ClientOptions> LoadClientOptions(const Target& target, const Surroundings& surroundings,
                                                    Sources& sources);

}  // namespace berth::kubeconfig
