// One TopologicalSort plugin with AppGroups, for the tests of this folder.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <berth/testing/plugin_under_test.hpp>

#include <string>
#include <utility>
#include <vector>

#include "berth/entry.h"

namespace topological_sort_test {

using namespace berth::sdk::testing;  // NOLINT: tests use the fake host's names

inline constexpr const char* kAppGroups = "appgroup.diktyo.x-k8s.io/v1alpha1/appgroups";

// Workloads and their indexes, in the order of the object.
using Order = std::vector<std::pair<std::string, int>>;

inline FakeObject GroupOf(const std::string& name, const Order& order, const std::string& ns = "default") {
  std::string entries;
  for (const auto& [workload, index] : order) {
    if (!entries.empty()) entries += ", ";
    entries += R"({"workload": {"kind": "Deployment", "name": ")" + workload + R"(-deployment", "selector": ")" +
               workload + R"("}, "index": )" + std::to_string(index) + "}";
  }
  return FakeObject(name, ns).Status(R"({"topologyOrder": [)" + entries + "]}");
}

inline FakePod Replica(const std::string& workload, const std::string& group) {
  return FakePod(workload + "-deployment")
      .Label("appgroup.diktyo.x-k8s.io", group)
      .Label("appgroup.diktyo.x-k8s.io.workload", workload);
}

// The plugin without args, or with these namespaces.
class Sorter {
 public:
  explicit Sorter(const std::vector<FakeObject>& groups, std::vector<FakeValue> namespaces = {}) {
    if (!namespaces.empty()) {
      plugin_.Args(FakeValue::Object({{"namespaces", FakeValue::Array(std::move(namespaces))}}));
    }
    for (const FakeObject& group : groups) plugin_.Put(kAppGroups, group);
    EXPECT_TRUE(plugin_.Start().ok());
  }
  ~Sorter() {
    plugin_.Stop();
    EXPECT_THAT(plugin_.Violations(), testing::IsEmpty());
  }

  bool Less(const FakeQueued& a, const FakeQueued& b) { return plugin_.Less(a, b); }
  // The order of two pods that differ in nothing else.
  bool Less(const FakePod& a, const FakePod& b) { return plugin_.Less({a}, {b}); }
  PluginUnderTest& plugin() { return plugin_; }

 private:
  PluginUnderTest plugin_{berth_entry_v1, "TopologicalSort"};
};

}  // namespace topological_sort_test
