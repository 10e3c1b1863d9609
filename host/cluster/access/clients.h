// The clients for reviews, from --authentication-kubeconfig and --authorization-kubeconfig; without a file, the service
// account of the pod; without one, none. Both flags with the same file share a client. Source: k8s.io/apiserver
// pkg/server/options (DelegatingAuthenticationOptions.getClient, DelegatingAuthorizationOptions.getClient, with
// RemoteKubeConfigFileOptional as kube-scheduler sets it). Thread: main at start. Ownership: the caller's;
// process.clock outlives it.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "client/credentials/environment.h"
#include "client/credentials/rotation.h"
#include "client/http/rest_client.h"
#include "telemetry/trace/tracer.h"

namespace berth::access {

// A client whose credentials are renewed as their files change.
struct Client {
  std::unique_ptr<http::RestClient> transport;
  std::unique_ptr<credentials::Rotation> rotation;  // uses the transport
};

struct Clients {
  std::shared_ptr<Client> authentication, authorization;  // null: none

  // null without a client.
  http::Transport* ForTokens() const { return authentication ? authentication->transport.get() : nullptr; }
  http::Transport* ForAccess() const { return authorization ? authorization->transport.get() : nullptr; }
};

struct ClientFiles {
  std::string authentication, authorization;  // kubeconfig files; "" = in-cluster, if there is a cluster
};

// Does not connect. Fails for a file that cannot be used. tracer: of the requests; may be null, and outlives the
// clients.
base::Result<Clients> MakeClients(const ClientFiles& files, const credentials::ProcessEnvironment& process,
                                  const std::string& user_agent, trace::Tracer* tracer = nullptr);

}  // namespace berth::access
