// What the program is: kubernetes_build_info, version_info, and kubernetes_feature_enabled. Thread: any. Source:
// k8s.io/component-base/metrics/version.go, prometheus/compatversion, prometheus/feature.
#pragma once

#include <string>
#include <vector>

#include "telemetry/metrics/registry.h"

namespace berth::metrics {

struct Feature {
  std::string name, stage;  // "ALPHA", "BETA", "DEPRECATED"; "" for GA
  bool enabled = false;
};

// Declares VersionFamilies and sets their values, which do not change: the version of Kubernetes that Berth stands in
// for, and the feature gates.
void AddVersionMetrics(Registry& registry, const std::vector<Feature>& features);

}  // namespace berth::metrics
