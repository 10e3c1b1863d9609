#include "cmd/berth-scheduler/measurements.h"

#include <utility>
#include <vector>

#include "config/options/metric_flags.h"
#include "plugin/instance/services.h"
#include "telemetry/metrics/kube_families.h"
#include "telemetry/metrics/plugin_series.h"
#include "telemetry/metrics/process_metrics.h"
#include "telemetry/metrics/version_metrics.h"

namespace berth {
namespace {

metrics::Selection SelectionOf(const options::Metrics& flags) {
  return {flags.disabled_metrics, options::AllowedMetricLabels(flags)};
}

const char* StageName(config::Stage stage) {
  switch (stage) {
    case config::Stage::kAlpha: return "ALPHA";
    case config::Stage::kBeta: return "BETA";
    case config::Stage::kDeprecated: return "DEPRECATED";
    case config::Stage::kGa: return "";
  }
  return "";
}

std::vector<metrics::Feature> FeaturesOf(const config::FeatureGates& gates) {
  std::vector<metrics::Feature> features;
  for (const config::Gate& gate : config::AllGates()) {
    features.push_back({std::string(gate.name), StageName(gate.stage), gates.Enabled(gate.name)});
  }
  return features;
}

}  // namespace

Measurements::Measurements(const options::SchedulerOptions& options, const config::FeatureGates& gates,
                           const api::InternTables& intern)
    : plugins_(plugin::MetricLimits()),
      registry_(SelectionOf(options.metrics)),
      slis_(SelectionOf(options.metrics)),
      telemetry_(scheduler_, intern, gates.Enabled("OpportunisticBatching")),
      own_(registry_, intern) {
  registry_.Serve(plugins_);
  metrics::ShareKubeFamilies(plugins_);
  registry_.Declare(metrics::WorkqueueFamilies());
  if (gates.Enabled("SchedulerAsyncAPICalls")) registry_.Declare(metrics::AsyncApiCallFamilies());
  if (gates.Enabled("GenericWorkload")) registry_.Declare(metrics::PodGroupFamilies());
  metrics::AddProcessMetrics(registry_);
  metrics::AddVersionMetrics(registry_, FeaturesOf(gates));
}

void Measurements::WatchRequestsTo(const std::string& url) {
  request_metrics_ = std::make_unique<metrics::RequestMetrics>(registry_, process::HostOf(url));
  requests_ = std::make_unique<process::RequestTelemetry>(*request_metrics_);
}

void Measurements::Measure(daemon::Daemon& daemon) {
  telemetry_.Measure(daemon.engine(), daemon.dropped_events());
  own_.Measure(daemon);
}

}  // namespace berth
