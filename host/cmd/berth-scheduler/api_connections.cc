#include "cmd/berth-scheduler/api_connections.h"

#include <chrono>
#include <utility>
#include <vector>

#include "cluster/election/election_options.h"

namespace berth {
namespace {

constexpr const char* kUserAgent = "berth-scheduler/" BERTH_VERSION;

// What a client's options are made of: those of the credentials, and the configuration.
using Shape = http::ClientOptions (*)(http::ClientOptions, const config::Configuration&);
using Clients = std::vector<std::pair<http::RestClient*, Shape>>;

http::ClientOptions OfScheduling(http::ClientOptions options, const config::Configuration&) {
  options.user_agent = kUserAgent;
  return options;
}

http::ClientOptions OfElection(http::ClientOptions options, const config::Configuration& configuration) {
  options.user_agent = std::string(kUserAgent) + "/leader-election";
  options.timeout = std::chrono::duration_cast<std::chrono::milliseconds>(
      election::RequestTimeout(configuration.leader_election.renew_deadline));
  return options;
}

base::Result<void> RenewAll(const Clients& clients, const http::ClientOptions& changed,
                            const config::Configuration& configuration) {
  for (const auto& [client, shape] : clients) {
    if (auto renewed = client->Renew(shape(changed, configuration)); !renewed) return renewed;
  }
  return {};
}

}  // namespace

base::Result<Connections> Connect(const options::SchedulerOptions& options, const config::Configuration& configuration,
                                  Measurements& measurements, trace::Tracer* tracer) {
  Connections connections;
  connections.rotation = std::make_unique<credentials::Rotation>(
      credentials::Target{configuration.client_connection.kubeconfig, options.master},
      credentials::EnvironmentOfProcess());
  const auto client = connections.rotation->Load();
  if (!client) return tl::unexpected(client.error());
  measurements.WatchRequestsTo(client->url);
  std::vector<std::pair<std::unique_ptr<http::RestClient>*, Shape>> wanted{{&connections.api, OfScheduling},
                                                                           {&connections.events, OfScheduling}};
  if (configuration.leader_election.leader_elect) wanted.emplace_back(&connections.election, OfElection);
  Clients clients;
  for (const auto& [transport, shape] : wanted) {
    auto made =
        http::MakeRestClient(shape(*client, configuration), {.observer = measurements.requests(), .tracer = tracer});
    if (!made) return tl::unexpected(made.error());
    *transport = std::move(*made);
    clients.emplace_back(transport->get(), shape);
  }
  connections.rotation->Start([clients, configuration](const http::ClientOptions& changed) {
    return RenewAll(clients, changed, configuration);
  });
  return connections;
}

}  // namespace berth
