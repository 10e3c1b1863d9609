// workqueue_*: the work queue of a controller. Source: k8s.io/component-base/metrics/prometheus/workqueue/metrics.go.
// Thread: any. Ownership: the handles point into the registry, which must outlive them; a default-constructed object
// does nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "telemetry/metrics/registry.h"

namespace berth::metrics {

class WorkqueueMetrics {
 public:
  WorkqueueMetrics() = default;
  // Declares WorkqueueFamilies. name: of the queue.
  WorkqueueMetrics(Registry& registry, const std::string& name);

  void Added() const { adds_.Increment(); }
  void Retried() const { retries_.Increment(); }
  void SetDepth(size_t depth) const { depth_.Set(static_cast<double>(depth)); }
  void Waited(int64_t ns) const;
  void Worked(int64_t ns) const;
  // The time of all work in progress, and of the longest.
  void SetUnfinished(int64_t sum_ns, int64_t longest_ns) const;

 private:
  Counter adds_, retries_;
  Gauge depth_, unfinished_, longest_;
  Histogram waited_, worked_;
};

}  // namespace berth::metrics
