// Nodes with zones, for the tests of this folder. Amounts of pods are in the ABI's units, those of zones are
// quantities.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <berth/testing/plugin_under_test.hpp>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "berth/entry.h"

namespace plugins::node_topology {

using namespace berth::sdk::testing;  // NOLINT: tests use the fakes' names

inline constexpr int64_t kMi = int64_t{1} << 20, kGi = int64_t{1} << 30, kGiga = 1'000'000'000;
inline constexpr const char* kTopologies = "topology.node.k8s.io/v1alpha2/noderesourcetopologies";
inline constexpr const char* kPodSingle = "SingleNUMANodePodLevel";
inline constexpr const char* kContainerSingle = "SingleNUMANodeContainerLevel";
inline constexpr const char* kPodBestEffort = "BestEffortPodLevel";
inline constexpr const char* kContainerBestEffort = "BestEffortContainerLevel";

inline constexpr auto kCpu = "cpu", kMemory = "memory", kHugepages = "hugepages-2Mi", kStorage = "ephemeral-storage";
inline constexpr auto kNic = "vendor/nic1", kGpu = "gpu";
inline constexpr auto kNoPod = "cannot align pod", kNoContainer = "cannot align container",
                      kNoInit = "cannot align init container";

using Quantities = std::vector<std::pair<std::string, std::string>>;
using Texts2 = std::vector<std::pair<std::string, std::string>>;

struct TestZone {
  std::string name;
  Quantities available;
  std::vector<int> costs = {};  // of node-0, node-1, ...; negative: none
  std::string type = "Node";
  Quantities allocatable = {};  // none: not reported
  Texts2 attributes = {};
};

struct TestNode {
  std::string name;
  std::string policy;
  std::vector<TestZone> zones;
  Amounts more = {};  // resources of the node that the zones do not list
  Texts2 attributes = {};
  bool reported = true;  // there is a NodeResourceTopology
};

inline FakeValue NamesAndValues(const Texts2& items, const char* name, const char* value) {
  std::vector<FakeValue> list;
  for (const auto& [key, text] : items) list.push_back(FakeValue::Object({{name, key}, {value, text}}));
  return FakeValue::Array(list);
}

inline FakeValue ResourcesValue(const TestZone& zone) {
  std::vector<FakeValue> list;
  for (const auto& [name, available] : zone.available) {
    FakeValue resource = FakeValue::Object({{"name", name}, {"available", available}});
    for (const auto& [same, allocatable] : zone.allocatable) {
      if (same == name) resource.Set("allocatable", allocatable);
    }
    list.push_back(resource);
  }
  return FakeValue::Array(list);
}

inline FakeValue ZoneValue(const TestZone& zone) {
  std::vector<FakeValue> costs;
  for (size_t i = 0; i < zone.costs.size(); ++i) {
    if (zone.costs[i] < 0) continue;
    costs.push_back(FakeValue::Object({{"name", "node-" + std::to_string(i)}, {"value", zone.costs[i]}}));
  }
  FakeValue value = FakeValue::Object({{"name", zone.name}, {"type", zone.type}});
  value.Set("resources", ResourcesValue(zone));
  if (!zone.attributes.empty()) value.Set("attributes", NamesAndValues(zone.attributes, "name", "value"));
  if (!costs.empty()) value.Set("costs", FakeValue::Array(costs));
  return value;
}

inline FakeObject TopologyOf(const TestNode& node) {
  std::vector<FakeValue> zones;
  for (const TestZone& zone : node.zones) zones.push_back(ZoneValue(zone));
  FakeObject object(node.name);
  if (!node.policy.empty()) object.Set("topologyPolicies", FakeValue::Array({node.policy}));
  if (!node.attributes.empty()) object.Set("attributes", NamesAndValues(node.attributes, "name", "value"));
  object.Set("zones", FakeValue::Array(zones));
  return object;
}

// The plugin looks only at the names.
inline FakeNode NodeOf(const TestNode& node) {
  std::map<std::string, int64_t> amounts(node.more.begin(), node.more.end());
  for (const TestZone& zone : node.zones) {
    for (const auto& [name, available] : zone.available) amounts.emplace(name, 1);
  }
  return FakeNode(node.name).Allocatable(Amounts(amounts.begin(), amounts.end()));
}

inline FakeValue StrategyArgs(const std::string& type) {
  return FakeValue::Object({{"scoringStrategy", FakeValue::Object({{"type", type}})}});
}

// Requests that are limits too.
inline FakePod Limited(const std::vector<Amounts>& containers) {
  FakePod pod("pod");
  for (const Amounts& amounts : containers) pod.Req(amounts, amounts);
  return pod;
}

class Fixture {
 public:
  explicit Fixture(const std::vector<TestNode>& nodes, const FakeValue& args = FakeValue::Object({}))
      : plugin(berth_entry_v1, "NodeResourceTopologyMatch") {
    plugin.Args(args);
    for (const TestNode& node : nodes) Add(node);
    const Outcome started = plugin.Start();
    EXPECT_TRUE(started.ok()) << started;
    plugin.SendState();
  }
  ~Fixture() {
    EXPECT_THAT(plugin.Violations(), testing::IsEmpty());
    plugin.Stop();
  }

  // The node's agent reports.
  void Report(const TestNode& node) { plugin.Put(kTopologies, TopologyOf(node)); }

  // As the host does: Filter is not called after Skip.
  Outcome Filter(const FakePod& pod, const std::string& node) {
    const auto attempt = plugin.Try(pod);
    const Outcome skip = attempt->PreFilter();
    const FilterOutcome filtered = attempt->Filter();
    EXPECT_TRUE(filtered.ok()) << filtered;
    const Outcome verdict = filtered.nodes.at(node);
    EXPECT_TRUE(skip.code != BERTH_SKIP || verdict.ok()) << verdict;
    return verdict;
  }
  Scores Score(const FakePod& pod) {
    const ScoreOutcome scored = plugin.Try(pod)->Score();
    EXPECT_TRUE(scored.ok()) << scored;
    return scored.nodes;
  }

 private:
  void Add(const TestNode& node) {
    plugin.cluster().Add(NodeOf(node));
    if (node.reported) Report(node);
  }

 public:
  PluginUnderTest plugin;
};

inline Outcome Refused(const std::string& reason) { return {BERTH_UNSCHEDULABLE, {reason}}; }
inline Outcome Wanted(const std::string& reason) { return reason.empty() ? Outcome{} : Refused(reason); }

}  // namespace plugins::node_topology
