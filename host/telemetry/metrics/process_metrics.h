// process_*: CPU time, memory, and file descriptors of this process, read from /proc when the metrics are collected.
// Source: github.com/prometheus/client_golang/prometheus process_collector_procfsenabled.go. Thread: any.
#pragma once

#include "telemetry/metrics/registry.h"

namespace berth::metrics {

// Declares the families and adds their collector. A value that cannot be read keeps its last value.
void AddProcessMetrics(Registry& registry);

// process_start_time_seconds only, as in the registry of /metrics/slis. Source: k8s.io/component-base/metrics
// RegisterProcessStartTime.
void AddProcessStartTime(Registry& registry, Stability stability = Stability::kNone);

}  // namespace berth::metrics
