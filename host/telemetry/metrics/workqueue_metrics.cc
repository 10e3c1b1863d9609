#include "telemetry/metrics/workqueue_metrics.h"

#include "base/clock.h"
#include "telemetry/metrics/kube_families.h"

namespace berth::metrics {

WorkqueueMetrics::WorkqueueMetrics(Registry& registry, const std::string& name) {
  registry.Declare(WorkqueueFamilies());
  const Labels labels{{"name", name}};
  adds_ = registry.CounterOf("workqueue_adds_total", labels);
  retries_ = registry.CounterOf("workqueue_retries_total", labels);
  depth_ = registry.GaugeOf("workqueue_depth", labels);
  unfinished_ = registry.GaugeOf("workqueue_unfinished_work_seconds", labels);
  longest_ = registry.GaugeOf("workqueue_longest_running_processor_seconds", labels);
  waited_ = registry.HistogramOf("workqueue_queue_duration_seconds", labels);
  worked_ = registry.HistogramOf("workqueue_work_duration_seconds", labels);
}

void WorkqueueMetrics::Waited(int64_t ns) const { waited_.Observe(base::InSeconds(ns)); }

void WorkqueueMetrics::Worked(int64_t ns) const { worked_.Observe(base::InSeconds(ns)); }

void WorkqueueMetrics::SetUnfinished(int64_t sum_ns, int64_t longest_ns) const {
  unfinished_.Set(base::InSeconds(sum_ns));
  longest_.Set(base::InSeconds(longest_ns));
}

}  // namespace berth::metrics
