// What the engine and its queue tell, as kube-scheduler's metrics. Thread: the scheduling thread; scrapes read the
// registry from theirs. Ownership: metrics and words outlive it, and it outlives the engine.
#pragma once

#include "base/clock.h"
#include "engine/attempt.h"
#include "engine/engine.h"
#include "metrics/scheduler_metrics.h"
#include "queue/policy.h"

namespace berth::daemon {

class Telemetry final : public engine::AttemptObserver, public queue::QueueObserver {
 public:
  Telemetry(metrics::SchedulerMetrics& metrics, const api::Vocabulary& words) : metrics_(metrics), words_(words) {}

  void OnAttempt(const engine::AttemptReport& report) override;
  void Incoming(const queue::QueuedPod& pod, queue::Place place, std::string_view event) override;
  void UnschedulableReason(base::Id plugin, base::Id profile, int delta) override;
  void InFlightEvents(const api::ClusterEvent* event, int delta) override;

  // The gauges, as they are between two cycles. dropped: Events that were not written since the process began.
  void Measure(engine::Engine& engine, uint64_t dropped_events);

 private:
  metrics::SchedulerMetrics& metrics_;
  const api::Vocabulary& words_;
  base::RealClock clock_;
  uint64_t dropped_ = 0;        // Events, as last measured
  uint64_t dropped_lines_ = 0;  // of the log, likewise
};

}  // namespace berth::daemon
