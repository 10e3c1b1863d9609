// The metrics of leader election, with the names and help texts of kube-scheduler. Source:
// k8s.io/component-base/metrics/prometheus/clientgo/leaderelection/metrics.go. Thread: any. Ownership: the handles
// point into the registry, which must outlive them; a default-constructed object does nothing.
#pragma once

#include <string>

#include "telemetry/metrics/registry.h"

namespace berth::metrics {

class LeaderElectionMetrics {
 public:
  LeaderElectionMetrics() = default;
  // name: of the election, "kube-scheduler".
  LeaderElectionMetrics(Registry& registry, const std::string& name);

  void LeaderOn() const { master_status_.Set(1); }
  void LeaderOff() const { master_status_.Set(0); }
  void SlowpathExercised() const { slowpath_.Increment(); }

 private:
  Gauge master_status_;
  Counter slowpath_;
};

}  // namespace berth::metrics
