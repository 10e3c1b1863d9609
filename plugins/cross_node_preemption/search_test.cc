// Which pods are chosen: the cases of the original, and random clusters against a search through all sets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <tuple>

#include "test_fixture.h"

namespace cross_node_test {
namespace {

struct UpstreamCase {
  const char* name;
  World world;
  Fits fits;
  // The candidates: each of these nodes, with these victims.
  std::vector<std::string> want_nodes = {"node-a", "node-b"};
  Names want_victims = {"pod-a", "pod-b"};
};

class Upstream : public testing::TestWithParam<UpstreamCase> {};

// Only one of the candidates is chosen: the others are closed.
TEST_P(Upstream, EveryCandidateIsFound) {
  for (const std::string& node : GetParam().want_nodes) {
    Crossing rig(GetParam().world, GetParam().fits);
    for (const PlainNode& other : rig.world.nodes) {
      if (other.name != node) rig.closed_nodes.insert(other.name);
    }
    const PostFilterOutcome outcome = rig.Start().Try();
    rig.Answer();
    EXPECT_TRUE(outcome.ok());
    EXPECT_EQ(outcome.node, node);
    EXPECT_EQ(rig.Deleted(), GetParam().want_victims);
  }
}

TEST_P(Upstream, ThereIsNoOtherCandidate) {
  Crossing rig(GetParam().world, GetParam().fits);
  for (const std::string& node : GetParam().want_nodes) rig.closed_nodes.insert(node);
  const PostFilterOutcome outcome = rig.Start().Try();
  rig.Answer();
  EXPECT_EQ(outcome.code, BERTH_UNSCHEDULABLE);
  EXPECT_EQ(rig.Deleted(), Names{});
}

const PlainPod kPodA{.name = "pod-a", .node = "node-a", .foo = true};
const PlainPod kPodB{.name = "pod-b", .node = "node-b", .foo = true};
const PlainPod kPodX{.name = "pod-x", .node = "node-x", .priority = kHigh};

// Two nodes of zone1 with a pod each, and a node of zone2 without room.
World TwoZones(int slots_of_x, std::vector<PlainPod> pods) {
  return {.nodes = {{.name = "node-a"}, {.name = "node-b"}, {.name = "node-x", .zone = "zone2", .slots = slots_of_x}},
          .pods = std::move(pods)};
}

// TestFindCandidates of pkg/crossnodepreemption/cross_node_preemption_test.go, and TestCrossNodePreemptionPlugin of
// test/integration/cross_node_preemption_test.go.
INSTANTIATE_TEST_SUITE_P(Suite, Upstream,
                         testing::Values(UpstreamCase{.name = "resolve PodTopologySpread constraint",
                                                      .world = TwoZones(1, {kPodA, kPodB, kPodX}),
                                                      .fits = IsSpread},
                                         UpstreamCase{.name = "resolve PodAntiAffinity constraint",
                                                      .world = TwoZones(1, {kPodA, kPodB, kPodX}),
                                                      .fits = IsAlone},
                                         UpstreamCase{.name = "PodTopologySpread: preempt 2 pods in zone1",
                                                      .world = TwoZones(0, {kPodA, kPodB}),
                                                      .fits = IsSpread},
                                         UpstreamCase{.name = "PodAntiAffinity: preempt 2 pods in zone1",
                                                      .world = TwoZones(0, {kPodA, kPodB}),
                                                      .fits = IsAlone}),
                         [](const auto& info) { return TestNameOf(info.param.name); });

struct ChoiceCase {
  const char* name;
  World world;
  Fits fits = HasSlot;
  std::optional<int> budget = std::nullopt;
  std::map<std::string, berth_status> verdicts = {};
  std::string want_node = {};  // "": nobody is preempted
  Names want_victims = {};
};

class Choice : public testing::TestWithParam<ChoiceCase> {};

TEST_P(Choice, Is) {
  Crossing rig(GetParam().world, GetParam().fits);
  if (GetParam().budget) rig.Budget(*GetParam().budget);
  const PostFilterOutcome outcome = rig.Start().Try(Preemptor(), GetParam().verdicts);
  rig.Answer();
  EXPECT_EQ(outcome.code, GetParam().want_node.empty() ? BERTH_UNSCHEDULABLE : BERTH_SUCCESS);
  EXPECT_EQ(outcome.node, GetParam().want_node);
  EXPECT_EQ(rig.Deleted(), GetParam().want_victims);
}

const PlainNode kN1{.name = "n1", .slots = 1}, kN2{.name = "n2", .slots = 1};

INSTANTIATE_TEST_SUITE_P(
    Own, Choice,
    testing::Values(
        ChoiceCase{.name = "two victims of one node leave together",
                   .world = {.nodes = {kN1}, .pods = {{.name = "a", .node = "n1"}, {.name = "b", .node = "n1"}}},
                   .want_node = "n1",
                   .want_victims = {"a", "b"}},
        ChoiceCase{
            .name = "one victim is better than two",
            .world = {.nodes = {kN1, kN2},
                      .pods = {{.name = "a", .node = "n1"}, {.name = "b", .node = "n1"}, {.name = "c", .node = "n2"}}},
            .want_node = "n2",
            .want_victims = {"c"}},
        ChoiceCase{.name = "two of a lower priority are better than one of a higher",
                   .world = {.nodes = {kN1, kN2},
                             .pods = {{.name = "a", .node = "n1", .priority = kLow},
                                      {.name = "b", .node = "n1", .priority = kLow},
                                      {.name = "c", .node = "n2", .priority = kMid}}},
                   .want_node = "n1",
                   .want_victims = {"a", "b"}},
        ChoiceCase{
            .name = "who started last leaves",
            .world = {.nodes = {kN1, kN2},
                      .pods = {{.name = "a", .node = "n1", .start = 100}, {.name = "b", .node = "n2", .start = 200}}},
            .want_node = "n2",
            .want_victims = {"b"}},
        ChoiceCase{.name = "two without a budget are better than one whose budget is overdrawn",
                   .world = {.nodes = {kN1, kN2},
                             .pods = {{.name = "a", .node = "n1"},
                                      {.name = "b", .node = "n1"},
                                      {.name = "c", .node = "n2", .guarded = true}}},
                   .budget = 0,
                   .want_node = "n1",
                   .want_victims = {"a", "b"}},
        ChoiceCase{.name = "a budget covers all nodes",
                   .world = {.nodes = {{.name = "n1"}, {.name = "n2"}, {.name = "n3", .zone = "zone2"}},
                             .pods = {{.name = "a", .node = "n1", .foo = true, .guarded = true},
                                      {.name = "b", .node = "n2", .foo = true, .guarded = true},
                                      {.name = "c", .node = "n3", .priority = kMid, .foo = true}}},
                   .fits = IsAlone,
                   .budget = 1,
                   .want_node = "n3",
                   .want_victims = {"c"}},
        ChoiceCase{.name = "a budget that is overdrawn is no obstacle",
                   .world = {.nodes = {kN1}, .pods = {{.name = "a", .node = "n1", .guarded = true}}},
                   .budget = 0,
                   .want_node = "n1",
                   .want_victims = {"a"}},
        ChoiceCase{.name = "pods of the same priority stay",
                   .world = {.nodes = {kN1}, .pods = {{.name = "a", .node = "n1", .priority = kHigh}}}},
        ChoiceCase{.name = "nodes that preemption does not help have no victims",
                   .world = {.nodes = {kN1, kN2}, .pods = {{.name = "a", .node = "n1"}, {.name = "b", .node = "n2"}}},
                   .verdicts = {{"n1", BERTH_UNRESOLVABLE}},
                   .want_node = "n2",
                   .want_victims = {"b"}},
        ChoiceCase{.name = "pods of a node that preemption does not help stay though they are in the way",
                   .world = TwoZones(0, {kPodA, kPodB}),
                   .fits = IsAlone,
                   .verdicts = {{"node-b", BERTH_UNRESOLVABLE}}},
        ChoiceCase{.name = "a larger set helps though its parts do not",
                   .world = {.nodes = {{.name = "n1"}, {.name = "n2"}, {.name = "n3"}},
                             .pods = {{.name = "a", .node = "n1", .foo = true},
                                      {.name = "b", .node = "n2", .foo = true},
                                      {.name = "c", .node = "n3", .foo = true}}},
                   .fits = IsAlone,
                   .want_node = "n1",
                   .want_victims = {"a", "b", "c"}}),
    [](const auto& info) { return TestNameOf(info.param.name); });

// ---- against a search through all sets

// What a set costs: compared in this order.
using PlainCost = std::tuple<int, int32_t, int64_t, size_t, int64_t>;

// How many of the victims overdraw the budget.
int Violations(const std::vector<PlainPod>& victims, int allowed) {
  const auto guarded = std::count_if(victims.begin(), victims.end(), [](const PlainPod& pod) { return pod.guarded; });
  return std::max(0, static_cast<int>(guarded) - allowed);
}

PlainCost CostOf(const std::vector<PlainPod>& victims, int allowed) {
  int32_t highest = std::numeric_limits<int32_t>::min();
  int64_t sum = 0, earliest = 0;
  for (const PlainPod& pod : victims) {
    sum += int64_t{pod.priority} + (int64_t{1} << 31);
    const bool first = pod.priority > highest;
    if (first || (pod.priority == highest && pod.start < earliest)) earliest = pod.start;
    highest = std::max(highest, pod.priority);
  }
  return {Violations(victims, allowed), highest, sum, victims.size(), -earliest};
}

std::vector<PlainPod> Subset(const std::vector<PlainPod>& pods, uint32_t bits) {
  std::vector<PlainPod> subset;
  for (size_t i = 0; i < pods.size(); ++i) {
    if ((bits >> i & 1) != 0) subset.push_back(pods[i]);
  }
  return subset;
}

Names NamesOf(const std::vector<PlainPod>& pods) {
  Names names;
  for (const PlainPod& pod : pods) names.insert(pod.name);
  return names;
}

std::optional<PlainCost> Cheapest(const World& world, Fits fits, int allowed) {
  std::vector<PlainPod> lower;
  std::copy_if(world.pods.begin(), world.pods.end(), std::back_inserter(lower),
               [](const PlainPod& pod) { return pod.priority < kHigh; });
  std::optional<PlainCost> best;
  for (uint32_t bits = 1; bits < 1u << lower.size(); ++bits) {
    const std::vector<PlainPod> victims = Subset(lower, bits);
    const Names gone = NamesOf(victims);
    const bool helps =
        std::any_of(victims.begin(), victims.end(), [&](const PlainPod& pod) { return fits(world, pod.node, gone); });
    if (helps && (!best || CostOf(victims, allowed) < *best)) best = CostOf(victims, allowed);
  }
  return best;
}

class RandomWorlds {
 public:
  World Next() {
    World world;
    const int nodes = Of(1, 4), pods = Of(1, 8);
    for (int i = 0; i < nodes; ++i) {
      world.nodes.push_back(
          {.name = "n" + std::to_string(i), .zone = "zone" + std::to_string(Of(1, 2)), .slots = Of(0, 3)});
    }
    for (int i = 0; i < pods; ++i) {
      world.pods.push_back({.name = "v" + std::to_string(i),
                            .node = "n" + std::to_string(Of(0, nodes - 1)),
                            .priority = Of(0, 3) == 0 ? kHigh : Of(-1, 2),
                            .start = Of(1, 3),
                            .foo = Of(0, 1) == 0,
                            .guarded = Of(0, 2) == 0});
    }
    return world;
  }
  int Of(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }

