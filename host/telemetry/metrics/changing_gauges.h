// A gauge family with one label whose values come and go: each Set replaces all of its series, so that values that are
// gone do not stay. Thread: one at a time; the registry may be read concurrently. Ownership: the registry outlives it.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "telemetry/metrics/registry.h"

namespace berth::metrics {

class ChangingGauges {
 public:
  ChangingGauges(Registry& registry, Name family, std::string label)
      : registry_(registry), family_(std::move(family)), label_(std::move(label)) {}

  // By value of the label. Numbers of label values that --allow-metric-labels makes equal are added.
  void Set(const std::map<std::string, double>& numbers);

 private:
  Registry& registry_;
  const Name family_;
  const std::string label_;
  std::vector<Gauge> last_;  // different ones
};

}  // namespace berth::metrics
