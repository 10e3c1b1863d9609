#include "telemetry/metrics/scheduler_metrics.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace berth::metrics {
namespace {

constexpr std::array<const char*, 3> kAttemptResults{"scheduled", "unschedulable", "error"};
constexpr std::array<const char*, 4> kQueues{"active", "backoff", "unschedulable", "gated"};

const Name kAttempts{"scheduler_schedule_attempts_total",
                     "[STABLE] Attempts to schedule pods by their result: scheduled, unschedulable (no node would do), "
                     "error (something went wrong)."};
const Name kAttemptSeconds{"scheduler_scheduling_attempt_duration_seconds",
                           "[STABLE] Seconds from the start of an attempt to its end, binding included."};
const Name kAlgorithmSeconds{"scheduler_scheduling_algorithm_duration_seconds",
                             "[ALPHA] Seconds that it took to choose a node, or to find that there is none."};
const Name kPending{"scheduler_pending_pods",
                    "[STABLE] Pods that wait, by queue: active, backoff, unschedulable (tried without success), gated "
                    "(may not be tried)."};
const Name kSchedulingAttempts{"scheduler_pod_scheduling_attempts", "[STABLE] Attempts that bound pods had needed."};
const Name kSliSeconds{"scheduler_pod_scheduling_sli_duration_seconds",
                       "[BETA] Seconds from a pod's arrival in the queue to its binding, by the attempts it took."};
const Name kAfterFlush{"scheduler_pod_scheduled_after_flush_total",
                       "[ALPHA] Pods bound after they had come back only because their time among the unschedulable "
                       "was up; many speak of queueing hints that miss something."};
const Name kIncoming{"scheduler_queue_incoming_pods_total", "[STABLE] Pods that came into a queue, by event."};
const Name kCacheSize{"scheduler_cache_size", "[ALPHA] Nodes, pods and assumed pods in the scheduler's cache."};
const Name kUnschedulable{"scheduler_unschedulable_pods",
                          "[BETA] Unschedulable pods by plugin; a pod counts for every plugin that rejected it."};
const Name kInFlight{"scheduler_inflight_events", "[ALPHA] Events that are kept because pods are in flight."};
const Name kEventsDropped{"berth_events_dropped_total",
                          "Events that were not written because too many waited for the API server."};
const Name kLogLinesDropped{"berth_log_lines_dropped_total",
                            "Log lines that were not written because standard error did not accept them."};

const Name kFaults{
    "berth_plugin_faults_total",
    "Calls in which a plugin threw an exception, returned an error or an invalid result, or returned too late."};

const Name kOpenOperations{"berth_plugin_operations_pending",
                           "[ALPHA] Operations (answers LATER of PreBind and Bind) that a plugin has not ended yet."};
const Name kOldestOperation{"berth_plugin_operation_oldest_seconds",
                            "[ALPHA] For how long the oldest operation that a plugin has not ended has been open."};

// The value at key, created by `make` if absent.
template <class Map, class Key, class Make>
auto& Lookup(Map& map, const Key& key, Make make) {
  const auto found = map.find(key);
  if (found != map.end()) return found->second;
  typename Map::key_type owned(key);
  auto value = make(owned);
  return map.emplace(std::move(owned), std::move(value)).first->second;
}

}  // namespace

SchedulerMetrics::SchedulerMetrics(Registry& registry)
    : algorithm_seconds(registry.MakeHistogram(kAlgorithmSeconds, ExponentialBuckets(0.001, 2, 15))),
      cached_nodes(registry.MakeGauge(kCacheSize, {{"type", "nodes"}})),
      cached_pods(registry.MakeGauge(kCacheSize, {{"type", "pods"}})),
      assumed_pods(registry.MakeGauge(kCacheSize, {{"type", "assumed_pods"}})),
      events_dropped(registry.MakeCounter(kEventsDropped)),
      log_lines_dropped(registry.MakeCounter(kLogLinesDropped)),
      registry_(registry),
      scheduling_attempts_(registry.MakeHistogram(kSchedulingAttempts, ExponentialBuckets(1, 2, 5))),
      after_flush_(registry.MakeCounter(kAfterFlush)) {
  for (size_t i = 0; i < kQueues.size(); ++i) pending_[i] = registry.MakeGauge(kPending, {{"queue", kQueues[i]}});
}