 private:
  std::mt19937 random_{1905};
};

TEST(Model, TheCheapestSetIsChosen) {
  RandomWorlds worlds;
  constexpr Fits kRules[] = {HasSlot, IsSpread, IsAlone};
  int helped = 0, several_nodes = 0;
  for (int i = 0; i < 300; ++i) {
    const Fits fits = kRules[i % 3];
    const int allowed = worlds.Of(0, 2);
    Crossing rig(worlds.Next(), fits);
    const std::optional<PlainCost> want = Cheapest(rig.world, fits, allowed);
    const PostFilterOutcome outcome = rig.Budget(allowed).Start().Try();
    rig.Answer();
    ASSERT_EQ(outcome.ok(), want.has_value()) << i;
    if (!want) continue;
    const Names gone = rig.Deleted();
    std::vector<PlainPod> victims;
    Names nodes;
    for (const PlainPod& pod : rig.world.pods) {
      if (gone.contains(pod.name)) victims.push_back(pod), nodes.insert(pod.node);
    }
    ASSERT_EQ(CostOf(victims, allowed), *want) << i;
    ASSERT_TRUE(fits(rig.world, outcome.node, gone)) << i;
    ASSERT_TRUE(nodes.contains(outcome.node)) << i;
    ++helped;
    several_nodes += nodes.size() > 1 ? 1 : 0;
  }
  EXPECT_GT(helped, 100);
  EXPECT_LT(helped, 280);
  EXPECT_GT(several_nodes, 8);
}

}  // namespace
}  // namespace cross_node_test
