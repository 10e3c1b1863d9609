// Builders of pods with affinity, and the plugin in a cluster with upstream's four namespaces.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <berth/testing/plugin_under_test.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "berth/entry.h"

namespace plugins::inter_pod::test {

using namespace berth::sdk::testing;  // NOLINT: tests use the fake host's names

const Outcome kSkip{BERTH_SKIP, {}};
const Outcome kAffinityRefusal{BERTH_UNRESOLVABLE, {"node(s) didn't match pod affinity rules"}};
const Outcome kAntiAffinityRefusal{BERTH_UNSCHEDULABLE, {"node(s) didn't match pod anti-affinity rules"}};
const Outcome kExistingRefusal{BERTH_UNSCHEDULABLE, {"node(s) didn't satisfy existing pods anti-affinity rules"}};

// ---- selectors
using Sel = FakeSelector;
inline Sel One(const char* key, const char* op, Texts values = {}) { return {{}, {{key, op, std::move(values)}}}; }
inline Sel In(const char* key, Texts values) { return One(key, "In", std::move(values)); }
inline Sel NotIn(const char* key, Texts values) { return One(key, "NotIn", std::move(values)); }
inline Sel Exists(const char* key) { return One(key, "Exists"); }
inline Sel DoesNotExist(const char* key) { return One(key, "DoesNotExist"); }
inline Sel And(Sel a, const Sel& b) {
  a.expressions.insert(a.expressions.end(), b.expressions.begin(), b.expressions.end());
  return a;
}

// ---- the pod with one more term: {topology key, selector, namespaces, namespace selector}
inline FakePod Near(FakePod pod, FakePodTerm term) { return pod.PodAffinity(std::move(term)); }
inline FakePod Away(FakePod pod, FakePodTerm term) { return pod.PodAntiAffinity(std::move(term)); }
inline FakePod NearIfPossible(FakePod pod, int32_t weight, FakePodTerm term) {
  return pod.PodAffinity(std::move(term), weight);
}
inline FakePod AwayIfPossible(FakePod pod, int32_t weight, FakePodTerm term) {
  return pod.PodAntiAffinity(std::move(term), weight);
}

// The plugin in a cluster with upstream's four namespaces: teams 1 and 2 with two subteams each.
struct World {
  explicit World(std::optional<FakeValue> args = std::nullopt) : plugin(berth_entry_v1, "InterPodAffinity") {
    if (args) plugin.Args(*std::move(args));
    for (const char* team : {"team1", "team2"}) {
      for (const char* subteam : {"subteam1.", "subteam2."}) {
        plugin.Put("v1/namespaces", FakeObject(std::string(subteam) + team).Label("team", team));
      }
    }
  }
  // Adds a running pod with a unique name to the node.
  void Run(FakePod pod, const std::string& node) {
    plugin.cluster().Add(pod.Name(pod.name() + "-" + std::to_string(++n)), node);
  }
  // Starts the plugin and sends it all running pods as deltas.
  void Start() {
    ASSERT_EQ(plugin.Start(), Outcome{});
    plugin.SendState();
  }

  PluginUnderTest plugin;
  int n = 0;
};

}  // namespace plugins::inter_pod::test
