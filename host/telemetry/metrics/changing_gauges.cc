#include "telemetry/metrics/changing_gauges.h"

#include <algorithm>

namespace berth::metrics {

void ChangingGauges::Set(const std::map<std::string, double>& numbers) {
  std::map<std::string, Gauge> gauges;
  std::vector<std::pair<Gauge, double>> sums;
  const auto find = [&](const Gauge& gauge) {
    return std::find_if(sums.begin(), sums.end(), [&](const auto& one) { return one.first == gauge; });
  };
  for (const auto& [value, number] : numbers) {
    const auto known = last_.find(value);
    const Gauge gauge = known != last_.end() ? known->second : registry_.GaugeOf(family_, {{label_, value}});
    gauges.emplace(value, gauge);
    const auto sum = find(gauge);
    if (sum == sums.end()) {
      sums.emplace_back(gauge, number);
    } else {
      sum->second += number;
    }
  }
  std::vector<Gauge> removed;
  for (const auto& [value, gauge] : last_) {
    if (find(gauge) != sums.end() || std::find(removed.begin(), removed.end(), gauge) != removed.end()) continue;
    registry_.Remove(family_, gauge);
    removed.push_back(gauge);
  }
  for (const auto& [gauge, number] : sums) gauge.Set(number);
  last_ = std::move(gauges);
}

}  // namespace berth::metrics
