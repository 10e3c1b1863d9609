// controller_runtime_reconcile_*: the result for each key. Source: sigs.k8s.io/controller-runtime
// pkg/internal/controller/metrics/metrics.go. Thread: any. Ownership: the registry outlives the object.
#pragma once

#include <cstdint>
#include <string>

#include "telemetry/metrics/registry.h"

namespace berth::reconcile {

class ReconcileMetrics {
 public:
  ReconcileMetrics(metrics::Registry& registry, const std::string& controller);
  void Ended(bool ok, int64_t ns) const;

 private:
  metrics::Counter succeeded_, failed_, errors_;
  metrics::Histogram time_;
};

}  // namespace berth::reconcile
