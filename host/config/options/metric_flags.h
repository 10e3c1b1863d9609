// The flags of the group "metrics": their errors with kube-scheduler's messages, and the list of allowed label values.
// Source: k8s.io/component-base/metrics/api/v1/config.go Validate. Thread: any; reads the manifest.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "config/options/options.h"

namespace berth::options {

std::vector<std::string> MetricErrors(const Metrics& metrics);

// --allow-metric-labels, or else the content of --allow-metric-labels-manifest: "metric,label" -> "value,value". Empty
// if there is neither. The flags are valid.
std::map<std::string, std::string> AllowedMetricLabels(const Metrics& metrics);

}  // namespace berth::options
