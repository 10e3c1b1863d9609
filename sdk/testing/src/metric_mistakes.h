// The host's rules for definitions of metrics (berth/metrics.h), with the host's texts. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "berth/testing/checker.hpp"
#include "berth/testing/fake_pod.hpp"

namespace berth::sdk::testing {

struct MetricDefinition {
  uint32_t kind;
  std::string name, help;
  Texts labels;
  std::vector<double> buckets;
  bool operator==(const MetricDefinition&) const = default;
};

// "labels[1]: ..."; "": there is no mistake.
std::string MistakeIn(const MetricDefinition& definition);
bool AreLabelValues(const Texts& values);

}  // namespace berth::sdk::testing
