// What the plugin reads of a NodeResourceTopology (topology.node.k8s.io/v1alpha2). Source: createNUMANodeList of
// pkg/noderesourcetopology/pluginhelpers.go of kubernetes-sigs/scheduler-plugins. A value; thread: any.
#pragma once

#include <berth/objects.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "../common/quantity_text.h"
#include "manager.h"
#include "placement.h"

namespace plugins::node_topology {

inline constexpr uint32_t kMostZoneIds = 64;

struct Zone {
  uint32_t id = 0;                                         // below kMostZoneIds
  std::vector<std::pair<std::string, int64_t>> available;  // cpu in thousandths, everything else whole; rounded down
  std::vector<std::pair<uint32_t, uint32_t>> costs;        // zone id, distance
  std::vector<int64_t> limits = {};  // what is allocatable, in the order of available; none: not read

  bool operator==(const Zone&) const = default;
};

struct Topology {
  TopologyManager manager;
  std::vector<Zone> zones;   // by ascending id, each id once
  Placement placement = {};  // by zone id

  bool operator==(const Topology&) const = default;
};

// N of "node-N".
inline std::optional<uint32_t> ZoneId(std::string_view name) {
  constexpr std::string_view kPrefix = "node-";
  if (!name.starts_with(kPrefix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  uint32_t id = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), id);
  if (error != std::errc() || end != name.data() + name.size() || id >= kMostZoneIds) return std::nullopt;
  return id;
}

class TopologyReader {
 public:
  explicit TopologyReader(const berth::sdk::Objects& objects, bool reads_limits = false)
      : objects_(objects), reads_limits_(reads_limits) {}

  Topology Read(const berth::sdk::Object& object) const {
    Topology topology;
    topology.manager = ManagerOf(object);
    const Value zones = object.At("zones");
    for (uint32_t i = 0; i < zones.size(); ++i) AddZone(zones[i], topology.zones);
    std::sort(topology.zones.begin(), topology.zones.end(), [](const Zone& a, const Zone& b) { return a.id < b.id; });
    return topology;
  }

  static TopologyManager ManagerOf(const berth::sdk::Object& object) {
    TopologyManager manager;
    manager.SetBoth(object.At("topologyPolicies")[0].AsString());
    const Value attributes = object.At("attributes");
    for (uint32_t i = 0; i < attributes.size(); ++i) {
      manager.SetAttribute(attributes[i].Get("name").AsString(), attributes[i].Get("value").AsString());
    }
    return manager;
  }

 private:
  using Value = berth::sdk::Value;

  // Of zones with one name, the first counts.
  void AddZone(const Value& value, std::vector<Zone>& zones) const {
    const auto id = ZoneId(value.Get("name").AsString());
    const auto same = [&id](const Zone& zone) { return zone.id == *id; };
    if (!id || value.Get("type").AsString() != "Node") return;
    if (std::any_of(zones.begin(), zones.end(), same)) return;
    Zone& zone = zones.emplace_back();
    zone.id = *id;
    const Value resources = value.Get("resources"), costs = value.Get("costs");
    for (uint32_t i = 0; i < resources.size(); ++i) AddResource(resources[i], zone);
    for (uint32_t i = 0; i < costs.size(); ++i) AddCost(costs[i], zone);
  }
  // Of resources with one name, the last counts.
  void AddResource(const Value& value, Zone& zone) const {
    const std::string_view name = value.Get("name").AsString();
    const auto same = [name](const auto& entry) { return entry.first == name; };
    auto at = std::find_if(zone.available.begin(), zone.available.end(), same);
    if (at == zone.available.end()) at = zone.available.emplace(at, name, 0);
    at->second = AmountOf(name, value.Get("available"));
    if (!reads_limits_) return;
    zone.limits.resize(zone.available.size());
    zone.limits[static_cast<size_t>(at - zone.available.begin())] = AmountOf(name, value.Get("allocatable"));
  }
  static void AddCost(const Value& value, Zone& zone) {
    constexpr int64_t kMostCost = 1 << 16;
    const auto id = ZoneId(value.Get("name").AsString());
    if (!id) return;
    const auto cost = static_cast<uint32_t>(std::clamp<int64_t>(value.Get("value").AsInt(), 0, kMostCost));
    for (auto& [known, distance] : zone.costs) {
      if (known == *id) return static_cast<void>(distance = cost);
    }
    zone.costs.emplace_back(*id, cost);
  }

  int64_t AmountOf(std::string_view name, const Value& value) const {
    const std::string text = QuantityText(value);
    return name == "cpu" ? objects_.Milli(text).value_or(0) : WholeUnits(text);
  }
  // The service rounds up.
  int64_t WholeUnits(std::string_view text) const {
    const int64_t units = objects_.Units(text).value_or(0), milli = objects_.Milli(text).value_or(0);
    const bool saturated = milli == std::numeric_limits<int64_t>::max() || milli == std::numeric_limits<int64_t>::min();
    return saturated || milli % 1000 == 0 ? units : units - 1;
  }

  const berth::sdk::Objects& objects_;
  const bool reads_limits_;
};

}  // namespace plugins::node_topology
