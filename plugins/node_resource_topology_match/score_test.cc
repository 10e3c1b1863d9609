// Score: facts of pkg/noderesourcetopology/score_test.go.
#include <algorithm>
#include <array>

#include "test_fixture.h"

namespace plugins::node_topology {
namespace {

// defaultNUMANodes: two equal zones each.
std::vector<TestNode> ThreeNodes(const char* policy) {
  const auto node = [policy](const char* name, const char* cpu, const char* memory) {
    const Quantities zone = {{kCpu, cpu}, {kMemory, memory}};
    return TestNode{name, policy, {{"node-0", zone}, {"node-1", zone}}};
  };
  return {node("Node1", "4", "500Mi"), node("Node2", "2", "50Mi"), node("Node3", "6", "60Mi")};
}
// fourNUMANodes: GPUs in two near zones, and in two that are far from each other.
std::vector<TestNode> FourZones() {
  const auto node = [](const char* name, const std::array<const char*, 4>& gpus) {
    const std::vector<int> costs[] = {{10, 12, 20, 20}, {12, 10, 20, 20}, {20, 20, 10, 12}, {20, 20, 12, 10}};
    TestNode made{name, kContainerBestEffort, {}};
    for (size_t i = 0; i < 4; ++i) {
      made.zones.push_back({"node-" + std::to_string(i), {{kCpu, "2"}, {kMemory, "50Mi"}, {kGpu, gpus[i]}}, costs[i]});
    }
    return made;
  };
  return {node("Node1", {"1", "1", "0", "0"}), node("Node2", {"1", "0", "1", "0"})};
}

FakePod TwoCpus() { return Limited({{{kCpu, 2000}, {kMemory, 20 * kMi}}}); }

struct StrategyCase {
  const char* name;
  const char* strategy;
  std::vector<std::string> reported = {"Node1", "Node2", "Node3"};
  Scores want;
};

class ScoreTopology : public testing::TestWithParam<StrategyCase> {};

TEST_P(ScoreTopology, OfThreeNodes) {
  std::vector<TestNode> nodes = ThreeNodes(kContainerSingle);
  const auto& reported = GetParam().reported;
  for (TestNode& node : nodes) {
    node.reported = std::find(reported.begin(), reported.end(), node.name) != reported.end();
  }
  Fixture fixture(nodes, StrategyArgs(GetParam().strategy));
  EXPECT_EQ(fixture.Score(TwoCpus()), GetParam().want);
}

// TestNodeResourceScorePlugin. Upstream looks at the best node only: 70 of Node2, 100 of Node3, 73 of Node1.
INSTANTIATE_TEST_SUITE_P(Upstream, ScoreTopology,
                         testing::Values(StrategyCase{.name = "Most",
                                                      .strategy = "MostAllocated",
                                                      .want = {{"Node1", 27}, {"Node2", 70}, {"Node3", 33}}},
                                         StrategyCase{.name = "Balanced",
                                                      .strategy = "BalancedAllocation",
                                                      .want = {{"Node1", 89}, {"Node2", 82}, {"Node3", 100}}},
                                         StrategyCase{.name = "Least",
                                                      .strategy = "LeastAllocated",
                                                      .want = {{"Node1", 73}, {"Node2", 30}, {"Node3", 66}}}),
                         [](const auto& info) { return std::string(info.param.name); });

const Scores kNothing = {{"Node1", 0}, {"Node2", 0}, {"Node3", 0}};

// TestNodeResourcePartialDataScorePlugin.
INSTANTIATE_TEST_SUITE_P(
    UpstreamPartialData, ScoreTopology,
    testing::Values(StrategyCase{.name = "MostOfNone", .strategy = "MostAllocated", .reported = {}, .want = kNothing},
                    StrategyCase{.name = "LeastOfNone", .strategy = "LeastAllocated", .reported = {}, .want = kNothing},
                    StrategyCase{
                        .name = "BalancedOfNone", .strategy = "BalancedAllocation", .reported = {}, .want = kNothing},
                    StrategyCase{.name = "MostOfOne",
                                 .strategy = "MostAllocated",
                                 .reported = {"Node1"},
                                 .want = {{"Node1", 27}, {"Node2", 0}, {"Node3", 0}}},
                    StrategyCase{.name = "LeastOfOne",
                                 .strategy = "LeastAllocated",
                                 .reported = {"Node1"},
                                 .want = {{"Node1", 73}, {"Node2", 0}, {"Node3", 0}}},
                    StrategyCase{.name = "BalancedOfOne",
                                 .strategy = "BalancedAllocation",
                                 .reported = {"Node1"},
                                 .want = {{"Node1", 89}, {"Node2", 0}, {"Node3", 0}}}),
    [](const auto& info) { return std::string(info.param.name); });

struct LeastNumaCase {
  const char* name;
  std::vector<TestNode> nodes;
  std::vector<Amounts> containers;
  Scores want;
};

class ScoreLeastNuma : public testing::TestWithParam<LeastNumaCase> {};

TEST_P(ScoreLeastNuma, OfNodes) {
  Fixture fixture(GetParam().nodes, StrategyArgs("LeastNUMANodes"));
  // Upstream's test calls a pod whose only resource is no cpu Guaranteed; in fact such a pod scores 100 anyway.
  EXPECT_EQ(fixture.Score(Limited(GetParam().containers)), GetParam().want);
}

Amounts Cpus(int64_t cpus) { return {{kCpu, cpus * 1000}, {kMemory, 50 * kMi}}; }
Amounts CpusAndGpus(int64_t cpus, int64_t gpus) {
  Amounts all = Cpus(cpus);
  all.emplace_back(kGpu, gpus);
  return all;
}
Scores Three(int64_t first, int64_t second, int64_t third) {
  return {{"Node1", first}, {"Node2", second}, {"Node3", third}};
}

// TestNodeResourceScorePluginLeastNUMA.
INSTANTIATE_TEST_SUITE_P(Upstream, ScoreLeastNuma,
                         testing::Values(LeastNumaCase{.name = "Container1",
                                                       .nodes = ThreeNodes(kContainerBestEffort),
                                                       .containers = {Cpus(2)},
                                                       .want = Three(94, 94, 94)},
                                         LeastNumaCase{.name = "Container2",
                                                       .nodes = ThreeNodes(kContainerBestEffort),
                                                       .containers = {Cpus(4)},
                                                       .want = Three(94, 82, 94)},
                                         LeastNumaCase{.name = "Container3",
                                                       .nodes = ThreeNodes(kContainerBestEffort),
                                                       .containers = {Cpus(6)},
                                                       .want = Three(82, 0, 94)},
                                         LeastNumaCase{.name = "TwoContainers1",
                                                       .nodes = ThreeNodes(kContainerBestEffort),
                                                       .containers = {Cpus(2), Cpus(2)},
                                                       .want = Three(94, 94, 94)},
                                         LeastNumaCase{.name = "TwoContainers2",
                                                       .nodes = ThreeNodes(kContainerBestEffort),
                                                       .containers = {Cpus(1), Cpus(3)},
                                                       .want = Three(94, 82, 94)},
                                         LeastNumaCase{.name = "TwoContainers3",
                                                       .nodes = ThreeNodes(kContainerBestEffort),
                                                       .containers = {Cpus(5), Cpus(3)},
                                                       .want = Three(82, 0, 94)},
                                         LeastNumaCase{
                                             .name = "TwoContainersWithoutZones",
                                             .nodes = ThreeNodes(kContainerBestEffort),
                                             .containers = {{{"non-numa-resource", 1}}, {{"non-numa-resource", 2}}},
                                             .want = Three(100, 100, 100)},
                                         LeastNumaCase{.name = "Pod1",
                                                       .nodes = ThreeNodes(kPodBestEffort),
                                                       .containers = {Cpus(2), Cpus(2)},
                                                       .want = Three(94, 82, 82)},
                                         LeastNumaCase{.name = "Pod2",
                                                       .nodes = ThreeNodes(kPodBestEffort),
                                                       .containers = {Cpus(1), Cpus(3)},
                                                       .want = Three(94, 82, 82)},
                                         LeastNumaCase{.name = "Pod3",
                                                       .nodes = ThreeNodes(kPodBestEffort),
                                                       .containers = {Cpus(5), Cpus(3)},
                                                       .want = Three(82, 0, 82)},
                                         LeastNumaCase{.name = "PodWithoutZones",
                                                       .nodes = ThreeNodes(kPodBestEffort),
                                                       .containers = {{{"non-numa-resource", 1}}},
                                                       .want = Three(100, 100, 100)},
                                         LeastNumaCase{.name = "OneGpu",
                                                       .nodes = FourZones(),
                                                       .containers = {CpusAndGpus(2, 1)},
                                                       .want = {{"Node1", 94}, {"Node2", 94}}},
                                         LeastNumaCase{.name = "TwoGpus",
                                                       .nodes = FourZones(),
                                                       .containers = {CpusAndGpus(2, 2)},
                                                       .want = {{"Node1", 82}, {"Node2", 76}}},
                                         LeastNumaCase{.name = "TwoGpusAndAnother",
                                                       .nodes = FourZones(),
                                                       .containers = {CpusAndGpus(2, 2), Cpus(2)},
                                                       .want = {{"Node1", 82}, {"Node2", 76}}}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(ScoreTopologyOwn, AResourceWithoutZonesOfAGuaranteedPod) {
  Fixture fixture(ThreeNodes(kPodBestEffort), StrategyArgs("LeastNUMANodes"));
  // The zones do not list the device, so no set of zones has it.
  EXPECT_EQ(fixture.Score(Limited({{{kCpu, 1000}, {kMemory, kMi}, {"example.com/nic", 1}}})), Three(0, 0, 0));
}

TEST(ScoreTopologyOwn, APodThatIsNotGuaranteedScores100) {
  for (const char* strategy : {"MostAllocated", "LeastNUMANodes"}) {
    Fixture fixture(ThreeNodes(kContainerSingle), StrategyArgs(strategy));
    EXPECT_EQ(fixture.Score(FakePod("pod").Req({{kCpu, 2000}})), Three(100, 100, 100));
  }
}

TEST(ScoreTopologyOwn, OtherPoliciesScore0ExceptWithLeastNumaNodes) {
  for (const char* strategy : {"MostAllocated", "LeastAllocated", "BalancedAllocation"}) {
    Fixture fixture(ThreeNodes(kContainerBestEffort), StrategyArgs(strategy));
    EXPECT_EQ(fixture.Score(TwoCpus()), Three(0, 0, 0));
  }
}

TEST(ScoreTopologyOwn, WeightsCount) {
  FakeValue strategy =
      FakeValue::Object({{"type", "MostAllocated"},
                         {"resources", FakeValue::Array({FakeValue::Object({{"name", kCpu}, {"weight", 3}}),
                                                         FakeValue::Object({{"name", kMemory}, {"weight", -1}})})}});
  Fixture fixture(ThreeNodes(kPodSingle), FakeValue::Object({{"scoringStrategy", strategy}}));
  // (3 * 50 + 4) / 4; a weight below 1 counts as 1.
  EXPECT_EQ(fixture.Score(TwoCpus()).at("Node1"), 38);
}

TEST(ScoreTopologyOwn, TheWorstZoneThatIsGoodForSomethingCounts) {
  Fixture fixture({{"node1",
                    kPodSingle,
                    {{"node-0", {{kCpu, "8"}, {kMemory, "80Mi"}}},
                     {"node-1", {{kCpu, "4"}, {kMemory, "40Mi"}}},
                     {"node-2", {{kCpu, "1"}, {kMemory, "10Mi"}}}}}},
                  StrategyArgs("LeastAllocated"));
  EXPECT_EQ(fixture.Score(TwoCpus()).at("node1"), 50);
}

// Zone ids with gaps, which crash the original.
TEST(ScoreTopologyOwn, ZoneIdsNeedNotBeDense) {
  for (const char* strategy : {"LeastAllocated", "LeastNUMANodes"}) {
    Fixture fixture({{"node1",
                      kContainerSingle,
                      {{"node-9", {{kCpu, "4"}, {kMemory, "40Mi"}}}, {"node-63", {{kCpu, "4"}, {kMemory, "40Mi"}}}}}},
                    StrategyArgs(strategy));
    const bool least = std::string(strategy) == "LeastAllocated";
    EXPECT_EQ(fixture.Score(TwoCpus()).at("node1"), least ? 50 : 94);
  }
}

// The original's variance of one number is not a number, and the attempt fails.
TEST(ScoreTopologyOwn, OneShareIsBalanced) {
  Fixture fixture(ThreeNodes(kContainerSingle), StrategyArgs("BalancedAllocation"));
  EXPECT_EQ(fixture.Score(FakePod("pod").PodRequests(Cpus(1), Cpus(1)).Req({{kCpu, 1000}})), Three(100, 100, 100));
}

// The original divides by zero.
TEST(ScoreTopologyOwn, AContainerThatRequestsNothingDoesNotCount) {
  Fixture fixture(ThreeNodes(kContainerSingle), StrategyArgs("LeastAllocated"));
  const auto pod = [] { return FakePod("pod").PodRequests(Cpus(2), Cpus(2)); };
  EXPECT_EQ(fixture.Score(pod().Req({})), Three(0, 0, 0));
  EXPECT_EQ(fixture.Score(pod().Req({}).Req({{kCpu, 2000}, {kMemory, 20 * kMi}})), Three(73, 30, 66));
}

// The original's score falls below 0, and the attempt fails.
TEST(ScoreTopologyOwn, MoreZonesThanTheKubeletAllowsScore0) {
  TestNode node{"node1", kPodBestEffort, {}, {}, {{"topologyManagerMaxNUMANodes", "2"}}};
  for (int i = 0; i < 3; ++i) node.zones.push_back({"node-" + std::to_string(i), {{kCpu, "2"}, {kMemory, "50Mi"}}});
  Fixture fixture({node}, StrategyArgs("LeastNUMANodes"));
  EXPECT_EQ(fixture.Score(Limited({Cpus(6)})).at("node1"), 0);
  EXPECT_EQ(fixture.Score(Limited({Cpus(2)})).at("node1"), 75);
}

}  // namespace
}  // namespace plugins::node_topology
