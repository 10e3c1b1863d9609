// Many decisions: the counts, the spread, and the utilization, computed by hand; and how long it takes.
#include "scheduler/what_if/impact.h"

#include <gtest/gtest.h>

#include <chrono>

#include "tables.h"

namespace berth::what_if {
namespace {

const Target kFitOnly{.weights = {{"Fit", 1}}};

// Goes from a to b when Image does not count.
DecisionRef Moving(const std::string& pod) {
  return Make({.node = "a", .nodes = {"a", "b"}, .scores = {{"Fit", 1, {50, 80}}, {"Image", 1, {90, 0}}}, .pod = pod});
}
DecisionRef Staying(const std::string& pod) {
  return Make({.node = "a", .nodes = {"a", "b"}, .scores = {{"Fit", 1, {50, 20}}, {"Image", 1, {90, 0}}}, .pod = pod});
}

// Two nodes of 1000m and 100 bytes, one of which is in a zone; x requests half of the CPU.
Facts TwoNodes() {
  return {.nodes = {{"a", {"z1", 1000, 100}}, {"b", {"", 1000, 100}}}, .pods = {{"x", {500, 20}}, {"y", {300, 0}}}};
}

TEST(Impact, CountsAndFigures) {
  auto no_table = std::make_shared<decisions::Decision>();
  const Impact impact = ImpactOf({Moving("x"), Staying("y"), Staying("unknown"), no_table}, kFitOnly, TwoNodes());
  EXPECT_EQ(impact.looked_at, 3u);
  EXPECT_EQ(impact.unchanged, 2u);
  EXPECT_EQ(impact.without_table, 1u);
  ASSERT_EQ(impact.moves.size(), 1u);
  EXPECT_EQ(impact.moves[0].pod, "x");
  EXPECT_EQ(impact.moves[0].from, "a");
  EXPECT_EQ(impact.moves[0].to, "b");
  EXPECT_FALSE(impact.nothing_moves());

  EXPECT_EQ(impact.before.nodes_used, 1u);
  EXPECT_EQ(impact.before.most_pods_on_a_node, 3u);
  EXPECT_EQ(impact.before.pods_by_zone, (std::map<std::string, uint32_t>{{"", 0}, {"z1", 3}}));
  EXPECT_EQ(impact.before.pods_without_requests, 1u);
  EXPECT_DOUBLE_EQ(impact.before.cpu.mean, 0.4);  // 0.8 and 0
  EXPECT_DOUBLE_EQ(impact.before.cpu.deviation, 0.4);
  EXPECT_EQ(impact.after.nodes_used, 2u);
  EXPECT_EQ(impact.after.most_pods_on_a_node, 2u);
  EXPECT_EQ(impact.after.pods_by_zone, (std::map<std::string, uint32_t>{{"", 1}, {"z1", 2}}));
  EXPECT_DOUBLE_EQ(impact.after.cpu.mean, 0.4);  // 0.3 and 0.5
  EXPECT_DOUBLE_EQ(impact.after.cpu.deviation, 0.1);
  EXPECT_DOUBLE_EQ(impact.after.memory.mean, 0.1);  // 0 and 0.2
}

TEST(Impact, WhatIsNotExactIsNoMove) {
  const auto waits = Make({.node = "", .nodes = {"a"}, .rejected_by = {"Taint"}});
  const Impact impact = ImpactOf({waits}, {.weights = {}, .without_filters = {"Taint"}}, {});
  EXPECT_TRUE(impact.moves.empty());
  ASSERT_EQ(impact.inexact.size(), 1u);
  EXPECT_EQ(impact.inexact[0].unknown_nodes, 1u);
  EXPECT_FALSE(impact.nothing_moves());
}

TEST(Impact, IsWrittenAsJson) {
  const json::Value value = ImpactJson(ImpactOf({Moving("x"), Staying("y")}, kFitOnly, TwoNodes()));
  EXPECT_EQ(json::Dump(*value.Find("decisions")),
            R"({"lookedAt":2,"moving":1,"unchanged":1,"tied":0,"notExact":0,"withoutNodes":0})");
  EXPECT_EQ(json::Dump(*value.Find("moves")),
            R"([{"pod":"x","from":"a","to":"b","decision":7,"fromTotal":{"before":140,"after":50},)"
            R"("toTotal":{"before":80,"after":80},"ties":1,"unknownNodes":0}])");
  EXPECT_EQ(json::Dump(*value.FindPath("after.zones")), R"([{"zone":"","pods":1},{"zone":"z1","pods":1}])");
  EXPECT_EQ(json::Dump(*value.FindPath("before.cpu")), R"({"mean":0.4,"deviation":0.4})");
  EXPECT_EQ(ImpactJson(ImpactOf({Moving("x")}, kFitOnly, {})).FindPath("before.cpu"), nullptr) << "no node is known";
}

// The promise is one second for 100 pods at 5,000 nodes. The test program is not optimized.
TEST(Impact, TakesLessThanASecondFor100PodsAt5000Nodes) {
  constexpr size_t kNodes = 5000, kPods = 100, kPlugins = 8;
  Recorded recorded{.node = "node-0", .nodes = {}};
  for (size_t i = 0; i < kNodes; ++i) recorded.nodes.push_back("node-" + std::to_string(i));
  Target target;
  for (size_t p = 0; p < kPlugins; ++p) {
    ScoreColumn column{"Plugin" + std::to_string(p), 2, {}};
    for (size_t i = 0; i < kNodes; ++i) column.normalized.push_back(static_cast<int64_t>((i * 7919 + p * 31) % 101));
    recorded.scores.push_back(std::move(column));
    target.weights["Plugin" + std::to_string(p)] = static_cast<int64_t>(p + 1);
  }
  const std::vector<DecisionRef> decisions(kPods, Make(recorded));
  Facts facts;
  for (const std::string& node : recorded.nodes) facts.nodes[node] = {"z", 4000, 1 << 30};
  const auto began = std::chrono::steady_clock::now();
  const Impact impact = ImpactOf(decisions, target, facts);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  EXPECT_EQ(impact.moves.size(), kPods);
  EXPECT_LT(took.count(), 1.0);
  RecordProperty("milliseconds", static_cast<int>(took.count() * 1000));
  std::cout << "100 decisions at 5,000 nodes with 8 plugins take " << took.count() * 1000 << " ms\n";
}

}  // namespace
}  // namespace berth::what_if
