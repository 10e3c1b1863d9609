// Writes kube-scheduler's metrics for the engine and its queue. Thread: the scheduling thread; a scrape reads the
// registry on its own thread. Ownership: metrics and intern must outlive the object, which must outlive the engine.
#pragma once

#include <memory>
#include <vector>

#include "base/clock.h"
#include "cluster/daemon/profile_telemetry.h"
#include "scheduler/engine/attempt.h"
#include "scheduler/engine/engine.h"
#include "scheduler/framework/profile_times.h"
#include "scheduler/queue/queue_policy.h"
#include "telemetry/metrics/scheduler_metrics.h"

namespace berth::daemon {

class Telemetry final : public engine::AttemptObserver, public queue::QueueObserver {
 public:
  // batching: the feature gate OpportunisticBatching is on.
  Telemetry(metrics::SchedulerMetrics& metrics, const api::InternTables& intern, bool batching = true)
      : metrics_(metrics), intern_(intern), profiles_(metrics, batching) {}

  void OnAttempt(const engine::AttemptReport& report) override;
  void OnClusterEvent(const api::ClusterEvent& event, int64_t ns) override;
  void Incoming(const queue::QueuedPod& pod, queue::Place place, std::string_view event) override;
  void UnschedulableReason(base::Id plugin, base::Id profile, int delta) override;
  void InFlightEvents(const api::ClusterEvent* event, int delta) override;
  void HintAsked(base::Id plugin, const api::ClusterEvent& event, size_t n_pods, size_t n_queue, bool failed,
                 int64_t ns) override;

  // Sets the gauges between two cycles. dropped_events: Events that were dropped since the start of the process.
  void Measure(engine::Engine& engine, uint64_t dropped_events);

 private:
  metrics::SchedulerMetrics& metrics_;
  const api::InternTables& intern_;
  base::RealClock clock_;
  ProfileTelemetry profiles_;
  uint64_t dropped_ = 0;        // Events, as last measured
  uint64_t dropped_lines_ = 0;  // of the log, likewise
};

}  // namespace berth::daemon
