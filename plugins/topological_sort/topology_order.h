// status.topologyOrder of an AppGroup: the order of the workloads. A controller computes it from the dependencies.
// Source: FindPodOrder of pkg/networkaware/util/util.go of kubernetes-sigs/scheduler-plugins. Thread: one at a time;
// any for IndexOf. Ownership: owns the ids of the workloads; the host outlives it.
#pragma once

#include <berth/objects.hpp>
#include <berth/plugin.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "../common/owned_id.h"

namespace plugins {

class TopologyOrder {
 public:
  static constexpr int32_t kUnknown = -1;  // of a workload that is not in the order: it comes first

  TopologyOrder(berth::sdk::Host& host, const berth::sdk::Object& app_group) {
    const auto order = app_group.At("status", "topologyOrder");
    for (uint32_t i = 0; i < order.size(); ++i) {
      indexes_.emplace_back(OwnedId(host, order[i].Get("workload").Get("selector").AsString()),
                            static_cast<int32_t>(order[i].Get("index").AsInt()));
    }
    std::stable_sort(indexes_.begin(), indexes_.end(), Before);
  }

  // If the order has a workload twice, its first entry counts.
  int32_t IndexOf(berth::sdk::Id workload) const {
    const auto at = std::lower_bound(indexes_.begin(), indexes_.end(), workload,
                                     [](const Entry& entry, berth::sdk::Id id) { return entry.first.get() < id; });
    return at == indexes_.end() || at->first.get() != workload ? kUnknown : at->second;
  }

 private:
  using Entry = std::pair<OwnedId, int32_t>;
  static bool Before(const Entry& a, const Entry& b) { return a.first.get() < b.first.get(); }

  std::vector<Entry> indexes_;  // by the workload's id
};

}  // namespace plugins
