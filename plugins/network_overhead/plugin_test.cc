// The table tests of pkg/networkaware/networkoverhead of kubernetes-sigs/scheduler-plugins, as facts.
#include "test_fixture.h"

namespace network_overhead_test {
namespace {

// One score for each of n-1 ... n-8.
Scores OnEightNodes(const std::vector<int64_t>& scores) {
  Scores nodes;
  for (size_t i = 0; i < scores.size(); ++i) nodes["n-" + std::to_string(i + 1)] = scores[i];
  return nodes;
}

// p1 is on n-2, p2 on n-5, and p3 where the caller says.
Net& Placed(Net& net, const std::string& p3) {
  net.EightNodes().Object(kAppGroups, BasicGroup()).Object(kTopologies, BasicTopology());
  return net.Pod(Replica("p1"), "n-2").Pod(Replica("p2"), "n-5").Pod(Replica("p3"), p3).Start();
}

struct ScoreCase {
  const char* name;
  std::string workload;
  std::vector<int64_t> costs, scores;
};

class NetworkOverheadScore : public testing::TestWithParam<ScoreCase> {};

TEST_P(NetworkOverheadScore, Score) {
  Net net;
  const FakePod pod = Replica(GetParam().workload).Name("new");
  const Scores costs = Placed(net, "n-1").ScoresOf(pod);
  EXPECT_EQ(costs, OnEightNodes(GetParam().costs));
  EXPECT_EQ(net.Normalized(pod, costs), OnEightNodes(GetParam().scores));
}

// TestNetworkOverheadScore, all cases.
INSTANTIATE_TEST_SUITE_P(Upstream, NetworkOverheadScore,
                         testing::Values(ScoreCase{.name = "P1",
                                                   .workload = "p1",
                                                   .costs = {20, 20, 20, 20, 0, 1, 10, 10},
                                                   .scores = {0, 0, 0, 0, 100, 95, 50, 50}},
                                         ScoreCase{.name = "P2",
                                                   .workload = "p2",
                                                   .costs = {0, 1, 5, 5, 20, 20, 20, 20},
                                                   .scores = {100, 95, 75, 75, 0, 0, 0, 0}},
                                         ScoreCase{.name = "P3WithoutDependencies",
                                                   .workload = "p3",
                                                   .costs = {0, 0, 0, 0, 0, 0, 0, 0},
                                                   .scores = {0, 0, 0, 0, 0, 0, 0, 0}}),
                         [](const auto& info) { return std::string(info.param.name); });

struct FilterCase {
  const char* name;
  FakePod pod;
  std::string node;
  Outcome want;
};

class NetworkOverheadFilter : public testing::TestWithParam<FilterCase> {};

TEST_P(NetworkOverheadFilter, Filter) {
  Net net;
  EXPECT_EQ(Placed(net, "n-8").Filter(GetParam().pod, GetParam().node), GetParam().want);
}

// TestNetworkOverheadFilter, all cases. (The last two are those of p1 once more.)
INSTANTIATE_TEST_SUITE_P(
    Upstream, NetworkOverheadFilter,
    testing::Values(
        FilterCase{.name = "P1OnN1", .pod = Replica("p1"), .node = "n-1", .want = TooExpensive("n-1", 0, 1)},
        FilterCase{.name = "P1OnN6", .pod = Replica("p1"), .node = "n-6", .want = {}},
        FilterCase{.name = "P2OnN5", .pod = Replica("p2"), .node = "n-5", .want = TooExpensive("n-5", 0, 1)},
        FilterCase{.name = "P2OnN7", .pod = Replica("p2"), .node = "n-7", .want = {}},
        FilterCase{.name = "P3WithoutDependenciesOnN1", .pod = Replica("p3"), .node = "n-1", .want = {}},
        FilterCase{.name = "P10WithoutAppGroupOnN1", .pod = Replica("p10", ""), .node = "n-1", .want = {}},
        FilterCase{.name = "P1OnN1Again", .pod = Replica("p1"), .node = "n-1", .want = TooExpensive("n-1", 0, 1)},
        FilterCase{.name = "P1OnN6Again", .pod = Replica("p1"), .node = "n-6", .want = {}}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace network_overhead_test
