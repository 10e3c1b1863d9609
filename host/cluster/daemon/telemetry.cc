#include "cluster/daemon/telemetry.h"

#include "telemetry/log/log.h"

namespace berth::daemon {
namespace {

using base::InSeconds;

metrics::Queue QueueOf(queue::Place place) {
  switch (place) {
    case queue::Place::kActive: return metrics::Queue::kActive;
    case queue::Place::kBackoff:
    case queue::Place::kErrorBackoff: return metrics::Queue::kBackoff;
    default: return metrics::Queue::kUnschedulable;
  }
}

metrics::AttemptResult ResultOf(const engine::AttemptReport& report) {
  if (report.bound) return metrics::AttemptResult::kScheduled;
  return report.result.status.rejected() ? metrics::AttemptResult::kUnschedulable : metrics::AttemptResult::kError;
}

}  // namespace

void Telemetry::OnAttempt(const engine::AttemptReport& report) {
  const int64_t now = clock_.MonoNs();
  metrics_.AttemptOver(report.profile.scheduler_name(), ResultOf(report), InSeconds(now - report.started_mono_ns));
  metrics_.algorithm_seconds.Observe(InSeconds(report.chosen_mono_ns - report.started_mono_ns));
  if (!report.bound || report.queued == nullptr) return;
  metrics_.PodScheduled(static_cast<int>(report.queued->attempts),
                        InSeconds(clock_.WallUnixNs() - report.queued->initial_attempt_timestamp),
                        report.queued->was_flushed_from_unschedulable);
}

void Telemetry::OnClusterEvent(const api::ClusterEvent& event, int64_t ns) {
  metrics_.event_seconds.At({event.Label()}).Observe(InSeconds(ns));
}

// A plugin answers for many pods in one call: Queue if it wants to retry any of them.
void Telemetry::HintAsked(base::Id plugin, const api::ClusterEvent& event, size_t, size_t n_queue, bool failed,
                          int64_t ns) {
  const std::string_view hint = failed ? "Error" : n_queue > 0 ? "Queue" : "QueueSkip";
  metrics_.hint_seconds.At({intern_.ids.Text(plugin), event.Label(), hint}).Observe(InSeconds(ns));
}

void Telemetry::Incoming(const queue::QueuedPod&, queue::Place place, std::string_view event) {
  metrics_.PodQueued(QueueOf(place), event);
}

void Telemetry::UnschedulableReason(base::Id plugin, base::Id profile, int delta) {
  metrics_.AddUnschedulable(intern_.ids.Text(plugin), intern_.ids.Text(profile), delta);
}

void Telemetry::InFlightEvents(const api::ClusterEvent* event, int delta) {
  metrics_.AddInFlightEvents(event == nullptr ? "PodPopped" : event->Label(), delta);
}

void Telemetry::Measure(engine::Engine& engine, uint64_t dropped_events) {
  const queue::QueueCounts counts = engine.queue().counts();
  metrics_.SetPending(metrics::Queue::kActive, counts.active);
  metrics_.SetPending(metrics::Queue::kBackoff, counts.backoff);
  metrics_.SetPending(metrics::Queue::kUnschedulable, counts.unschedulable);
  metrics_.SetPending(metrics::Queue::kGated, counts.gated);
  metrics_.cached_nodes.Set(engine.cache().n_nodes());
  metrics_.cached_pods.Set(static_cast<double>(engine.cache().n_pods()));
  metrics_.assumed_pods.Set(static_cast<double>(engine.cache().n_assumed()));
  metrics_.bindings.Set(static_cast<double>(engine.attempts_in_flight()));
  profiles_.Collect(engine.profiles());
  for (const bind::OpenOperations::Count& count : engine.open_operations().Counts()) {
    metrics_.SetOpenOperations(count.plugin, count.point, count.open, InSeconds(count.oldest_ns));
  }
  metrics_.events_dropped.Increment(static_cast<double>(dropped_events - dropped_));
  dropped_ = dropped_events;
  const uint64_t dropped_lines = log::DroppedLines();
  metrics_.log_lines_dropped.Increment(static_cast<double>(dropped_lines - dropped_lines_));
  dropped_lines_ = dropped_lines;
}

}  // namespace berth::daemon
