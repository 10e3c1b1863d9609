#include "cluster/daemon/profile_telemetry.h"

#include <algorithm>

#include "base/clock.h"

namespace berth::daemon {
namespace {

using base::InSeconds;

void Add(const metrics::Histogram& histogram, framework::TimesSink::Counts counts, int64_t sum_ns) {
  histogram.ObserveMany({counts.begin(), counts.end()}, InSeconds(sum_ns));
}

}  // namespace

void ProfileTelemetry::Know(const framework::ProfileSet& published) {
  if (generation_ == published.generation) return;
  generation_ = published.generation;
  for (const auto& profile : published.profiles) {
    std::shared_ptr<framework::ProfileTimes> times = profile->shared_times();
    if (std::find(times_.begin(), times_.end(), times) == times_.end()) times_.push_back(std::move(times));
  }
}

void ProfileTelemetry::Collect(const framework::ProfileSet& published) {
  Know(published);
  // Looked up before Drain: a profile without other owners records nothing more.
  std::erase_if(times_, [this](const std::shared_ptr<framework::ProfileTimes>& times) {
    const bool last = times.use_count() == 1;
    times->Drain(*this);
    return last;
  });
}

void ProfileTelemetry::Point(std::string_view profile, framework::TimedPoint point, plugin::Code code, Counts counts,
                             int64_t sum_ns) {
  Add(metrics_.point_seconds.At({framework::LabelOf(point), plugin::CodeName(code), profile}), counts, sum_ns);
}

void ProfileTelemetry::Plugin(std::string_view plugin, framework::TimedPoint point, plugin::Code code, Counts counts,
                              int64_t sum_ns) {
  Add(metrics_.plugin_seconds.At({plugin, framework::LabelOf(point), plugin::CodeName(code)}), counts, sum_ns);
}

void ProfileTelemetry::PermitWait(plugin::Code code, Counts counts, int64_t sum_ns) {
  Add(metrics_.permit_seconds.At({plugin::CodeName(code)}), counts, sum_ns);
}

void ProfileTelemetry::Evaluations(std::string_view profile, std::string_view plugin, framework::TimedPoint point,
                                   uint64_t n) {
  metrics_.evaluations.At({plugin, framework::LabelOf(point), profile}).Increment(static_cast<double>(n));
}

void ProfileTelemetry::CyclesWithoutHint(std::string_view profile, uint64_t n) {
  if (batching_) metrics_.batch_attempts.At({profile, "no_hint"}).Increment(static_cast<double>(n));
}

void ProfileTelemetry::PreemptionAttempts(uint64_t n) {
  metrics_.preemption_attempts.Increment(static_cast<double>(n));
}

}  // namespace berth::daemon
