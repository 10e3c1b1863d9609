// The families that kube-scheduler 1.36.3 registers, with its names, labels, buckets, stability, and help texts.
// tests/unit/telemetry/metrics compares them with a table that tests/cluster/cmd/families extracts from kube-scheduler.
// Source: pkg/scheduler/metrics/metrics.go, pkg/scheduler/framework/plugins/volumebinding/metrics/metrics.go;
// k8s.io/component-base/metrics/prometheus/*; access_metrics.h. Thread: constants.
#pragma once

#include <vector>

#include "telemetry/metrics/family.h"

namespace berth::metrics {

const std::vector<Family>& SchedulerFamilies();
const std::vector<Family>& AsyncApiCallFamilies();  // with the feature gate SchedulerAsyncAPICalls
const std::vector<Family>& PodGroupFamilies();      // with the feature gate GenericWorkload
const std::vector<Family>& RestClientFamilies();
const std::vector<Family>& WorkqueueFamilies();
const std::vector<Family>& AccessFamilies();   // of authentication and authorization
const std::vector<Family>& VersionFamilies();  // of the build, the version, and feature gates
const std::vector<Family>& HealthFamilies();   // of /metrics/slis

}  // namespace berth::metrics
