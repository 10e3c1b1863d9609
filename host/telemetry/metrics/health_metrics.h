// /metrics/slis: the results of health checks. Source: k8s.io/component-base/metrics/prometheus/slis/metrics.go.
// Thread: any. Ownership: the registry outlives the object.
#pragma once

#include <string_view>

#include "telemetry/metrics/registry.h"
#include "telemetry/metrics/series_by.h"

namespace berth::metrics {

class HealthMetrics {
 public:
  // Declares HealthFamilies and process_start_time_seconds.
  explicit HealthMetrics(Registry& registry);

  // type: "healthz", "livez", "readyz".
  void Checked(std::string_view name, std::string_view type, bool passed);

 private:
  SeriesBy<Gauge> last_;
  SeriesBy<Counter> total_;
};

}  // namespace berth::metrics
