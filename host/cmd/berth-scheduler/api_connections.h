// The connections to the API server. Each transport has its own, so that neither Events nor a renewal of the Lease wait
// behind bindings, as upstream. All use the same credentials, which rotate together. Thread: main.
#pragma once

#include <memory>

#include "base/result.h"
#include "client/credentials/rotation.h"
#include "client/http/rest_client.h"
#include "cmd/berth-scheduler/measurements.h"
#include "config/configuration/configuration.h"
#include "config/options/options.h"
#include "telemetry/trace/tracer.h"

namespace berth {

struct Connections {
  std::unique_ptr<http::RestClient> api, events;
  std::unique_ptr<http::RestClient> election;       // null without leader election
  std::unique_ptr<credentials::Rotation> rotation;  // uses the others
};

// measurements and tracer get the requests of all clients, and outlive them; tracer may be null. Does not connect yet.
// Fails for credentials that cannot be read.
base::Result<Connections> Connect(const options::SchedulerOptions& options, const config::Configuration& configuration,
                                  Measurements& measurements, trace::Tracer* tracer);

}  // namespace berth
