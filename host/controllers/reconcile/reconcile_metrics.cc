#include "controllers/reconcile/reconcile_metrics.h"

#include "base/clock.h"

namespace berth::reconcile {
namespace {

const metrics::Name kTotal{"controller_runtime_reconcile_total", "Total number of reconciliations per controller"};

metrics::Counter TotalOf(metrics::Registry& registry, const std::string& controller, const char* result) {
  return registry.MakeCounter(kTotal, {{"controller", controller}, {"result", result}});
}

}  // namespace

ReconcileMetrics::ReconcileMetrics(metrics::Registry& registry, const std::string& controller)
    : succeeded_(TotalOf(registry, controller, "success")),
      failed_(TotalOf(registry, controller, "error")),
      errors_(registry.MakeCounter(
          {"controller_runtime_reconcile_errors_total", "Total number of reconciliation errors per controller"},
          {{"controller", controller}})),
      time_(registry.MakeHistogram(
          {"controller_runtime_reconcile_time_seconds", "Length of time per reconciliation per controller"},
          {0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60}, {{"controller", controller}})) {}

void ReconcileMetrics::Ended(bool ok, int64_t ns) const {
  (ok ? succeeded_ : failed_).Increment();
  if (!ok) errors_.Increment();
  time_.Observe(base::InSeconds(ns));
}

}  // namespace berth::reconcile
