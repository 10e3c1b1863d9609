// What a family of metrics is: its name, kind, labels, buckets, help text, and stability. Source:
// k8s.io/component-base/metrics/opts.go KubeOpts, HistogramOpts. Thread: values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "telemetry/series/definition.h"

namespace berth::metrics {

using series::Kind;
// kNone: a family outside of Kubernetes' stability framework, such as process_*.
enum class Stability : uint8_t { kNone, kAlpha, kBeta, kStable };

struct Family {
  std::string name;  // "scheduler_pending_pods"
  Kind kind = Kind::kCounter;
  Stability stability = Stability::kNone;
  std::vector<std::string> labels;
  std::string help;
  std::vector<double> buckets;  // upper bounds without +Inf, of histograms only
};

std::string_view KindName(Kind kind);                 // "counter"
std::string_view StabilityName(Stability stability);  // "ALPHA"; "" for kNone
std::string HelpText(const Family& family);           // "[ALPHA] " and the help

// start, start * factor, ...: count upper bounds of buckets. start > 0, factor > 1.
std::vector<double> ExponentialBuckets(double start, double factor, int count);

}  // namespace berth::metrics
