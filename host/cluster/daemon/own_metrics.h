// Berth's own gauges and counters: the inbox, the requests that wait, watches, bindings without a reply, plugins in
// quarantine, the reasons of pending pods, and the size of the tables that grow with the cluster. Not in
// kube-scheduler. Thread: the scheduling thread. Ownership: registry and intern outlive the object.
#pragma once

#include <map>
#include <string>

#include "api/intern_tables.h"
#include "cluster/daemon/daemon.h"
#include "telemetry/metrics/changing_gauges.h"
#include "telemetry/metrics/follower.h"
#include "telemetry/metrics/registry.h"

namespace berth::daemon {

class OwnMetrics {
 public:
  OwnMetrics(metrics::Registry& registry, const api::InternTables& intern);

  // Between two cycles.
  void Measure(Daemon& daemon);

 private:
  struct Requests {
    metrics::Gauge binding, eviction, rest, delayed, in_flight;
    void Set(const requests::QueueLengths& lengths) const;
  };
  static Requests MakeRequests(metrics::Registry& registry, const std::string& queue);
  void MeasureWatches(const Daemon& daemon);
  void MeasureMemory(engine::Engine& engine);
  void MeasureRejections(const queue::RejectionCounts& counts);

  metrics::Registry& registry_;
  const api::InternTables& intern_;
  metrics::Gauge inbox_, quarantined_, column_bytes_, interned_, queue_pods_, cached_pods_, in_flight_events_;
  Requests api_requests_, event_requests_;
  metrics::Follower lost_, resent_, found_;
  std::map<std::string, metrics::Gauge, std::less<>> watches_;  // by resource
  metrics::ChangingGauges rejected_nodes_, rejected_pods_;      // by reason
};

}  // namespace berth::daemon
