#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <berth/testing/fake_nominations.hpp>
#include <berth/testing/plugin_under_test.hpp>

#include <string>
#include <vector>

#include "berth/entry.h"

namespace {

using namespace berth::sdk::testing;  // NOLINT: tests use the fake host's names

struct State {
  int terminating = 0, nominated = 0, regular = 10;
};

struct Case {
  const char* name;
  std::vector<State> nodes;  // node1, node2, ...
  Scores want;
};

class PodStateTest : public testing::TestWithParam<Case> {};

TEST_P(PodStateTest, ScoreAndNormalize) {
  PluginUnderTest plugin(berth_entry_v1, "PodState");
  FakeNominations nominations(plugin.host());
  int node = 0;
  for (const State& state : GetParam().nodes) {
    const std::string name = "node" + std::to_string(++node);
    plugin.cluster().Add(FakeNode(name));
    for (int i = 0; i < state.terminating; ++i) {
      plugin.cluster().Add(FakePod("t-" + name + std::to_string(i)).Terminating(), name);
    }
    for (int i = 0; i < state.regular; ++i) plugin.cluster().Add(FakePod("r-" + name + std::to_string(i)), name);
    for (int i = 0; i < state.nominated; ++i) {
      nominations.Nominate(FakePod("n-" + name + std::to_string(i)).Nominated(name), name);
    }
  }
  ASSERT_TRUE(plugin.Start().ok());
  {
    auto attempt = plugin.Try(FakePod("p"));
    EXPECT_EQ(attempt->Normalize(attempt->Score().nodes).nodes, GetParam().want);
  }
  EXPECT_THAT(plugin.Violations(), testing::IsEmpty());
  plugin.Stop();
}

// TestPodState of pkg/podstate/pod_state_test.go, all cases. There a nominated pod is also a pod of its node.
INSTANTIATE_TEST_SUITE_P(
    Upstream, PodStateTest,
    testing::Values(Case{.name = "MoreTerminatingScoreHigher",
                         .nodes = {{.terminating = 6}, {.terminating = 3}, {}},
                         .want = {{"node1", 100}, {"node2", 50}, {"node3", 0}}},
                    Case{.name = "MoreNominatedScoreLower",
                         .nodes = {{.nominated = 2}, {.nominated = 1}, {}},
                         .want = {{"node1", 0}, {"node2", 50}, {"node3", 100}}},
                    Case{.name = "TheDifferenceCounts",
                         .nodes = {{.terminating = 5, .nominated = 2}, {.terminating = 3, .nominated = 1}},
                         .want = {{"node1", 100}, {"node2", 0}}},
                    Case{.name = "ASmallerDifferenceScoresLower",
                         .nodes = {{.terminating = 5, .nominated = 4}, {.terminating = 3, .nominated = 1}},
                         .want = {{"node1", 0}, {"node2", 100}}},
                    Case{.name = "FourNodes",
                         .nodes = {{.terminating = 5},
                                   {.terminating = 3, .nominated = 1},
                                   {.terminating = 2, .nominated = 1},
                                   {.nominated = 1}},
                         .want = {{"node1", 100}, {"node2", 50}, {"node3", 33}, {"node4", 0}}}),
    [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(Own, PodStateTest,
                         testing::Values(Case{.name = "EqualNodesScoreZero",
                                              .nodes = {{.terminating = 2, .nominated = 1}, {.terminating = 1}},
                                              .want = {{"node1", 0}, {"node2", 0}}},
                                         Case{.name = "OneNode", .nodes = {{.terminating = 7}}, .want = {{"node1", 0}}},
                                         Case{.name = "EmptyNodes",
                                              .nodes = {{.regular = 0}, {.regular = 0}},
                                              .want = {{"node1", 0}, {"node2", 0}}},
                                         Case{.name = "BelowZero",
                                              .nodes = {{.nominated = 3}, {.terminating = 1, .nominated = 3}},
                                              .want = {{"node1", 0}, {"node2", 100}}}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(PodStateScore, IsTheNumberOfTerminatingPods) {
  PluginUnderTest plugin(berth_entry_v1, "PodState");
  FakeNominations nominations(plugin.host());
  plugin.cluster()
      .Add(FakeNode("n"))
      .Add(FakePod("a").Terminating(), "n")
      .Add(FakePod("b").Terminating(5), "n")
      .Add(FakePod("c"), "n");
  ASSERT_TRUE(plugin.Start().ok());
  EXPECT_EQ(plugin.Try(FakePod("p"))->Score().nodes, (Scores{{"n", 2}}));
  plugin.Stop();
}

}  // namespace
