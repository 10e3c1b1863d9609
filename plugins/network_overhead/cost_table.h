// The costs of a NetworkTopology (networktopology.diktyo.x-k8s.io/v1alpha1) that have the configured name.
// Source: populateCostMap of pkg/networkaware/networkoverhead/networkoverhead.go of kubernetes-sigs/scheduler-plugins.
// Thread: one at a time; any for Region and Zone. Ownership: owns the ids of regions and zones; the host outlives it.
#pragma once

#include <berth/objects.hpp>
#include <berth/plugin.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "../common/owned_id.h"

namespace plugins::network_overhead {

inline constexpr std::string_view kRegionKey = "topology.kubernetes.io/region";
inline constexpr std::string_view kZoneKey = "topology.kubernetes.io/zone";

class CostTable {
 public:
  CostTable() = default;  // every cost is unknown
  CostTable(berth::sdk::Host& host, const berth::sdk::Object& topology, std::string_view weights_name) {
    const auto weights = topology.At("spec", "weights");
    for (uint32_t i = 0; i < weights.size(); ++i) {
      if (weights[i].Get("name").AsString() == weights_name) ReadWeights(host, weights[i].Get("topologyList"));
    }
  }

  // nullopt: the cost is unknown.
  std::optional<int64_t> Region(berth::sdk::Id from, berth::sdk::Id to) const { return CostIn(regions_, from, to); }
  std::optional<int64_t> Zone(berth::sdk::Id from, berth::sdk::Id to) const { return CostIn(zones_, from, to); }

 private:
  using Id = berth::sdk::Id;
  using Value = berth::sdk::Value;
  using Costs = std::unordered_map<uint64_t, int64_t>;  // by origin and destination

  static uint64_t KeyOf(Id from, Id to) { return uint64_t{from} << 32 | to; }
  static std::optional<int64_t> CostIn(const Costs& costs, Id from, Id to) {
    const auto at = costs.find(KeyOf(from, to));
    return at == costs.end() ? std::nullopt : std::optional(at->second);
  }

  void ReadWeights(berth::sdk::Host& host, const Value& topologies) {
    for (uint32_t i = 0; i < topologies.size(); ++i) {
      const std::string_view key = topologies[i].Get("topologyKey").AsString();
      if (key == kRegionKey) ReadOrigins(host, topologies[i].Get("originList"), regions_);
      if (key == kZoneKey) ReadOrigins(host, topologies[i].Get("originList"), zones_);
    }
  }
  void ReadOrigins(berth::sdk::Host& host, const Value& origins, Costs& costs) {
    for (uint32_t i = 0; i < origins.size(); ++i) {
      const Id from = IdOf(host, origins[i].Get("origin").AsString());
      const Value list = origins[i].Get("costList");
      if (from == berth::sdk::kEmptyId) continue;  // a node without the label has no costs
      for (uint32_t j = 0; j < list.size(); ++j) {
        const Id to = IdOf(host, list[j].Get("destination").AsString());
        costs[KeyOf(from, to)] = list[j].Get("networkCost").AsInt();  // the last one counts
      }
    }
  }
  // One owner for each name, however often it occurs.
  Id IdOf(berth::sdk::Host& host, std::string_view name) {
    OwnedId id(host, name);
    return names_.try_emplace(id.get(), std::move(id)).first->first;
  }

  std::unordered_map<Id, OwnedId> names_;
  Costs regions_, zones_;
};

}  // namespace plugins::network_overhead
