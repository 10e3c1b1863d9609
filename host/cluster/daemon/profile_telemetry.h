// Collects the durations that profiles have recorded (framework/profile_times.h) and writes them to the metrics.
// Thread: the scheduling thread. Ownership: shares the numbers of every profile, so that those of an old generation are
// collected until its last binding cycle has ended; metrics outlive the object.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "scheduler/framework/profile.h"
#include "scheduler/framework/profile_times.h"
#include "telemetry/metrics/scheduler_metrics.h"

namespace berth::daemon {

class ProfileTelemetry final : private framework::TimesSink {
 public:
  // batching: whether cycles without a hint count.
  ProfileTelemetry(metrics::SchedulerMetrics& metrics, bool batching) : metrics_(metrics), batching_(batching) {}

  // published: the active set. Cheap if there is nothing new.
  void Collect(const framework::ProfileSet& published);

 private:
  void Know(const framework::ProfileSet& published);

  void Point(std::string_view profile, framework::TimedPoint point, plugin::Code code, Counts counts,
             int64_t sum_ns) override;
  void Plugin(std::string_view plugin, framework::TimedPoint point, plugin::Code code, Counts counts,
              int64_t sum_ns) override;
  void PermitWait(plugin::Code code, Counts counts, int64_t sum_ns) override;
  void Evaluations(std::string_view profile, std::string_view plugin, framework::TimedPoint point, uint64_t n) override;
  void CyclesWithoutHint(std::string_view profile, uint64_t n) override;
  void PreemptionAttempts(uint64_t n) override;

  metrics::SchedulerMetrics& metrics_;
  const bool batching_;
  uint64_t generation_ = 0;  // the last one that Know saw
  std::vector<std::shared_ptr<framework::ProfileTimes>> times_;
};

}  // namespace berth::daemon
