#include "cluster/daemon/own_metrics.h"

#include <functional>

namespace berth::daemon {
namespace {

const metrics::Name kInbox{"berth_inbox_messages",
                           "[ALPHA] Messages from other threads that the scheduling thread has not read yet."};
const metrics::Name kRequests{"berth_requests",
                              "[ALPHA] Requests to the API server without a reply, by queue (api, events) and state: "
                              "binding, eviction, and rest wait for their turn, delayed wait for Retry-After, "
                              "in_flight were sent."};
const metrics::Name kWatchBroken{"berth_watch_broken_seconds",
                                 "[ALPHA] For how long the watch of the resource has been broken; 0 if it works."};
const metrics::Name kQuarantined{"berth_plugins_quarantined",
                                 "[ALPHA] Configured plugins that the scheduler does not call, because their library "
                                 "is in quarantine or they failed too often."};
const metrics::Name kLost{"berth_binding_replies_lost_total",
                          "[ALPHA] Requests to bind a pod without a reply that the API server may have received."};
const metrics::Name kResent{"berth_binding_requests_resent_total",
                            "[ALPHA] Requests to bind a pod that were sent again after their reply was lost."};
const metrics::Name kFound{"berth_bindings_found_total",
                           "[ALPHA] Pods that were found bound although the reply was lost or an error."};
const metrics::Name kMemory{"berth_memory_bytes", "[ALPHA] Memory by part: columns is the attributes of nodes."};
const metrics::Name kEntries{"berth_table_entries",
                             "[ALPHA] Entries of the tables that grow with the cluster: interned_texts, cached_pods, "
                             "queued_pods, in_flight_events."};

const metrics::Name kRejectedNodes{"berth_unschedulable_nodes",
                                   "[ALPHA] Nodes that rejected a pending pod in its last attempt, by reason; a node "
                                   "counts once for each pod."};
const metrics::Name kRejectedPods{"berth_unschedulable_pods",
                                  "[ALPHA] Pending pods that a node rejected for the reason in the last attempt."};

size_t Quarantined(const framework::ProfileSet& profiles) {
  size_t n = profiles.quarantined.size();
  for (const auto& profile : profiles.profiles) {
    for (const auto& instance : profile->instances()) n += instance->quarantined() ? 1 : 0;
  }
  return n;
}

double Number(size_t n) { return static_cast<double>(n); }

}  // namespace

void OwnMetrics::Requests::Set(const requests::QueueLengths& lengths) const {
  binding.Set(Number(lengths.binding));
  eviction.Set(Number(lengths.eviction));
  rest.Set(Number(lengths.rest));
  delayed.Set(Number(lengths.delayed));
  in_flight.Set(Number(lengths.in_flight));
}

OwnMetrics::Requests OwnMetrics::MakeRequests(metrics::Registry& registry, const std::string& queue) {
  const auto gauge = [&](const char* state) {
    return registry.MakeGauge(kRequests, {{"queue", queue}, {"state", state}});
  };
  return {gauge("binding"), gauge("eviction"), gauge("rest"), gauge("delayed"), gauge("in_flight")};
}

OwnMetrics::OwnMetrics(metrics::Registry& registry, const api::InternTables& intern)
    : registry_(registry),
      intern_(intern),
      inbox_(registry.MakeGauge(kInbox)),
      quarantined_(registry.MakeGauge(kQuarantined)),
      column_bytes_(registry.MakeGauge(kMemory, {{"part", "columns"}})),
      interned_(registry.MakeGauge(kEntries, {{"table", "interned_texts"}})),
      queue_pods_(registry.MakeGauge(kEntries, {{"table", "queued_pods"}})),
      cached_pods_(registry.MakeGauge(kEntries, {{"table", "cached_pods"}})),
      in_flight_events_(registry.MakeGauge(kEntries, {{"table", "in_flight_events"}})),
      api_requests_(MakeRequests(registry, "api")),
      event_requests_(MakeRequests(registry, "events")),
      lost_(registry.MakeCounter(kLost)),
      resent_(registry.MakeCounter(kResent)),
      found_(registry.MakeCounter(kFound)),
      rejected_nodes_(registry, kRejectedNodes, "reason"),
      rejected_pods_(registry, kRejectedPods, "reason") {}

void OwnMetrics::Measure(Daemon& daemon) {
  engine::Engine& engine = daemon.engine();
  inbox_.Set(Number(engine.inbox_length()));
  quarantined_.Set(Number(Quarantined(engine.profiles())));
  api_requests_.Set(daemon.writes().request_lengths());
  event_requests_.Set(daemon.writes().event_lengths());
  const writer::Binder::Counts bindings = daemon.writes().bindings();
  lost_.Follow(Number(bindings.lost));
  resent_.Follow(Number(bindings.resent));
  found_.Follow(Number(bindings.found));
  MeasureWatches(daemon);
  MeasureMemory(engine);
  MeasureRejections(engine.queue().rejections());
}

// The plugins of the configuration decide which resources are watched.
void OwnMetrics::MeasureWatches(const Daemon& daemon) {
  for (const Reflectors::WatchState& watch : daemon.Watches()) {
    auto known = watches_.find(watch.resource);
    if (known == watches_.end()) {
      known = watches_.emplace(watch.resource, registry_.MakeGauge(kWatchBroken, {{"resource", watch.resource}})).first;
    }
    known->second.Set(base::InSeconds(watch.broken_ns));
  }
}

void OwnMetrics::MeasureMemory(engine::Engine& engine) {
  column_bytes_.Set(Number(engine.cache().column_bytes()));
  interned_.Set(Number(intern_.ids.size()));
  cached_pods_.Set(Number(engine.cache().n_pods()));
  const queue::QueueCounts counts = engine.queue().counts();
  queue_pods_.Set(Number(counts.active + counts.backoff + counts.unschedulable + counts.gated));
  in_flight_events_.Set(Number(engine.queue().in_flight().n_events()));
}

void OwnMetrics::MeasureRejections(const queue::RejectionCounts& counts) {
  std::map<std::string, double> nodes, pods;
  for (const auto& [reason, n_nodes, n_pods] : counts.Sums()) {
    nodes.emplace(reason, Number(n_nodes));
    pods.emplace(reason, Number(n_pods));
  }
  rejected_nodes_.Set(nodes);
  rejected_pods_.Set(pods);
}

}  // namespace berth::daemon
