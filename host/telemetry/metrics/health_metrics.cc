#include "telemetry/metrics/health_metrics.h"

#include "telemetry/metrics/kube_families.h"
#include "telemetry/metrics/process_metrics.h"

namespace berth::metrics {

HealthMetrics::HealthMetrics(Registry& registry)
    : last_(registry, "kubernetes_healthcheck", {"name", "type"}),
      total_(registry, "kubernetes_healthchecks_total", {"name", "type", "status"}) {
  registry.Declare(HealthFamilies());
  AddProcessStartTime(registry, Stability::kAlpha);
}

void HealthMetrics::Checked(std::string_view name, std::string_view type, bool passed) {
  last_.At({name, type}).Set(passed ? 1 : 0);
  total_.At({name, type, passed ? "success" : "error"}).Increment();
}

}  // namespace berth::metrics
