// Which metrics are served, and which values their labels may have: --disabled-metrics, --allow-metric-labels, and
// --allow-metric-labels-manifest. Source: k8s.io/component-base/metrics/options.go SetDisabledMetrics,
// SetLabelAllowList, MetricLabelAllowList. Thread: filled at start; then a constant.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace berth::metrics {

using Labels = std::map<std::string, std::string>;

class Selection {
 public:
  Selection() = default;
  // disabled: names of families. allowed: "metric,label" -> "value,value"; keys have been validated.
  Selection(const std::vector<std::string>& disabled, const std::map<std::string, std::string>& allowed);

  bool Disabled(std::string_view family) const { return disabled_.find(family) != disabled_.end(); }
  size_t n_disabled() const { return disabled_.size(); }
  // Replaces each value that is not allowed by "unexpected". Returns how many it replaced.
  size_t Constrain(std::string_view family, Labels& labels) const;

 private:
  std::set<std::string, std::less<>> disabled_;
  std::map<std::string, std::map<std::string, std::set<std::string>>, std::less<>> allowed_;  // by family, then label
};

}  // namespace berth::metrics