SchedulerMetrics::ProfileHandles SchedulerMetrics::MakeProfile(const std::string& profile) {
  ProfileHandles handles;
  for (size_t i = 0; i < kAttemptResults.size(); ++i) {
    const Labels labels{{"profile", profile}, {"result", kAttemptResults[i]}};
    handles.attempts[i] = registry_.MakeCounter(kAttempts, labels);
    handles.seconds[i] = registry_.MakeHistogram(kAttemptSeconds, ExponentialBuckets(0.001, 2, 15), labels);
  }
  return handles;
}

void SchedulerMetrics::AttemptOver(std::string_view profile, AttemptResult result, double seconds) {
  base::MutexLock lock(mutex_);
  const ProfileHandles& handles =
      Lookup(profiles_, profile, [this](const std::string& name) { return MakeProfile(name); });
  handles.attempts[static_cast<size_t>(result)].Increment();
  handles.seconds[static_cast<size_t>(result)].Observe(seconds);
}

void SchedulerMetrics::PodScheduled(int attempts, double seconds, bool after_flush) {
  base::MutexLock lock(mutex_);
  const size_t place = static_cast<size_t>(std::clamp(attempts, 1, 15)) - 1;
  std::optional<Histogram>& sli = sli_seconds_[place];
  if (!sli) {
    const std::string label = std::to_string(place + 1) + (place == 14 ? "+" : "");
    sli = registry_.MakeHistogram(kSliSeconds, ExponentialBuckets(0.01, 2, 20), {{"attempts", label}});
  }
  sli->Observe(seconds);
  scheduling_attempts_.Observe(attempts);
  if (after_flush) after_flush_.Increment();
}

void SchedulerMetrics::PodQueued(Queue queue, std::string_view event) {
  base::MutexLock lock(mutex_);
  const auto& counters = Lookup(incoming_, event, [this](const std::string& name) {
    std::array<Counter, 3> made;
    for (size_t i = 0; i < made.size(); ++i) {
      made[i] = registry_.MakeCounter(kIncoming, {{"queue", kQueues[i]}, {"event", name}});
    }
    return made;
  });
  counters[static_cast<size_t>(queue == Queue::kGated ? Queue::kUnschedulable : queue)].Increment();
}

void SchedulerMetrics::AddUnschedulable(std::string_view plugin, std::string_view profile, int delta) {
  base::MutexLock lock(mutex_);
  auto& by_profile = Lookup(unschedulable_, plugin, [](const std::string&) { return ByName<Gauge>(); });
  Lookup(by_profile, profile, [&](const std::string& name) {
    return registry_.MakeGauge(kUnschedulable, {{"plugin", std::string(plugin)}, {"profile", name}});
  }).Add(delta);
}

void SchedulerMetrics::AddInFlightEvents(std::string_view event, int delta) {
  base::MutexLock lock(mutex_);
  Lookup(in_flight_, event, [this](const std::string& name) {
    return registry_.MakeGauge(kInFlight, {{"event", name}});
  }).Add(delta);
}

void SchedulerMetrics::PluginFault(const std::string& plugin, const std::string& profile, const std::string& point) {
  registry_.MakeCounter(kFaults, {{"plugin", plugin}, {"profile", profile}, {"extension_point", point}}).Increment();
}

void SchedulerMetrics::SetOpenOperations(const std::string& plugin, const std::string& point, size_t open,
                                         double oldest_seconds) {
  const Labels labels{{"plugin", plugin}, {"extension_point", point}};
  registry_.MakeGauge(kOpenOperations, labels).Set(static_cast<double>(open));
  registry_.MakeGauge(kOldestOperation, labels).Set(oldest_seconds);
}

void SchedulerMetrics::SetPending(Queue queue, size_t pods) const {
  pending_[static_cast<size_t>(queue)].Set(static_cast<double>(pods));
}

}  // namespace berth::metrics
