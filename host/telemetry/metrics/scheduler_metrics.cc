#include "telemetry/metrics/scheduler_metrics.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "telemetry/metrics/kube_families.h"

namespace berth::metrics {
namespace {

constexpr std::array<const char*, 3> kAttemptResults{"scheduled", "unschedulable", "error"};
constexpr std::array<const char*, 4> kQueues{"active", "backoff", "unschedulable", "gated"};

constexpr const char* kAttempts = "scheduler_schedule_attempts_total";
constexpr const char* kAttemptSeconds = "scheduler_scheduling_attempt_duration_seconds";
constexpr const char* kSliSeconds = "scheduler_pod_scheduling_sli_duration_seconds";
constexpr const char* kIncoming = "scheduler_queue_incoming_pods_total";
constexpr const char* kCacheSize = "scheduler_cache_size";
constexpr const char* kUnschedulable = "scheduler_unschedulable_pods";
constexpr const char* kInFlight = "scheduler_inflight_events";
const Name kEventsDropped{"berth_events_dropped_total",
                          "Events that were not written, because too many waited or the API server did not answer."};
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
    : point_seconds(registry, "scheduler_framework_extension_point_duration_seconds",
                    {"extension_point", "status", "profile"}),
      plugin_seconds(registry, "scheduler_plugin_execution_duration_seconds", {"plugin", "extension_point", "status"}),
      evaluations(registry, "scheduler_plugin_evaluation_total", {"plugin", "extension_point", "profile"}),
      permit_seconds(registry, "scheduler_permit_wait_duration_seconds", {"result"}),
      hint_seconds(registry, "scheduler_queueing_hint_execution_duration_seconds", {"plugin", "event", "hint"}),
      event_seconds(registry, "scheduler_event_handling_duration_seconds", {"event"}),
      batch_attempts(registry, "scheduler_batch_attempts_total", {"profile", "result"}),
      registry_(registry) {
  registry.Declare(SchedulerFamilies());
  algorithm_seconds = registry.HistogramOf("scheduler_scheduling_algorithm_duration_seconds");
  preemption_attempts = registry.CounterOf("scheduler_preemption_attempts_total");
  bindings = registry.GaugeOf("scheduler_goroutines", {{"operation", "binding"}});
  cached_nodes = registry.GaugeOf(kCacheSize, {{"type", "nodes"}});
  cached_pods = registry.GaugeOf(kCacheSize, {{"type", "pods"}});
  assumed_pods = registry.GaugeOf(kCacheSize, {{"type", "assumed_pods"}});
  events_dropped = registry.MakeCounter(kEventsDropped);
  log_lines_dropped = registry.MakeCounter(kLogLinesDropped);
  scheduling_attempts_ = registry.HistogramOf("scheduler_pod_scheduling_attempts");
  after_flush_ = registry.CounterOf("scheduler_pod_scheduled_after_flush_total");
  for (size_t i = 0; i < kQueues.size(); ++i) {
    pending_[i] = registry.GaugeOf("scheduler_pending_pods", {{"queue", kQueues[i]}});
  }
}

SchedulerMetrics::ProfileHandles SchedulerMetrics::MakeProfile(const std::string& profile) {
  ProfileHandles handles;
  for (size_t i = 0; i < kAttemptResults.size(); ++i) {
    const Labels labels{{"profile", profile}, {"result", kAttemptResults[i]}};
    handles.attempts[i] = registry_.CounterOf(kAttempts, labels);
    handles.seconds[i] = registry_.HistogramOf(kAttemptSeconds, labels);
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
    sli = registry_.HistogramOf(kSliSeconds, {{"attempts", label}});
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
      made[i] = registry_.CounterOf(kIncoming, {{"queue", kQueues[i]}, {"event", name}});
    }
    return made;
  });
  counters[static_cast<size_t>(queue == Queue::kGated ? Queue::kUnschedulable : queue)].Increment();
}

void SchedulerMetrics::AddUnschedulable(std::string_view plugin, std::string_view profile, int delta) {
  base::MutexLock lock(mutex_);
  auto& by_profile = Lookup(unschedulable_, plugin, [](const std::string&) { return ByName<Gauge>(); });
  Lookup(by_profile, profile, [&](const std::string& name) {
    return registry_.GaugeOf(kUnschedulable, {{"plugin", std::string(plugin)}, {"profile", name}});
  }).Add(delta);
}

void SchedulerMetrics::AddInFlightEvents(std::string_view event, int delta) {
  base::MutexLock lock(mutex_);
  Lookup(in_flight_, event, [this](const std::string& name) {
    return registry_.GaugeOf(kInFlight, {{"event", name}});
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
