#include "cluster/process/api_connections.h"

#include <utility>
#include <vector>

#include "client/requests/request_queue.h"
#include "cluster/election/election_options.h"

namespace berth::process {
namespace {

// Of two request queues: one for Events, one for all else.
constexpr size_t kMostSends = 2 * requests::kMostInFlight;

// The options of a client: those of the credentials, and those of the connections.
using Shape = http::ClientOptions (*)(http::ClientOptions, const ConnectionOptions&);
using Clients = std::vector<std::pair<http::RestClient*, Shape>>;

http::ClientOptions OfWork(http::ClientOptions client, const ConnectionOptions& options) {
  client.user_agent = options.user_agent;
  client.max_parallel_sends = kMostSends;
  client.eager_parallel_sends *= 2;
  return client;
}

http::ClientOptions OfElection(http::ClientOptions client, const ConnectionOptions& options) {
  client.user_agent = options.user_agent + "/leader-election";
  client.timeout =
      std::chrono::duration_cast<std::chrono::milliseconds>(election::RequestTimeout(*options.renew_deadline));
  return client;
}

base::Result<void> RenewAll(const Clients& clients, const http::ClientOptions& changed,
                            const ConnectionOptions& options) {
  for (const auto& [client, shape] : clients) {
    if (auto renewed = client->Renew(shape(changed, options)); !renewed) return renewed;
  }
  return {};
}

}  // namespace

base::Result<Connections> Connect(const ConnectionOptions& options, const ObserverOf& observer_of,
                                  trace::Tracer* tracer) {
  Connections connections;
  connections.rotation = std::make_unique<credentials::Rotation>(options.target, credentials::EnvironmentOfProcess());
  const auto client = connections.rotation->Load();
  if (!client) return tl::unexpected(client.error());
  http::RequestObserver* observer = observer_of(client->url);
  std::vector<std::pair<std::unique_ptr<http::RestClient>*, Shape>> wanted{{&connections.api, OfWork}};
  if (options.renew_deadline) wanted.emplace_back(&connections.election, OfElection);
  Clients clients;
  for (const auto& [transport, shape] : wanted) {
    auto made = http::MakeRestClient(shape(*client, options), {.observer = observer, .tracer = tracer});
    if (!made) return tl::unexpected(made.error());
    *transport = std::move(*made);
    clients.emplace_back(transport->get(), shape);
  }
  connections.rotation->Start(
      [clients, options](const http::ClientOptions& changed) { return RenewAll(clients, changed, options); });
  return connections;
}

}  // namespace berth::process
