// The text of /metrics/resources: what each pod requests and limits, in Prometheus' format. Source:
// pkg/scheduler/metrics/resources/resources.go. Thread: any; it reads immutable pods. Ownership: nothing is stored, so
// the series of pods need memory only while the text exists.
#pragma once

#include <string>
#include <vector>

#include "api/intern_tables.h"
#include "api/pod.h"

namespace berth::daemon {

// One series for each pod, resource, and family whose value is not zero; sorted. Pods that have finished are left out.
std::string ResourceMetricsText(const api::InternTables& intern, std::vector<api::PodRef> pods);

// The unit of a resource: "cores", "bytes", "integer", or "".
std::string_view UnitOf(std::string_view resource);

}  // namespace berth::daemon
