#include "cluster/access/clients.h"

#include <chrono>
#include <utility>

#include "client/credentials/in_cluster.h"
#include "telemetry/log/log.h"

namespace berth::access {
namespace {

// More than the size of a review and of a page of a ConfigMap.
constexpr size_t kBodyLimit = size_t{4} << 20;
constexpr std::chrono::seconds kSilence{10};

using SharedClient = std::shared_ptr<Client>;

// What all clients have in common.
struct ClientManner {
  std::string user_agent;
  trace::Tracer* tracer;
};

http::ClientOptions Adapted(http::ClientOptions options, const std::string& user_agent) {
  options.user_agent = user_agent;
  options.timeout = kSilence;
  options.max_body_bytes = kBodyLimit;
  return options;
}

base::Result<SharedClient> Connected(credentials::Target target, const credentials::ProcessEnvironment& process,
                                     const ClientManner& manner) {
  auto client = std::make_shared<Client>();
  client->rotation = std::make_unique<credentials::Rotation>(std::move(target), process);
  auto options = client->rotation->Load();
  if (!options) return tl::unexpected(options.error());
  auto made = http::MakeRestClient(Adapted(std::move(*options), manner.user_agent), {.tracer = manner.tracer});
  if (!made) return tl::unexpected(made.error());
  client->transport = std::move(*made);
  client->rotation->Start(
      [transport = client->transport.get(), user_agent = manner.user_agent](http::ClientOptions changed) {
        return transport->Renew(Adapted(std::move(changed), user_agent));
      });
  return client;
}

bool HasClusterVariables(const credentials::ProcessEnvironment& process) {
  return !credentials::Variable(process.environment, "KUBERNETES_SERVICE_HOST").empty() &&
         !credentials::Variable(process.environment, "KUBERNETES_SERVICE_PORT").empty();
}

// Optional: null where there is none.
SharedClient InCluster(const char* purpose, const credentials::ProcessEnvironment& process,
                       const ClientManner& manner) {
  if (!HasClusterVariables(process)) return nullptr;
  auto client = Connected({.in_cluster = true}, process, manner);
  if (client) return *client;
  log::Warning(std::string("failed to read in-cluster kubeconfig for delegated ") + purpose + ": " +
               client.error().message);
  return nullptr;
}

base::Result<SharedClient> ClientFor(const char* purpose, const std::string& file,
                                     const credentials::ProcessEnvironment& process, const ClientManner& manner) {
  if (file.empty()) return InCluster(purpose, process, manner);
  auto client = Connected({.kubeconfig_path = file}, process, manner);
  if (client) return client;
  return base::Fail(std::string("failed to get delegated ") + purpose + " kubeconfig: " + client.error().message);
}

}  // namespace

base::Result<Clients> MakeClients(const ClientFiles& files, const credentials::ProcessEnvironment& process,
                                  const std::string& user_agent, trace::Tracer* tracer) {
  const ClientManner manner{user_agent, tracer};
  auto authentication = ClientFor("authentication", files.authentication, process, manner);
  if (!authentication) return tl::unexpected(authentication.error());
  if (files.authorization == files.authentication) return Clients{*authentication, *authentication};
  auto authorization = ClientFor("authorization", files.authorization, process, manner);
  if (!authorization) return tl::unexpected(authorization.error());
  return Clients{std::move(*authentication), std::move(*authorization)};
}

}  // namespace berth::access
