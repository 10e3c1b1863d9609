// From what a kubeconfig selects to the options of a client, with client-go's checks (tools/clientcmd/validation.go).
// What is wrong becomes issues. Called by client_config, on its thread; see there for the options' functions.
#pragma once

#include <optional>

#include "config/issue.h"
#include "http/tls_options.h"
#include "kubeconfig/selection.h"
#include "kubeconfig/server_url.h"
#include "kubeconfig/sources.h"
#include "kubeconfig/surroundings.h"

namespace berth::kubeconfig {

// The cluster's server; nothing, and an issue, when there is none or it is no server's address.
std::optional<Server> ServerOf(const Cluster& cluster, config::Issues& issues);

// proxy_url and tls, but for the identity. An absent cluster sets nothing.
void ApplyCluster(const Cluster& cluster, FileTexts& files, http::ClientOptions& options, config::Issues& issues);

// authorization and tls.identity, of all but credential commands, which are only checked.
void ApplyUser(const User& user, const Surroundings& surroundings, FileTexts& files, http::ClientOptions& options,
               config::Issues& issues);

// Credentials out of a command, unless the user has others: those come first, as in client-go. Everything else of the
// options is set already.
void ApplyExec(const Selection& chosen, const Surroundings& surroundings, Sources& sources,
               http::ClientOptions& options);

// Credentials must not travel in clear text.
void DropCredentials(http::ClientOptions& options);

}  // namespace berth::kubeconfig
