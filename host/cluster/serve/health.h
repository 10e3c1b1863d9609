// Health checks, and answers in kube-scheduler's format. Source: k8s.io/apiserver/pkg/server/healthz. Thread: any,
// concurrently; a check runs on the caller's thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client/http/incoming.h"
#include "telemetry/metrics/health_metrics.h"

namespace berth::serve {

struct Check {
  std::string name;  // "sched-handler-sync"
  // The error; nullopt: none. Thread: any, concurrently. It must neither wait nor throw.
  std::function<std::optional<std::string>()> run;
  // A note behind a passing check with ?verbose; "": none. Called like `run`; may be empty.
  std::function<std::string()> note = {};
  // Whether answers contain the error. False by default, as upstream.
  bool shows_error = false;
};

// A check that always passes, for endpoints without other checks.
Check Ping();

// One of /healthz, /livez, /readyz.
class Health {
 public:
  // name: "readyz".
  Health(std::string name, std::vector<Check> checks, metrics::HealthMetrics* metrics = nullptr);

  // All checks: "ok", or with ?verbose a line for each; 500 with the lines if one fails. The errors are logged at V(2),
  // and are part of the answer if the check's shows_error is set. ?exclude=name skips a check.
  http::Answer All(std::string_view query) const;
  // One check: "ok", or 500 with the error. nullopt: there is no such check.
  std::optional<http::Answer> One(std::string_view check) const;

  const std::string& name() const { return name_; }
  std::vector<std::string> CheckNames() const;

 private:
  // Runs the check and reports its result to the metrics.
  std::optional<std::string> Run(const Check& check) const;

  std::string name_;
  std::vector<Check> checks_;
  metrics::HealthMetrics* metrics_;  // may be null
};

}  // namespace berth::serve
