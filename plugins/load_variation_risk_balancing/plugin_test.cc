// Scores by the load that load-watcher reports.
#include "../trimaran_common/testing_plugin.h"

namespace load_variation_test {
namespace {

using namespace trimaran_test;  // NOLINT

FakeValue Args() { return FakeValue::Object({{"watcherAddress", "http://w:2020"}}); }

struct ScoreCase {
  const char* name;
  FakePod pod;
  std::vector<Metric> metrics;  // of the node
  int64_t want;
};

class LoadVariationScore : public testing::TestWithParam<ScoreCase> {};

TEST_P(LoadVariationScore, OfOneNode) {
  PluginWithWatcher world("LoadVariationRiskBalancing", Args());
  world.Node("node-1");
  world.Start();
  world.Answer(GetParam().metrics.empty() ? Loads{} : Loads{{"node-1", GetParam().metrics}});
  EXPECT_EQ(world.Score(GetParam().pod), (Scores{{"node-1", GetParam().want}}));
}

constexpr int64_t kMega = 1 << 20;
FakePod Requesting(int64_t cpu, int64_t memory) {
  return FakePod("p").Req({{"cpu", cpu}, {"memory", memory}}, {{"cpu", cpu}, {"memory", memory}});
}

// TestScore of pkg/trimaran/loadvariationriskbalancing/loadvariationriskbalancing_test.go.
INSTANTIATE_TEST_SUITE_P(
    Upstream, LoadVariationScore,
    testing::Values(
        ScoreCase{.name = "NewNode", .pod = FakePod("p"), .metrics = {{"CPU", "AVG", 50}}, .want = 75},
        ScoreCase{.name = "HotNode", .pod = FakePod("p"), .metrics = {{"CPU", "AVG", 100}}, .want = 50},
        ScoreCase{.name = "AverageAndDeviation",
                  .pod = Requesting(200, 256 * kMega),
                  .metrics = {{"CPU", "AVG", 30}, {"CPU", "STD", 16}},
                  .want = 67},
        ScoreCase{.name = "CpuAndMemory",
                  .pod = Requesting(100, 512 * kMega),
                  .metrics = {{"CPU", "AVG", 40}, {"CPU", "STD", 16}, {"Memory", "AVG", 50}, {"Memory", "STD", 10}},
                  .want = 45},
        ScoreCase{.name = "TheWorseOne",
                  .pod = Requesting(100, 512 * kMega),
                  .metrics = {{"CPU", "AVG", 80}, {"CPU", "STD", 20}, {"Memory", "AVG", 25}, {"Memory", "STD", 15}},
                  .want = 45},
        ScoreCase{.name = "NoAnswerOfWatcher", .pod = FakePod("p"), .metrics = {}, .want = 0}),
    [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Own, LoadVariationScore,
    testing::Values(
        ScoreCase{.name = "MemoryAlone", .pod = FakePod("p"), .metrics = {{"Memory", "Latest", 50}}, .want = 75},
        ScoreCase{.name = "OtherMetrics", .pod = FakePod("p"), .metrics = {{"Energy", "AVG", 50}}, .want = 0},
        ScoreCase{
            .name = "APodThatDoesNotFit", .pod = Requesting(5000, 1), .metrics = {{"CPU", "AVG", 0}}, .want = 50}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(LoadVariation, FollowsTheNode) {
  PluginWithWatcher world("LoadVariationRiskBalancing", Args());
  world.Node("node-1");
  world.Start();
  world.Answer({{"node-1", {{"CPU", "AVG", 0}}}});
  EXPECT_EQ(world.Score(Requesting(500, 0)), (Scores{{"node-1", 75}}));
  world.plugin.NodeChanged(FakeNode("node-1").Allocatable({{"cpu", 2000}}), 0);
  EXPECT_EQ(world.Score(Requesting(500, 0)), (Scores{{"node-1", 88}}));
  world.plugin.NodeRemoved(FakeNode("node-1"), 0);
  world.plugin.NodeAdded(FakeNode("node-2").Allocatable({{"cpu", 2000}}), 0);
  EXPECT_EQ(world.Score(Requesting(500, 0)), (Scores{{"node-1", 0}}));
}

TEST(LoadVariation, WatchesNodesForMetricsServerOnly) {
  {
    PluginWithWatcher world("LoadVariationRiskBalancing", Args());
    world.Start();
    EXPECT_FALSE(world.plugin.host().objects().Needed("v1/nodes"));
  }
  PluginWithWatcher world("LoadVariationRiskBalancing", FakeValue::Object());
  world.Node("node-1");
  world.Start();
  EXPECT_TRUE(world.plugin.host().objects().Needed("v1/nodes"));
  world.Answer(FakeReply{200, R"({"items":[{"metadata":{"name":"node-1"},"usage":{"cpu":"500m","memory":"512Mi"}}]})"});
  EXPECT_EQ(world.Score(FakePod("p")), (Scores{{"node-1", 75}}));
}

}  // namespace
}  // namespace load_variation_test
