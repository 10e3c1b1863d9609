// The connections to the API server. By HTTP/2, watches, bindings, statuses, and Events share one connection, as
// upstream. The renewals of the Lease have their own, so that they never wait behind other requests. All use the same
// credentials, which rotate together. Thread: main.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "client/credentials/client_config.h"
#include "client/credentials/rotation.h"
#include "client/http/request_observer.h"
#include "client/http/rest_client.h"
#include "telemetry/trace/tracer.h"

namespace berth::process {

struct Connections {
  std::unique_ptr<http::RestClient> api;
  std::unique_ptr<http::RestClient> election;       // null without leader election
  std::unique_ptr<credentials::Rotation> rotation;  // uses the others
};

struct ConnectionOptions {
  credentials::Target target;
  std::string user_agent;                                       // "berth-scheduler/0.1.0"
  std::optional<std::chrono::nanoseconds> renew_deadline = {};  // with leader election
};

// Who observes the requests to the server with this URL. May be null; outlives the connections.
using ObserverOf = std::function<http::RequestObserver*(const std::string& url)>;

// tracer gets the requests of all clients, and outlives them; it may be null. Does not connect yet. Fails for
// credentials that cannot be read.
base::Result<Connections> Connect(const ConnectionOptions& options, const ObserverOf& observer_of,
                                  trace::Tracer* tracer);

}  // namespace berth::process
