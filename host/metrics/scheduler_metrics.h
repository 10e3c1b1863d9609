// The metrics of kube-scheduler that Berth feeds, under the same names, labels and buckets, so that dashboards and
// alerts go on working. Source: pkg/scheduler/metrics/metrics.go; core.md 8.1 says when each is written.
//
// A series is made when it is first written to. Thread: any; a lock is held for a lookup and one write, and as long as
// only the scheduling thread writes it waits for nobody (but a scrape, for a histogram that is being copied).
// Ownership: points into the registry, which must outlive it.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "metrics/registry.h"

namespace berth::metrics {

enum class AttemptResult { kScheduled, kUnschedulable, kError };
enum class Queue { kActive, kBackoff, kUnschedulable, kGated };

class SchedulerMetrics {
 public:
  explicit SchedulerMetrics(Registry& registry);
  SchedulerMetrics(const SchedulerMetrics&) = delete;

  // An attempt is over: after the binding cycle when the pod was bound, else in the failure handler. seconds: since the
  // scheduling cycle began. Writes scheduler_schedule_attempts_total and scheduler_scheduling_attempt_duration_seconds.
  void AttemptOver(std::string_view profile, AttemptResult result, double seconds);
  // Moreover, when the pod was bound. attempts: how many it took. seconds: since the pod was first seen in the queue.
  // after_flush: it came back to the queue because its time in unschedulablePods was up.
  // Writes scheduler_pod_scheduling_attempts, _sli_duration_seconds and scheduler_pod_scheduled_after_flush_total.
  void PodScheduled(int attempts, double seconds, bool after_flush);

  // scheduler_queue_incoming_pods_total{queue, event}; gated pods come into unschedulable.
  void PodQueued(Queue queue, std::string_view event);
  // scheduler_unschedulable_pods{plugin, profile} += delta
  void AddUnschedulable(std::string_view plugin, std::string_view profile, int delta);
  // scheduler_inflight_events{event} += delta; the pods in flight are the event "PodPopped"
  void AddInFlightEvents(std::string_view event, int delta);
  // berth_plugin_faults_total{plugin, profile, extension_point}. Not kube-scheduler's. point: as log lines call it.
  void PluginFault(const std::string& plugin, const std::string& profile, const std::string& point);
  // berth_plugin_operations_pending and berth_plugin_operation_oldest_seconds{plugin, extension_point}. Not
  // kube-scheduler's.
  void SetOpenOperations(const std::string& plugin, const std::string& point, size_t open, double oldest_seconds);
  // scheduler_pending_pods{queue}
  void SetPending(Queue queue, size_t pods) const;

  // scheduler_scheduling_algorithm_duration_seconds: from the start of the cycle to its choice, PostFilter included.
  Histogram algorithm_seconds;
  // scheduler_cache_size{type}
  Gauge cached_nodes, cached_pods, assumed_pods;
  // berth_events_dropped_total: Events that were not written because too many waited. Not kube-scheduler's.
  Counter events_dropped;
  // berth_log_lines_dropped_total: log lines that standard error did not take. Not kube-scheduler's.
  Counter log_lines_dropped;

 private:
  struct ProfileHandles {
    std::array<Counter, 3> attempts;
    std::array<Histogram, 3> seconds;
  };
  template <class T>
  using ByName = std::map<std::string, T, std::less<>>;

  ProfileHandles MakeProfile(const std::string& profile);

  Registry& registry_;
  std::array<Gauge, 4> pending_;
  Histogram scheduling_attempts_;
  Counter after_flush_;

  std::mutex mutex_;  // guards the maps
  ByName<ProfileHandles> profiles_;
  ByName<std::array<Counter, 3>> incoming_;  // by event, then queue
  ByName<Gauge> in_flight_;
  ByName<ByName<Gauge>> unschedulable_;                   // by plugin, then profile
  std::array<std::optional<Histogram>, 15> sli_seconds_;  // by attempts: 1 to 14, and more
};

}  // namespace berth::metrics
