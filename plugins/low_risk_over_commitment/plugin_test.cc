// Scores by the load that load-watcher reports and by the pods on the node.
#include "../trimaran_common/testing_plugin.h"

namespace low_risk_test {
namespace {

using namespace trimaran_test;  // NOLINT

FakeValue Args(double cpu_weight = 0.5) {
  return FakeValue::Object({{"watcherAddress", "http://w:2020"},
                            {"riskLimitWeights", FakeValue::Object({{"cpu", cpu_weight}, {"memory", 0.5}})}});
}

// TestLowRiskOverCommitment_Score of pkg/trimaran/lowriskovercommitment/lowriskovercommitment_test.go.
TEST(LowRisk, BestEffortPodsGetNoScore) {
  PluginWithWatcher world("LowRiskOverCommitment", Args());
  world.Node("node-1");
  world.Start();
  world.Answer({{"node-1", {{"CPU", "AVG", 20}}}});
  EXPECT_EQ(world.Score(FakePod("p")), (Scores{{"node-1", 0}}));
}

TEST(LowRisk, WithoutMetricsThereIsNoScore) {
  PluginWithWatcher world("LowRiskOverCommitment", Args());
  world.Node("node-1");
  world.Start();
  const FakePod pod = FakePod("p").Req({{"cpu", 100}});
  EXPECT_EQ(world.Score(pod), (Scores{{"node-1", 0}}));
  world.Answer({{"node-2", {{"CPU", "AVG", 20}}}});
  EXPECT_EQ(world.Score(pod), (Scores{{"node-1", 0}}));
}

// The case Beta of risk_test.cc, for a whole node.
TEST(LowRisk, ScoresTheWorseResource) {
  PluginWithWatcher world("LowRiskOverCommitment", Args());
  world.Node("node-1", 4000, 4096);
  world.plugin.cluster().Add(FakePod("running").Req({{"cpu", 1000}}, {{"cpu", 2000}}), "node-1");
  world.Start();
  world.Answer({{"node-1", {{"CPU", "AVG", 40}, {"CPU", "STD", 10}}}});
  EXPECT_EQ(world.Score(FakePod("p").Req({{"cpu", 1000}}, {{"cpu", 3000}})), (Scores{{"node-1", 56}}));
}

struct BoundsCase {
  const char* name;
  std::vector<FakePod> running;
  FakePod pod;
  int64_t cpu;  // of the node
  int64_t want;
};

class LowRiskOfLimits : public testing::TestWithParam<BoundsCase> {};

// Nothing is used, and only the limits of CPU count.
TEST_P(LowRiskOfLimits, Score) {
  PluginWithWatcher world("LowRiskOverCommitment", Args(1));
  world.Node("node-1", GetParam().cpu, 6144);
  for (const FakePod& pod : GetParam().running) world.plugin.cluster().Add(pod, "node-1");
  world.Start();
  world.Answer({{"node-1", {{"CPU", "AVG", 0}}}});
  EXPECT_EQ(world.Score(GetParam().pod), (Scores{{"node-1", GetParam().want}}));
}

FakePod PodOf(const std::string& name, int64_t first_limit, int64_t second_limit, int64_t second_memory_limit = 1024) {
  return FakePod(name)
      .InitReq({{"cpu", 100}, {"memory", 2048}}, {{"cpu", 500}, {"memory", 2048}})
      .Req({{"cpu", 1000}, {"memory", 512}}, {{"cpu", first_limit}, {"memory", 1024}})
      .Req({{"cpu", 500}, {"memory", 1024}}, {{"cpu", second_limit}, {"memory", second_memory_limit}});
}

// The pods and nodes of TestGetNodeRequestsAndLimits of pkg/trimaran/resourcestats_test.go. Upstream looks at the sums:
// of requests 4500, 3000, 1500, 1500, and of limits 6000, 4000, 2000, 1500; here their risk (limit - cpu) / (limit -
// request) tells them. Nodes have so much CPU that the risk is a half where limits exceed requests.
INSTANTIATE_TEST_SUITE_P(
    Upstream, LowRiskOfLimits,
    testing::Values(BoundsCase{.name = "Test0",
                               .running = {PodOf("a", 1500, 500), PodOf("b", 1500, 500)},
                               .pod = PodOf("p", 1500, 500),
                               .cpu = 5250,
                               .want = 50},
                    BoundsCase{.name = "Test1",
                               .running = {PodOf("a", 1000, 1000, 2048)},
                               .pod = PodOf("p", 1500, 500),
                               .cpu = 3500,
                               .want = 50},
                    BoundsCase{.name = "Test2", .running = {}, .pod = PodOf("p", 1500, 500), .cpu = 1600, .want = 20},
                    BoundsCase{.name = "Test3", .running = {}, .pod = PodOf("p", 1000, 400), .cpu = 1600, .want = 100}),
    [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Own, LowRiskOfLimits,
    testing::Values(
        BoundsCase{
            .name = "RequestsAreCutToTheNode", .running = {}, .pod = PodOf("p", 1500, 500), .cpu = 1000, .want = 0},
        BoundsCase{.name = "ANodeWithoutCpu", .running = {}, .pod = PodOf("p", 1500, 500), .cpu = 0, .want = 0}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(LowRisk, FollowsThePodsOfTheNode) {
  PluginWithWatcher world("LowRiskOverCommitment", Args(1));
  world.Node("node-1", 3500, 6144);
  world.Start();
  world.Answer({{"node-1", {{"CPU", "AVG", 0}}}});
  const FakePod pod = PodOf("p", 1500, 500), other = PodOf("a", 1500, 500);
  EXPECT_EQ(world.Score(pod), (Scores{{"node-1", 100}}));
  world.plugin.PodAdded(other, 0);
  EXPECT_EQ(world.Score(pod), (Scores{{"node-1", 50}}));
  world.plugin.PodRemoved(other, 0);
  EXPECT_EQ(world.Score(pod), (Scores{{"node-1", 100}}));
  world.plugin.NodeChanged(FakeNode("node-1").Allocatable({{"cpu", 1600}, {"memory", 6144}}), 0);
  EXPECT_EQ(world.Score(pod), (Scores{{"node-1", 20}}));
}

TEST(LowRisk, KeepsScoresThatDoNotChange) {
  PluginWithWatcher world("LowRiskOverCommitment", Args(1));
  world.Node("node-1", 3500, 6144);
  world.Start();
  world.Answer({{"node-1", {{"CPU", "AVG", 0}}}});
  const auto& rows = world.plugin.host().changed_rows();
  const size_t before = rows.size();
  world.plugin.PodAdded(FakePod("best-effort"), 0);
  world.plugin.NodeChanged(FakeNode("node-1").Allocatable({{"cpu", 3500}, {"memory", 6144}}).Label("a", "b"), 0);
  EXPECT_EQ(rows.size(), before);
  world.plugin.PodAdded(FakePod("memory").Req({{"memory", 1}}), 0);
  EXPECT_EQ(rows.size(), before + 1);
}

TEST(LowRisk, FollowsThePodsOfBothResources) {
  PluginWithWatcher world("LowRiskOverCommitment", Args(0));
  world.Node("node-1", 4000, 4000);
  world.plugin.cluster().Add(FakePod("a").Req({{"cpu", 1000}, {"memory", 1000}}, {{"cpu", 4000}, {"memory", 4000}}),
                             "node-1");
  world.Start();
  world.Answer({{"node-1", {{"CPU", "AVG", 50}, {"Memory", "AVG", 50}}}});
  const FakePod pod = FakePod("p").Req({{"cpu", 1}});
  EXPECT_EQ(world.Score(pod), (Scores{{"node-1", 0}}));  // of both, more is used than requested
  world.plugin.PodAdded(FakePod("cpu").Req({{"cpu", 1000}}), 0);
  EXPECT_EQ(world.Score(pod), (Scores{{"node-1", 50}}));  // the use of memory has half the weight
  world.plugin.PodAdded(FakePod("memory").Req({{"memory", 1000}}), 0);
  EXPECT_EQ(world.Score(pod), (Scores{{"node-1", 83}}));  // half of 1000 / 3000, by which limits exceed the node
}

// Eight rows in each. The fake host leaves row 1 empty.
TEST(LowRisk, ASnapshotReachesAFewNodesInEachTask) {
  PluginWithWatcher world("LowRiskOverCommitment", Args());
  constexpr size_t kNodes = 20;
  Loads loads;
  for (size_t i = 0; i < kNodes; ++i) {
    world.Node("node-" + std::to_string(i));
    loads["node-" + std::to_string(i)] = {{"CPU", "AVG", 20}};
  }
  world.Start();
  EXPECT_EQ(world.ChangesByTask(FakeReply{200, WatcherText(loads)}, kNodes), (std::vector<size_t>{7, 8, 5}));
}

// Limits do not keep a pod from a node, so a tenant can ask for any.
TEST(LowRisk, HugeLimitsAreARisk) {
  PluginWithWatcher world("LowRiskOverCommitment", Args(1));
  world.Node("node-1", 3500, 6144);
  world.Start();
  world.Answer({{"node-1", {{"CPU", "AVG", 0}}}});
  const FakePod pod = PodOf("p", 1500, 500);
  const FakePod huge = FakePod("huge").Req({}, {{"cpu", INT64_MAX}}).Req({}, {{"cpu", INT64_MAX}});
  EXPECT_EQ(world.Score(huge), (Scores{{"node-1", 0}}));
  world.plugin.PodAdded(huge, 0);
  EXPECT_EQ(world.Score(pod), (Scores{{"node-1", 0}}));
  world.plugin.PodRemoved(huge, 0);
  EXPECT_EQ(world.Score(pod), (Scores{{"node-1", 100}}));
}

TEST(LowRisk, ScoresWithoutPreScore) {
  PluginWithWatcher world("LowRiskOverCommitment", Args(1));
  world.Node("node-1", 1600, 6144);
  world.Start();
  world.Answer({{"node-1", {{"CPU", "AVG", 0}}}});
  auto attempt = world.plugin.Try(PodOf("p", 1500, 500));
  EXPECT_EQ(attempt->Score().nodes, (Scores{{"node-1", 20}}));
  attempt->PreScore();
  EXPECT_EQ(attempt->Score().nodes, (Scores{{"node-1", 20}}));
}

}  // namespace
}  // namespace low_risk_test
