#include "telemetry/metrics/changing_gauges.h"

#include <algorithm>

namespace berth::metrics {

void ChangingGauges::Set(const std::map<std::string, double>& numbers) {
  std::vector<std::pair<Gauge, double>> now;
  for (const auto& [value, number] : numbers) {
    const Gauge gauge = registry_.MakeGauge(family_, {{label_, value}});
    const auto same = std::find_if(now.begin(), now.end(), [&](const auto& one) { return one.first == gauge; });
    if (same == now.end()) {
      now.emplace_back(gauge, number);
    } else {
      same->second += number;
    }
  }
  for (const Gauge& gauge : last_) {
    const bool stays = std::any_of(now.begin(), now.end(), [&](const auto& one) { return one.first == gauge; });
    if (!stays) registry_.Remove(family_.name, gauge);
  }
  last_.clear();
  for (const auto& [gauge, number] : now) {
    gauge.Set(number);
    last_.push_back(gauge);
  }
}

}  // namespace berth::metrics
