// One NetworkOverhead plugin with AppGroups, a NetworkTopology, and a cluster, for the tests of this folder.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <berth/testing/plugin_under_test.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "berth/entry.h"

namespace network_overhead_test {

using namespace berth::sdk::testing;  // NOLINT: tests use the fake host's names

inline constexpr const char* kAppGroups = "appgroup.diktyo.x-k8s.io/v1alpha1/appgroups";
inline constexpr const char* kTopologies = "networktopology.diktyo.x-k8s.io/v1alpha1/networktopologies";

struct Link {
  std::string workload, on;
  int64_t max_cost = 0;
};

// An AppGroup in which workloads depend on others.
inline FakeObject GroupOf(const std::string& name, const std::vector<Link>& links, const std::string& ns = "default") {
  std::string workloads;
  for (const Link& link : links) {
    if (!workloads.empty()) workloads += ", ";
    workloads += R"({"workload": {"kind": "Deployment", "name": "w", "selector": ")" + link.workload +
                 R"("}, "dependencies": [{"workload": {"kind": "Deployment", "name": "w", "selector": ")" + link.on +
                 R"("}, "maxNetworkCost": )" + std::to_string(link.max_cost) + "}]}";
  }
  return FakeObject(name, ns).Spec(R"({"numMembers": 3, "workloads": [)" + workloads + "]}");
}

struct Cost {
  std::string from, to;
  int64_t cost;
};

inline std::string OriginsOf(const std::vector<Cost>& costs) {
  std::string origins;
  for (const Cost& one : costs) {
    if (!origins.empty()) origins += ", ";
    origins += R"({"origin": ")" + one.from + R"(", "costList": [{"destination": ")" + one.to +
               R"(", "networkCost": )" + std::to_string(one.cost) + "}]}";
  }
  return "[" + origins + "]";
}
inline std::string WeightsOf(const std::string& name, const std::vector<Cost>& regions,
                             const std::vector<Cost>& zones) {
  return R"({"name": ")" + name + R"(", "topologyList": [)" +
         R"({"topologyKey": "topology.kubernetes.io/region", "originList": )" + OriginsOf(regions) + "}, " +
         R"({"topologyKey": "topology.kubernetes.io/zone", "originList": )" + OriginsOf(zones) + "}]}";
}
inline FakeObject TopologyOf(const std::string& name, const std::string& weights, const std::string& ns = "default") {
  return FakeObject(name, ns).Spec(R"({"configmapName": "costs", "weights": [)" + weights + "]}");
}

// Upstream's GetNetworkTopologyCRBasic and GetAppGroupCRBasic.
inline FakeObject BasicTopology() {
  return TopologyOf("nt-test",
                    WeightsOf("UserDefined", {{"us-west-1", "us-east-1", 20}, {"us-east-1", "us-west-1", 20}},
                              {{"Z1", "Z2", 5}, {"Z2", "Z1", 5}, {"Z3", "Z4", 10}, {"Z4", "Z3", 10}}));
}
inline FakeObject BasicGroup() { return GroupOf("basic", {{"p1", "p2"}, {"p2", "p3"}}); }

inline FakePod Replica(const std::string& workload, const std::string& group = "basic") {
  return FakePod(workload + "-deployment")
      .Label("appgroup.diktyo.x-k8s.io", group)
      .Label("appgroup.diktyo.x-k8s.io.workload", workload);
}

inline FakeNode NodeIn(const std::string& name, const std::string& region, const std::string& zone) {
  FakeNode node(name);
  if (!region.empty()) node.Label("topology.kubernetes.io/region", region);
  if (!zone.empty()) node.Label("topology.kubernetes.io/zone", zone);
  return node;
}

inline Outcome TooExpensive(const std::string& node, int satisfied, int violated) {
  return {BERTH_UNSCHEDULABLE,
          {"Node " + node + " does not meet several network requirements from Workload dependencies: Satisfied: " +
           std::to_string(satisfied) + " Violated: " + std::to_string(violated)}};
}

class Net {
 public:
  Net() { plugin_.Args(FakeValue::Object({{"networkTopologyName", "nt-test"}})); }
  ~Net() {
    plugin_.Stop();
    EXPECT_THAT(plugin_.Violations(), testing::IsEmpty());
  }

  // Upstream's eight nodes in two regions with two zones each.
  Net& EightNodes() {
    for (int i = 1; i <= 8; ++i) {
      const std::string zone = "Z" + std::to_string((i + 1) / 2);
      Node(NodeIn("n-" + std::to_string(i), i <= 4 ? "us-west-1" : "us-east-1", zone));
    }
    return *this;
  }
  Net& Node(const FakeNode& node) { return plugin_.cluster().Add(node), *this; }
  Net& Pod(const FakePod& pod, const std::string& node) { return plugin_.cluster().Add(pod, node), *this; }
  Net& Object(const char* kind, const FakeObject& object) { return plugin_.Put(kind, object), *this; }
  Net& Start() {
    EXPECT_TRUE(plugin_.Start().ok());
    plugin_.SendState();
    return *this;
  }

  // The costs on all nodes.
  Scores ScoresOf(const FakePod& pod) {
    const auto attempt = plugin_.Try(pod);
    attempt->PreFilter();
    return attempt->Score().nodes;
  }
  Scores Normalized(const FakePod& pod, const Scores& raw) { return plugin_.Try(pod)->Normalize(raw).nodes; }
  Outcome Filter(const FakePod& pod, const std::string& node) {
    const auto attempt = plugin_.Try(pod);
    attempt->PreFilter();
    return attempt->Filter({node}).nodes[node];
  }
  bool Skips(const FakePod& pod) { return plugin_.Try(pod)->PreFilter().code == BERTH_SKIP; }
  PluginUnderTest& plugin() { return plugin_; }

 private:
  PluginUnderTest plugin_{berth_entry_v1, "NetworkOverhead"};
};

}  // namespace network_overhead_test
