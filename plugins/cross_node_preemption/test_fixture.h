// Plain clusters, and one CrossNodePreemption plugin on them with the services that preemption needs, for the tests of
// this folder. The filters of the profile are a rule of the test about the pods that have left.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <berth/testing/fake_extenders.hpp>
#include <berth/testing/fake_nominations.hpp>
#include <berth/testing/fake_trials.hpp>
#include <berth/testing/names.hpp>
#include <berth/testing/plugin_under_test.hpp>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "berth/entry.h"

namespace cross_node_test {

using namespace berth::sdk::testing;  // NOLINT: tests use the fakes' names

inline constexpr int32_t kLow = 0, kMid = 10, kHigh = 100;  // as upstream's tests

struct PlainNode {
  std::string name, zone = "zone1";
  int slots = 32;
};
struct PlainPod {
  std::string name, node;
  int32_t priority = kLow;
  int64_t start = 0;     // Unix seconds
  bool foo = false;      // counts for constraints
  bool guarded = false;  // by the PodDisruptionBudget of the test
};
using Names = std::set<std::string>;

struct World {
  std::vector<PlainNode> nodes;
  std::vector<PlainPod> pods;

  const PlainNode& Node(const std::string& name) const {
    return *std::find_if(nodes.begin(), nodes.end(), [&name](const PlainNode& node) { return node.name == name; });
  }
  int PodsOn(const std::string& node, const Names& gone) const {
    return static_cast<int>(std::count_if(
        pods.begin(), pods.end(), [&](const PlainPod& pod) { return pod.node == node && !gone.contains(pod.name); }));
  }
  int FoosIn(const std::string& zone, const Names& gone) const {
    return static_cast<int>(std::count_if(pods.begin(), pods.end(), [&](const PlainPod& pod) {
      return pod.foo && Node(pod.node).zone == zone && !gone.contains(pod.name);
    }));
  }
};

// Whether the pod fits on the node after these pods have left.
using Fits = bool (*)(const World&, const std::string& node, const Names& gone);

inline bool HasSlot(const World& world, const std::string& node, const Names& gone) {
  return world.PodsOn(node, gone) < world.Node(node).slots;
}
// A topology spread constraint over zones, with maxSkew 1.
inline bool IsSpread(const World& world, const std::string& node, const Names& gone) {
  int fewest = std::numeric_limits<int>::max();
  for (const PlainNode& one : world.nodes) fewest = std::min(fewest, world.FoosIn(one.zone, gone));
  return HasSlot(world, node, gone) && world.FoosIn(world.Node(node).zone, gone) + 1 - fewest <= 1;
}
// Anti-affinity with pods of the zone.
inline bool IsAlone(const World& world, const std::string& node, const Names& gone) {
  return HasSlot(world, node, gone) && world.FoosIn(world.Node(node).zone, gone) == 0;
}
inline bool IsNever(const World&, const std::string&, const Names&) { return false; }

inline FakePod Preemptor() { return FakePod("p").Uid("p").Priority(kHigh); }

class Crossing {
 public:
  Crossing(World plain, Fits fits) : world(std::move(plain)), fits_(fits) {
    for (const PlainNode& node : world.nodes) plugin.cluster().Add(FakeNode(node.name));
    for (const PlainPod& pod : world.pods) plugin.cluster().Add(FakeOf(pod), pod.node);
    trials.Rule([this](const FakeTrials::Row& row) { return Judge(row); });
  }
  ~Crossing() { plugin.Stop(); }
  Crossing(const Crossing&) = delete;

  // A PodDisruptionBudget that guards pods: so many may be disrupted.
  Crossing& Budget(int allowed) {
    plugin.Put("policy/v1/poddisruptionbudgets",
               FakeObject("guard", "default")
                   .Spec(R"({"selector": {"matchLabels": {"guarded": "yes"}}})")
                   .Status(R"({"disruptionsAllowed": )" + std::to_string(allowed) + "}"));
    return *this;
  }
  Crossing& Start() {
    EXPECT_TRUE(plugin.Start().ok());
    return *this;
  }
  // Every node was rejected with UNSCHEDULABLE, except these.
  PostFilterOutcome Try(const FakePod& pod = Preemptor(), const std::map<std::string, berth_status>& other = {}) {
    std::map<std::string, berth_status> verdicts = other;
    for (const PlainNode& node : world.nodes) verdicts.emplace(node.name, BERTH_UNSCHEDULABLE);
    return plugin.Try(pod)->PostFilter(verdicts, BERTH_UNRESOLVABLE);
  }
  void Answer() {
    plugin.host().api().AnswersBy([](const FakeRequest&) { return FakeReply(); });
    plugin.host().api().Deliver();
  }
  Names Deleted() {
    Names names;
    for (const FakeRequest& request : plugin.host().api().requests()) {
      if (request.verb == "DELETE") names.insert(request.name);
    }
    return names;
  }
  size_t Filters() const {
    return static_cast<size_t>(std::count(trials.steps().begin(), trials.steps().end(), "filter"));
  }

  const World world;
  PluginUnderTest plugin{berth_entry_v1, "CrossNodePreemption"};
  FakeNominations nominations{plugin.host()};
  FakeTrials trials{plugin.host(), &nominations};
  Names closed_nodes;  // on which the pod never fits

 private:
  static FakePod FakeOf(const PlainPod& pod) {
    FakePod fake = FakePod(pod.name).Uid(pod.name).Priority(pod.priority).Label("guarded", pod.guarded ? "yes" : "no");
    return pod.start == 0 ? fake : fake.Started(pod.start * 1'000'000'000);
  }
  FakeTrials::Answer Judge(const FakeTrials::Row& row) {
    Names gone;
    AddGone(row, gone);
    for (const FakeTrials::Row& other : row.others) AddGone(other, gone);
    const std::string node = TextOf(row.node.name());
    FakeTrials::Answer answer;
    if (closed_nodes.contains(node) || !fits_(world, node, gone)) answer.code = BERTH_UNSCHEDULABLE;
    return answer;
  }
  void AddGone(const FakeTrials::Row& row, Names& gone) const {
    const std::string node = TextOf(row.node.name());
    for (const PlainPod& pod : world.pods) {
      if (pod.node == node) gone.insert(pod.name);
    }
    for (const auto& pod : row.pods) gone.erase(std::string(pod.name()));
  }

  const Fits fits_;
};

}  // namespace cross_node_test
