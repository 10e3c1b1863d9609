// The metrics of kube-scheduler that Berth writes, with the same names, labels, and buckets, so dashboards and alerts
// continue to work. Source: pkg/scheduler/metrics/metrics.go.
//
// A series is created by its first write. Thread: any. A lock is held for a lookup and one write. If only the
// scheduling thread writes, it waits only for a scrape that copies a histogram. Ownership: points into the registry,
// which must outlive it.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/thread_annotations.h"
#include "telemetry/metrics/registry.h"
#include "telemetry/metrics/series_by.h"

namespace berth::metrics {

enum class AttemptResult { kScheduled, kUnschedulable, kError };
enum class Queue { kActive, kBackoff, kUnschedulable, kGated };

class SchedulerMetrics {
 public:
  // Declares SchedulerFamilies.
  explicit SchedulerMetrics(Registry& registry);
  SchedulerMetrics(const SchedulerMetrics&) = delete;

  // Records the end of an attempt: after the binding cycle if the pod was bound, else in the failure handler. seconds:
  // since the start of the scheduling cycle. Writes scheduler_schedule_attempts_total and
  // scheduler_scheduling_attempt_duration_seconds.
  void AttemptOver(std::string_view profile, AttemptResult result, double seconds);
  // Records a bound pod, in addition to AttemptOver. attempts: the number of its attempts. seconds: since it was added
  // to the queue. after_flush: the flush of unschedulablePods returned it to the queue. Writes
  // scheduler_pod_scheduling_attempts, _sli_duration_seconds, and scheduler_pod_scheduled_after_flush_total.
  void PodScheduled(int attempts, double seconds, bool after_flush);

  // scheduler_queue_incoming_pods_total{queue, event}; gated pods count as unschedulable.
  void PodQueued(Queue queue, std::string_view event);
  // scheduler_unschedulable_pods{plugin, profile} += delta
  void AddUnschedulable(std::string_view plugin, std::string_view profile, int delta);
  // scheduler_inflight_events{event} += delta; a pod in flight is an event "PodPopped"
  void AddInFlightEvents(std::string_view event, int delta);
  // berth_plugin_faults_total{plugin, profile, extension_point}; not in kube-scheduler. point: its name in log lines.
  void PluginFault(const std::string& plugin, const std::string& profile, const std::string& point);
  // berth_plugin_operations_pending and berth_plugin_operation_oldest_seconds{plugin, extension_point}; not in
  // kube-scheduler.
  void SetOpenOperations(const std::string& plugin, const std::string& point, size_t open, double oldest_seconds);
  // scheduler_pending_pods{queue}
  void SetPending(Queue queue, size_t pods) const;

  // Series whose labels become known while the scheduler runs, with the values in this order.
  SeriesBy<Histogram> point_seconds;   // scheduler_framework_extension_point_duration_seconds: point, status, profile
  SeriesBy<Histogram> plugin_seconds;  // scheduler_plugin_execution_duration_seconds: plugin, point, status
  SeriesBy<Counter> evaluations;       // scheduler_plugin_evaluation_total: plugin, point, profile
  SeriesBy<Histogram> permit_seconds;  // scheduler_permit_wait_duration_seconds: result
  SeriesBy<Histogram> hint_seconds;    // scheduler_queueing_hint_execution_duration_seconds: plugin, event, hint
  SeriesBy<Histogram> event_seconds;   // scheduler_event_handling_duration_seconds: event
  SeriesBy<Counter> batch_attempts;    // scheduler_batch_attempts_total: profile, result

  // scheduler_scheduling_algorithm_duration_seconds: from the start of the scheduling cycle to its decision, PostFilter
  // included.
  Histogram algorithm_seconds;
  // scheduler_preemption_attempts_total: calls of PostFilter of plugins that preempt.
  Counter preemption_attempts;
  // scheduler_goroutines{operation="binding"}: open binding cycles. They hold a thread only while a plugin runs.
  Gauge bindings;
  // scheduler_cache_size{type}
  Gauge cached_nodes, cached_pods, assumed_pods;
  // berth_events_dropped_total: Events that were not written, because too many waited or the API
  // server did not answer; not in kube-scheduler.
  Counter events_dropped;
  // berth_log_lines_dropped_total: log lines that standard error did not accept; not in kube-scheduler.
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

  base::Mutex mutex_;
  ByName<ProfileHandles> profiles_ GUARDED_BY(mutex_);
  ByName<std::array<Counter, 3>> incoming_ GUARDED_BY(mutex_);  // by event, then queue
  ByName<Gauge> in_flight_ GUARDED_BY(mutex_);
  ByName<ByName<Gauge>> unschedulable_ GUARDED_BY(mutex_);                   // by plugin, then profile
  std::array<std::optional<Histogram>, 15> sli_seconds_ GUARDED_BY(mutex_);  // by attempts: 1 to 14, and more
};

}  // namespace berth::metrics
