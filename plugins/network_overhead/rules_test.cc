// Single rules of costs and requirements, which upstream's tests do not reach.
#include <limits>

#include "test_fixture.h"

namespace network_overhead_test {
namespace {

using testing::ElementsAre;

constexpr int64_t kHuge = std::numeric_limits<int64_t>::max();

// A node "here" and a node "there" with the pod that the new one depends on.
struct RuleCase {
  const char* name;
  std::pair<std::string, std::string> here, there;  // region and zone
  int64_t max_cost;
  int64_t cost;
  int satisfied, violated;
};

class NetworkOverheadRules : public testing::TestWithParam<RuleCase> {};

// A second connection, which is violated twice, makes the numbers show.
TEST_P(NetworkOverheadRules, OneConnection) {
  const RuleCase& one = GetParam();
  Net net;
  net.Node(NodeIn("here", one.here.first, one.here.second)).Node(NodeIn("there", one.there.first, one.there.second));
  net.Node(FakeNode("nowhere"));
  net.Object(kAppGroups, GroupOf("basic", {{"a", "b", one.max_cost}, {"a", "violated", 0}}));
  net.Object(kTopologies,
             TopologyOf("nt-test", WeightsOf("UserDefined", {{"r1", "r2", 40}}, {{"z1", "z2", 7}, {"z3", "z4", 3}})));
  net.Pod(Replica("b").Name("b"), "there");
  for (const char* name : {"v1", "v2"}) net.Pod(Replica("violated").Name(name), "nowhere");
  net.Start();
  EXPECT_EQ(net.ScoresOf(Replica("a"))["here"], one.cost + 200);
  EXPECT_EQ(net.Filter(Replica("a"), "here"), TooExpensive("here", one.satisfied, one.violated + 2));
}

INSTANTIATE_TEST_SUITE_P(
    Own, NetworkOverheadRules,
    testing::Values(
        RuleCase{
            .name = "SameZone", .here = {"r1", "z1"}, .there = {"r1", "z1"}, .max_cost = 0, .cost = 1, .satisfied = 1},
        RuleCase{.name = "OtherZoneCheap",
                 .here = {"r1", "z1"},
                 .there = {"r1", "z2"},
                 .max_cost = 7,
                 .cost = 7,
                 .satisfied = 1},
        RuleCase{.name = "OtherZoneTooExpensive",
                 .here = {"r1", "z1"},
                 .there = {"r1", "z2"},
                 .max_cost = 6,
                 .cost = 7,
                 .violated = 1},
        RuleCase{
            .name = "OtherZoneOfUnknownCost", .here = {"r1", "z2"}, .there = {"r1", "z1"}, .max_cost = 0, .cost = 100},
        RuleCase{.name = "OtherRegionCheap",
                 .here = {"r1", "z1"},
                 .there = {"r2", "z2"},
                 .max_cost = 40,
                 .cost = 40,
                 .satisfied = 1},
        RuleCase{.name = "OtherRegionTooExpensive",
                 .here = {"r1", "z1"},
                 .there = {"r2", "z1"},
                 .max_cost = 39,
                 .cost = 40,
                 .violated = 1},
        RuleCase{.name = "OtherRegionOfUnknownCost",
                 .here = {"r2", "z1"},
                 .there = {"r1", "z1"},
                 .max_cost = 0,
                 .cost = 100},
        RuleCase{.name = "ThereWithoutLabels",
                 .here = {"r1", "z1"},
                 .there = {"", ""},
                 .max_cost = 10000,
                 .cost = 100,
                 .violated = 1},
        RuleCase{.name = "BothWithoutLabels",
                 .here = {"", ""},
                 .there = {"", ""},
                 .max_cost = 10000,
                 .cost = 100,
                 .violated = 1},
        RuleCase{.name = "HereWithoutLabels", .here = {"", ""}, .there = {"r1", "z1"}, .max_cost = 10000, .cost = 100},
        RuleCase{.name = "SameRegionWithoutZones",
                 .here = {"r1", ""},
                 .there = {"r1", ""},
                 .max_cost = 0,
                 .cost = 1,
                 .satisfied = 1},
        RuleCase{.name = "ZonesWithoutRegions",
                 .here = {"", "z3"},
                 .there = {"", "z4"},
                 .max_cost = 3,
                 .cost = 3,
                 .satisfied = 1},
        RuleCase{.name = "OneWithoutZone", .here = {"r1", "z1"}, .there = {"r1", ""}, .max_cost = 10000, .cost = 100}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(NetworkOverhead, CostsNothingOnTheNodeOfTheDependency) {
  Net net;
  net.Node(FakeNode("here")).Node(NodeIn("there", "r", "z"));
  net.Object(kAppGroups, BasicGroup()).Object(kTopologies, BasicTopology()).Pod(Replica("p2"), "here").Start();
  EXPECT_EQ(net.ScoresOf(Replica("p1")), (Scores{{"here", 0}, {"there", 100}}));
  EXPECT_TRUE(net.Filter(Replica("p1"), "here").ok());
  EXPECT_EQ(net.Filter(Replica("p1"), "there"), TooExpensive("there", 0, 1));
}

TEST(NetworkOverhead, AddsAllPodsAndAllDependencies) {
  Net net;
  net.EightNodes().Object(kTopologies, BasicTopology());
  net.Object(kAppGroups, GroupOf("basic", {{"a", "b", 5}, {"a", "c", 5}, {"a", "c", 20}, {"b", "c"}}));
  net.Pod(Replica("b").Name("b1"), "n-1").Pod(Replica("b").Name("b2"), "n-3").Pod(Replica("b").Name("b3"), "n-3");
  net.Pod(Replica("c").Name("c1"), "n-5").Start();
  // From n-1: b1 0, b2 and b3 5 each, c1 20 for each of two dependencies, of which one accepts that.
  EXPECT_EQ(
      net.ScoresOf(Replica("a")),
      (Scores{{"n-1", 50}, {"n-2", 51}, {"n-3", 45}, {"n-4", 47}, {"n-5", 60}, {"n-6", 62}, {"n-7", 80}, {"n-8", 80}}));
  EXPECT_EQ(net.Filter(Replica("a"), "n-7"), TooExpensive("n-7", 1, 4));
  EXPECT_TRUE(net.Filter(Replica("a"), "n-1").ok());
}

TEST(NetworkOverhead, AcceptsANodeWithAsManySatisfiedAsViolatedConnections) {
  Net net;
  net.EightNodes().Object(kTopologies, BasicTopology());
  net.Object(kAppGroups, GroupOf("basic", {{"a", "b"}})).Pod(Replica("b").Name("b1"), "n-1");
  net.Pod(Replica("b").Name("b2"), "n-5").Start();
  EXPECT_TRUE(net.Filter(Replica("a"), "n-2").ok());
  EXPECT_EQ(net.Filter(Replica("a"), "n-3"), TooExpensive("n-3", 0, 2));
}

TEST(NetworkOverhead, CountsPodsOfAllNamespaces) {
  Net net;
  net.EightNodes().Object(kAppGroups, BasicGroup()).Object(kTopologies, BasicTopology());
  net.Pod(Replica("p2").Namespace("one"), "n-1").Pod(Replica("p2").Namespace("two"), "n-1").Start();
  EXPECT_EQ(net.ScoresOf(Replica("p1").Namespace("three"))["n-2"], 2);
}

TEST(NetworkOverhead, CountsNoPodsOfOtherGroups) {
  Net net;
  net.EightNodes().Object(kAppGroups, BasicGroup()).Object(kTopologies, BasicTopology());
  net.Pod(Replica("p2", "other"), "n-1").Pod(FakePod("p2"), "n-1").Start();
  EXPECT_TRUE(net.Skips(Replica("p1")));
}

TEST(NetworkOverhead, MatchesEmptySelectorsWithPodsWithoutWorkload) {
  Net net;
  net.EightNodes().Object(kAppGroups, GroupOf("basic", {{"", ""}})).Object(kTopologies, BasicTopology());
  const FakePod bare = FakePod("bare").Label("appgroup.diktyo.x-k8s.io", "basic");
  net.Pod(bare, "n-1").Start();
  EXPECT_EQ(net.ScoresOf(FakePod(bare).Name("other"))["n-2"], 1);
}

// In the original a missing object stops the scheduler.
TEST(NetworkOverhead, TakesAMissingAppGroupForNone) {
  Net net;
  net.EightNodes().Object(kTopologies, BasicTopology()).Pod(Replica("p2"), "n-1").Start();
  EXPECT_TRUE(net.Skips(Replica("p1")));
  EXPECT_TRUE(net.Filter(Replica("p1"), "n-8").ok());
  EXPECT_EQ(net.ScoresOf(Replica("p1"))["n-8"], 0);
}

TEST(NetworkOverhead, TakesAllCostsOfAMissingTopologyForUnknown) {
  Net net;
  net.EightNodes().Object(kAppGroups, BasicGroup()).Pod(Replica("p2"), "n-1").Start();
  const Scores costs = net.ScoresOf(Replica("p1"));
  EXPECT_EQ(costs.at("n-1"), 0);
  EXPECT_EQ(costs.at("n-2"), 1);
  EXPECT_EQ(costs.at("n-3"), 100);
  EXPECT_EQ(costs.at("n-5"), 100);
  EXPECT_TRUE(net.Filter(Replica("p1"), "n-5").ok());
}

TEST(NetworkOverhead, ReadsOnlyTheConfiguredWeightsInAnyOrder) {
  Net net;
  net.EightNodes().Object(kAppGroups, BasicGroup()).Pod(Replica("p2"), "n-5");
  const std::vector<Cost> regions = {{"us-west-1", "us-east-1", 30}, {"a", "b", 1}, {"us-west-1", "us-east-1", 33}};
  net.Object(kTopologies, TopologyOf("nt-test", WeightsOf("Other", {{"us-west-1", "us-east-1", 1}}, {}) + ", " +
                                                    WeightsOf("UserDefined", regions, {}) + ", " +
                                                    WeightsOf("NetperfCosts", {{"us-west-1", "us-east-1", 2}}, {})));
  net.Start();
  EXPECT_EQ(net.ScoresOf(Replica("p1"))["n-1"], 33);
}

// The original looks both up in one table.
TEST(NetworkOverhead, DoesNotTakeTheCostOfAZoneForThatOfARegion) {
  Net net;
  net.Node(NodeIn("here", "x", "x")).Node(NodeIn("there", "y", "y")).Node(NodeIn("near", "x", "y"));
  net.Object(kAppGroups, BasicGroup()).Pod(Replica("p2"), "there");
  net.Object(kTopologies, TopologyOf("nt-test", WeightsOf("UserDefined", {{"x", "y", 40}}, {{"x", "y", 5}}))).Start();
  EXPECT_EQ(net.ScoresOf(Replica("p1"))["here"], 40);
}

TEST(NetworkOverhead, DoesNotOverflow) {
  Net net;
  net.Node(NodeIn("here", "x", "")).Node(NodeIn("there", "y", ""));
  net.Object(kAppGroups, GroupOf("basic", {{"p1", "p2", 10000}}));
  net.Object(kTopologies, TopologyOf("nt-test", WeightsOf("UserDefined", {{"x", "y", kHuge}}, {})));
  net.Pod(Replica("p2").Name("one"), "there").Pod(Replica("p2").Name("two"), "there").Start();
  const Scores costs = net.ScoresOf(Replica("p1"));
  EXPECT_EQ(costs, (Scores{{"here", kHuge}, {"there", 0}}));
  EXPECT_EQ(net.Normalized(Replica("p1"), costs), (Scores{{"here", 0}, {"there", 100}}));
}

TEST(NetworkOverhead, NormalizesCosts) {
  Net net;
  net.EightNodes().Start();
  const auto normalized = [&](const std::vector<int64_t>& costs) {
    Scores raw;
    for (size_t i = 0; i < costs.size(); ++i) raw["n-" + std::to_string(i + 1)] = costs[i];
    std::vector<int64_t> scores;
    for (const auto& [node, score] : net.Normalized(FakePod("p"), raw)) scores.push_back(score);
    return scores;
  };
  EXPECT_THAT(normalized({0, 0, 0}), ElementsAre(0, 0, 0));
  EXPECT_THAT(normalized({7, 7}), ElementsAre(100, 100));
  EXPECT_THAT(normalized({10, 20}), ElementsAre(100, 0));
  EXPECT_THAT(normalized({0, 1, 3}), ElementsAre(100, 67, 0));
  EXPECT_THAT(normalized({-100, 0, 100}), ElementsAre(100, 50, 0));
}

// The texts are upstream's. The attempt has no data if the profile does not enable preFilter.
TEST(NetworkOverhead, NeedsItsPreFilter) {
  Net net;
  net.EightNodes().Start();
  const Outcome filter = net.plugin().Try(Replica("p1"))->Filter({"n-1"});
  EXPECT_EQ(filter, (Outcome{BERTH_ERROR, {"not eligible due to failed to read from cycleState"}}));
  const Outcome score = net.plugin().Try(Replica("p1"))->Score();
  EXPECT_EQ(score, (Outcome{BERTH_ERROR, {"not eligible due to failed to read from cycleState, return min score"}}));
}

}  // namespace
}  // namespace network_overhead_test
