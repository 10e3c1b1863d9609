// One decision under another policy, with totals that are added up by hand.
#include "scheduler/what_if/replay.h"

#include <gtest/gtest.h>

#include "tables.h"

namespace berth::what_if {
namespace {

using Fate = Replay::Fate;

// Fit x 1: 50, 80, 80. Image x 2: 40, 0, 10. Totals: 130, 80, 100.
Recorded Three(const std::string& node) {
  return {.node = node, .nodes = {"a", "b", "c"}, .scores = {{"Fit", 1, {50, 80, 80}}, {"Image", 2, {40, 0, 10}}}};
}

struct Case {
  const char* name;
  Recorded recorded;
  Target target;
  Fate fate;
  const char* to = "";
  Totals of_recorded = {}, of_chosen = {};
  uint32_t ties = 0, unknown = 0;
};

class ReplayTable : public testing::TestWithParam<Case> {};

TEST_P(ReplayTable, IsAsComputedByHand) {
  const Case& c = GetParam();
  const Replay replay = ReplayOf(*Make(c.recorded), c.target);
  EXPECT_EQ(replay.fate, c.fate);
  EXPECT_EQ(replay.to, c.to);
  EXPECT_EQ(replay.of_recorded.before, c.of_recorded.before);
  EXPECT_EQ(replay.of_recorded.after, c.of_recorded.after);
  EXPECT_EQ(replay.of_chosen.before, c.of_chosen.before);
  EXPECT_EQ(replay.of_chosen.after, c.of_chosen.after);
  EXPECT_EQ(replay.ties, c.ties);
  EXPECT_EQ(replay.unknown_nodes, c.unknown);
}

INSTANTIATE_TEST_SUITE_P(
    Decisions, ReplayTable,
    testing::Values(
        Case{.name = "SameWeights",
             .recorded = Three("a"),
             .target = {.weights = {{"Fit", 1}, {"Image", 2}}},
             .fate = Fate::kStays,
             .ties = 1},
        // 50+40, 80+0, 80+10: a and c tie, and a is the recorded node.
        Case{.name = "TieKeepsTheRecordedNode",
             .recorded = Three("a"),
             .target = {.weights = {{"Fit", 1}, {"Image", 1}}},
             .fate = Fate::kStays,
             .ties = 2},
        // 2x50+40, 2x80+0, 2x80+10: 140, 160, 170.
        Case{.name = "WeightsMoveIt",
             .recorded = Three("a"),
             .target = {.weights = {{"Fit", 2}, {"Image", 1}}},
             .fate = Fate::kMoves,
             .to = "c",
             .of_recorded = {130, 140},
             .of_chosen = {100, 170},
             .ties = 1},
        // 50, 80, 80: b is the first of two.
        Case{.name = "DisabledScoreMovesIt",
             .recorded = Three("a"),
             .target = {.weights = {{"Fit", 1}}},
             .fate = Fate::kMoves,
             .to = "b",
             .of_recorded = {130, 50},
             .of_chosen = {80, 80},
             .ties = 2},
        Case{
            .name = "WithoutScorePluginsAllTie", .recorded = Three("a"), .target = {}, .fate = Fate::kStays, .ties = 3},
        Case{.name = "PluginThatSkippedThePodChangesNothing",
             .recorded = Three("a"),
             .target = {.weights = {{"Fit", 1}, {"Image", 2}, {"Spread", 9}}},
             .fate = Fate::kStays,
             .ties = 1},
        // The weight of a plugin may be negative: -50+80, -80+0, -80+20.
        Case{.name = "NegativeWeight",
             .recorded = Three("a"),
             .target = {.weights = {{"Fit", -1}, {"Image", 2}}},
             .fate = Fate::kStays,
             .ties = 1},
        // The extender's 90 for b stays: 50, 80+90.
        Case{.name = "ExtenderAlwaysCounts",
             .recorded = {.node = "a",
                          .nodes = {"a", "b"},
                          .scores = {{"Fit", 3, {50, 10}}, {"http://extender", 0, {0, 90}}}},
             .target = {.weights = {{"Fit", 1}}},
             .fate = Fate::kMoves,
             .to = "b",
             .of_recorded = {150, 50},
             .of_chosen = {120, 100},
             .ties = 1},
        // b has the most, but was rejected.
        Case{.name = "RejectedNodesAreNotChosen",
             .recorded = {.node = "a",
                          .nodes = {"a", "b", "c"},
                          .scores = {{"Fit", 1, {50, 99, 40}}},
                          .rejected_by = {"", "Taint", ""}},
             .target = {.weights = {{"Fit", 2}}},
             .fate = Fate::kStays,
             .ties = 1},
        Case{.name = "DisabledFilterLeavesNodesUnknown",
             .recorded = {.node = "a",
                          .nodes = {"a", "b", "c", "d"},
                          .scores = {{"Fit", 1, {50, 0, 0, 0}}},
                          .rejected_by = {"", "Taint", "Affinity,Taint", "Ports"}},
             .target = {.weights = {{"Fit", 1}}, .without_filters = {"Taint"}},
             .fate = Fate::kStays,
             .ties = 1,
             .unknown = 2},
        Case{.name = "DisabledFilterThatRejectedNothingIsExact",
             .recorded =
                 {.node = "a", .nodes = {"a", "b"}, .scores = {{"Fit", 1, {50, 0}}}, .rejected_by = {"", "Ports"}},
             .target = {.weights = {{"Fit", 1}}, .without_filters = {"Taint"}},
             .fate = Fate::kStays,
             .ties = 1},
        Case{.name = "OnlyNodeThatPassedStays",
             .recorded = {.node = "a", .nodes = {"a", "b"}, .rejected_by = {"", "Taint"}},
             .target = {},
             .fate = Fate::kStays},
        Case{.name = "UnschedulablePodStaysSo",
             .recorded = {.node = "", .nodes = {"a"}, .rejected_by = {"Taint"}},
             .target = {},
             .fate = Fate::kNoNode},
        Case{.name = "UnschedulablePodMayFit",
             .recorded = {.node = "", .nodes = {"a"}, .rejected_by = {"Taint"}},
             .target = {.without_filters = {"Taint"}},
             .fate = Fate::kNoNode,
             .unknown = 1}),
    [](const auto& param) { return param.param.name; });

TEST(Replay, KnowsNothingWithoutATable) {
  decisions::Decision decision;
  decision.node = "a";
  EXPECT_EQ(ReplayOf(decision, {}).fate, Fate::kNoTable);
}

}  // namespace
}  // namespace berth::what_if
