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
  ChangingGauges(Registry& registry, const Name& family, std::string label)
      : registry_(registry), family_(family.name), label_(std::move(label)) {
    registry_.DeclareGauges(family, label_);
  }

  // By value of the label. Numbers of label values that --allow-metric-labels makes equal are added.
  void Set(const std::map<std::string, double>& numbers);

 private:
  Registry& registry_;
  const std::string family_, label_;
  std::map<std::string, Gauge> last_;  // by value of the label; several may be the same
};

}  // namespace berth::metrics
