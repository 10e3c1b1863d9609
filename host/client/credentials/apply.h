// Turns the selection of a kubeconfig into the options of a client, with client-go's checks
// (tools/clientcmd/validation.go). Mistakes become issues. client_config calls it, on its thread; client_config.h
// describes the functions in the options.
#pragma once

#include <optional>

#include "client/credentials/environment.h"
#include "client/credentials/load_state.h"
#include "client/credentials/selection.h"
#include "client/credentials/server_url.h"
#include "client/http/tls_options.h"
#include "codec/fields/issue.h"

namespace berth::credentials {

// The cluster's server; nullopt and an issue when the cluster has none or the address is invalid.
std::optional<Server> ServerOf(const Cluster& cluster, fields::Issues& issues);

// Sets proxy_url and tls without the identity. An absent cluster sets nothing.
void ApplyCluster(const Cluster& cluster, FileTexts& files, http::ClientOptions& options, fields::Issues& issues);

// Sets authorization and tls.identity, except for credential commands, which are only checked.
void ApplyUser(const User& user, const ProcessEnvironment& process, FileTexts& files, http::ClientOptions& options,
               fields::Issues& issues);

// Sets the credentials of a command, unless the user has others: as in client-go, those come first. The other options
// are set already.
void ApplyExec(const Selection& chosen, const ProcessEnvironment& process, LoadState& state,
               http::ClientOptions& options);

// Removes the credentials, for connections in clear text.
void DropCredentials(http::ClientOptions& options);

}  // namespace berth::credentials
