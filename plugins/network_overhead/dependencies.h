// spec.workloads of an AppGroup: the dependencies of each workload, and the highest accepted cost of a connection.
// Source: GetDependencyList of pkg/networkaware/util/util.go of kubernetes-sigs/scheduler-plugins.
// Thread: one at a time; any for Of. Ownership: owns the ids of the workloads; the host outlives it.
#pragma once

#include <berth/objects.hpp>
#include <berth/plugin.hpp>

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../common/owned_id.h"

namespace plugins::network_overhead {

struct Dependency {
  OwnedId workload;  // its selector
  int64_t max_cost;
};

class Dependencies {
 public:
  Dependencies(berth::sdk::Host& host, const berth::sdk::Object& app_group) {
    const auto workloads = app_group.At("spec", "workloads");
    for (uint32_t i = 0; i < workloads.size(); ++i) Read(host, workloads[i]);
  }

  // The dependencies of all entries with this selector, in their order. Null: there are none.
  const std::vector<Dependency>* Of(berth::sdk::Id workload) const {
    const auto at = lists_.find(workload);
    return at == lists_.end() ? nullptr : &at->second;
  }

 private:
  static std::string_view SelectorOf(const berth::sdk::Value& entry) {
    return entry.Get("workload").Get("selector").AsString();
  }

  void Read(berth::sdk::Host& host, const berth::sdk::Value& entry) {
    const auto dependencies = entry.Get("dependencies");
    if (dependencies.size() == 0) return;
    const berth::sdk::Id workload = names_.emplace_back(host, SelectorOf(entry)).get();
    for (uint32_t i = 0; i < dependencies.size(); ++i) {
      const auto one = dependencies[i];
      lists_[workload].push_back({OwnedId(host, SelectorOf(one)), one.Get("maxNetworkCost").AsInt()});
    }
  }

  std::vector<OwnedId> names_;  // the keys
  std::unordered_map<berth::sdk::Id, std::vector<Dependency>> lists_;
};

}  // namespace plugins::network_overhead
