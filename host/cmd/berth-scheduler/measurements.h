// The metrics of the process: the registries, and the objects that write to them. Thread: created on main before
// anything that is measured; Measure on the scheduling thread; others as their headers say. Ownership: outlives the
// daemon, its clients and the endpoints.
#pragma once

#include <memory>
#include <string>

#include "api/intern_tables.h"
#include "cluster/daemon/daemon.h"
#include "cluster/daemon/own_metrics.h"
#include "cluster/daemon/telemetry.h"
#include "cluster/process/request_telemetry.h"
#include "config/configuration/feature_gates.h"
#include "config/options/options.h"
#include "telemetry/metrics/access_metrics.h"
#include "telemetry/metrics/health_metrics.h"
#include "telemetry/metrics/registry.h"
#include "telemetry/metrics/request_metrics.h"
#include "telemetry/metrics/scheduler_metrics.h"
#include "telemetry/series/plugin_families.h"

namespace berth {

class Measurements {
 public:
  // Declares every family, according to the options and gates.
  Measurements(const options::SchedulerOptions& options, const config::FeatureGates& gates,
               const api::InternTables& intern);

  // Before the clients are made. url: "https://10.0.0.1:6443".
  void WatchRequestsTo(const std::string& url);
  void Measure(daemon::Daemon& daemon);

  metrics::Registry& registry() { return registry_; }  // /metrics
  metrics::Registry& slis() { return slis_; }          // /metrics/slis
  metrics::HealthMetrics& health() { return health_; }
  metrics::SchedulerMetrics& scheduler() { return scheduler_; }
  metrics::AccessMetrics& access() { return access_; }  // of the secure port
  series::PluginFamilies& plugins() { return plugins_; }
  daemon::Telemetry& telemetry() { return telemetry_; }
  process::RequestTelemetry* requests() { return requests_.get(); }  // null before WatchRequestsTo

 private:
  series::PluginFamilies plugins_;
  metrics::Registry registry_, slis_;
  metrics::SchedulerMetrics scheduler_{registry_};
  metrics::AccessMetrics access_{registry_};
  metrics::HealthMetrics health_{slis_};
  daemon::Telemetry telemetry_;
  daemon::OwnMetrics own_;
  std::unique_ptr<metrics::RequestMetrics> request_metrics_;
  std::unique_ptr<process::RequestTelemetry> requests_;
};

}  // namespace berth
