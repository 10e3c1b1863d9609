#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <berth/testing/plugin_under_test.hpp>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "../common/allocation_strategies.h"
#include "berth/entry.h"

namespace {

using namespace berth::sdk::testing;  // NOLINT: tests use the fake host's names
using testing::ElementsAre;

constexpr const char* kGpu = "example.com/aaa";

FakeNode Machine(int64_t cpu, int64_t memory, int64_t pods = 32) {
  return FakeNode("n").Allocatable({{"cpu", cpu}, {"memory", memory}, {"pods", pods}, {kGpu, 5}});
}

struct FilterCase {
  const char* name;
  FakePod pod;
  FakePod running;  // on the node already
  FakeNode node;
  Outcome expected;
};

class FitFilter : public testing::TestWithParam<FilterCase> {};

TEST_P(FitFilter, Filter) {
  PluginUnderTest plugin(berth_entry_v1, "NodeResourcesFit");
  plugin.cluster().Add(GetParam().node).Add(GetParam().running, "n");
  ASSERT_TRUE(plugin.Start().ok());
  auto attempt = plugin.Try(GetParam().pod);
  ASSERT_TRUE(attempt->PreFilter().ok());
  EXPECT_EQ(attempt->Filter().nodes.at("n"), GetParam().expected);
}

const FakePod kIdle("running");
FakePod Asks(Amounts amounts) { return FakePod("p").Req(std::move(amounts)); }
FakePod Runs(Amounts amounts) { return FakePod("running").Req(std::move(amounts)); }
Outcome Short(std::vector<std::string> reasons) { return {BERTH_UNSCHEDULABLE, std::move(reasons)}; }
Outcome Never(std::vector<std::string> reasons) { return {BERTH_UNRESOLVABLE, std::move(reasons)}; }

// A hundred extended resources, more than a mask has bits, after the given amounts.
Amounts Hundred(int64_t each, Amounts amounts = {}) {
  for (int i = 100; i < 200; ++i) amounts.emplace_back("example.com/r" + std::to_string(i), each);
  return amounts;
}
FakeNode MachineWithHundred() { return FakeNode("n").Allocatable(Hundred(2, {{"cpu", 10}, {"pods", 32}})); }

INSTANTIATE_TEST_SUITE_P(
    ManyResources, FitFilter,
    testing::Values(FilterCase{.name = "AHundredResourcesFit",
                               .pod = Asks(Hundred(2, {{"cpu", 10}})),
                               .running = kIdle,
                               .node = MachineWithHundred()},
                    FilterCase{.name = "TheLastOfAHundredResourcesIsShort",
                               .pod = Asks(Hundred(2, {{"cpu", 10}})),
                               .running = Runs({{"cpu", 1}, {"example.com/r199", 1}}),
                               .node = MachineWithHundred(),
                               .expected = Short({"Insufficient cpu", "Insufficient example.com/r199"})},
                    FilterCase{.name = "ANodeNeverHasEnoughOfOneInAHundredResources",
                               .pod = Asks(Hundred(1, {{"cpu", 1}})).Req({{"example.com/r150", 2}}),
                               .running = kIdle,
                               .node = MachineWithHundred(),
                               .expected = Never({"Insufficient example.com/r150"})}),
    [](const auto& info) { return std::string(info.param.name); });

// The numbers of TestEnoughRequests and related tests.
INSTANTIATE_TEST_SUITE_P(
    Upstream, FitFilter,
    testing::Values(
        FilterCase{.name = "NoResourcesRequestedAlwaysFits",
                   .pod = FakePod("p"),
                   .running = Runs({{"cpu", 10}, {"memory", 20}}),
                   .node = Machine(10, 20)},
        FilterCase{.name = "TooManyResources",
                   .pod = Asks({{"cpu", 1}, {"memory", 1}}),
                   .running = Runs({{"cpu", 10}, {"memory", 20}}),
                   .node = Machine(10, 20),
                   .expected = Short({"Insufficient cpu", "Insufficient memory"})},
        FilterCase{.name = "TooManyDueToInitContainer",
                   .pod = FakePod("p").Req({{"cpu", 1}, {"memory", 1}}).InitReq({{"cpu", 3}, {"memory", 1}}),
                   .running = Runs({{"cpu", 8}, {"memory", 19}}),
                   .node = Machine(10, 20),
                   .expected = Short({"Insufficient cpu"})},
        FilterCase{.name = "HighestInitContainerCounts",
                   .pod = FakePod("p")
                              .Req({{"cpu", 1}, {"memory", 1}})
                              .InitReq({{"cpu", 3}, {"memory", 1}})
                              .InitReq({{"cpu", 2}}),
                   .running = Runs({{"cpu", 8}, {"memory", 19}}),
                   .node = Machine(10, 20),
                   .expected = Short({"Insufficient cpu"})},
        FilterCase{.name = "InitContainerFits",
                   .pod = FakePod("p").Req({{"cpu", 1}, {"memory", 1}}).InitReq({{"cpu", 1}, {"memory", 1}}),
                   .running = Runs({{"cpu", 9}, {"memory", 19}}),
                   .node = Machine(10, 20)},
        FilterCase{.name = "BothFit",
                   .pod = Asks({{"cpu", 1}, {"memory", 1}}),
                   .running = Runs({{"cpu", 5}, {"memory", 5}}),
                   .node = Machine(10, 20)},
        FilterCase{.name = "OneResourceMemoryFits",
                   .pod = Asks({{"cpu", 2}, {"memory", 1}}),
                   .running = Runs({{"cpu", 9}, {"memory", 5}}),
                   .node = Machine(10, 20),
                   .expected = Short({"Insufficient cpu"})},
        FilterCase{.name = "OneResourceCpuFits",
                   .pod = Asks({{"cpu", 1}, {"memory", 2}}),
                   .running = Runs({{"cpu", 5}, {"memory", 19}}),
                   .node = Machine(10, 20),
                   .expected = Short({"Insufficient memory"})},
        FilterCase{.name = "EqualEdge",
                   .pod = Asks({{"cpu", 5}, {"memory", 1}}),
                   .running = Runs({{"cpu", 5}, {"memory", 19}}),
                   .node = Machine(10, 20)},
        FilterCase{.name = "MoreThanTheNodeHasEver",
                   .pod = Asks({{"cpu", 11}}),
                   .running = kIdle,
                   .node = Machine(10, 20),
                   .expected = Never({"Insufficient cpu"})},
        FilterCase{.name = "ExtendedFits", .pod = Asks({{kGpu, 1}}), .running = kIdle, .node = Machine(10, 20)},
        FilterCase{.name = "ExtendedCapacityEnforced",
                   .pod = Asks({{kGpu, 10}}),
                   .running = kIdle,
                   .node = Machine(10, 20),
                   .expected = Never({"Insufficient example.com/aaa"})},
        FilterCase{.name = "ExtendedAllocatableEnforced",
                   .pod = Asks({{kGpu, 1}}),
                   .running = Runs({{kGpu, 5}}),
                   .node = Machine(10, 20),
                   .expected = Short({"Insufficient example.com/aaa"})},
        FilterCase{.name = "ExtendedUnknown",
                   .pod = Asks({{"example.com/bbb", 1}}),
                   .running = kIdle,
                   .node = Machine(10, 20),
                   .expected = Never({"Insufficient example.com/bbb"})},
        FilterCase{.name = "NativeUnknown",
                   .pod = Asks({{"kubernetes.io/something", 10}}),
                   .running = kIdle,
                   .node = Machine(10, 20),
                   .expected = Never({"Insufficient kubernetes.io/something"})},
        FilterCase{.name = "UnprefixedNamesAreNotCounted",
                   .pod = Asks({{"weird", 10}}),
                   .running = kIdle,
                   .node = Machine(10, 20)},
        FilterCase{.name = "OneUnresolvableReasonUpgradesAll",
                   .pod = Asks({{"cpu", 8}, {kGpu, 10}}),
                   .running = Runs({{"cpu", 5}}),
                   .node = Machine(10, 20),
                   .expected = Never({"Insufficient cpu", "Insufficient example.com/aaa"})},
        FilterCase{.name = "Overhead",
                   .pod = FakePod("p").Req({{"cpu", 1}}).Overhead({{"cpu", 5}}),
                   .running = Runs({{"cpu", 5}}),
                   .node = Machine(10, 20),
                   .expected = Short({"Insufficient cpu"})},
        FilterCase{.name = "NoRoomForPods",
                   .pod = FakePod("p"),
                   .running = kIdle,
                   .node = Machine(10, 20, 1),
                   .expected = Short({"Too many pods"})},
        FilterCase{.name = "NoPodsAtAllIsNotUnresolvable",
                   .pod = FakePod("p"),
                   .running = kIdle,
                   .node = Machine(10, 20, 0),
                   .expected = Short({"Too many pods"})},
        FilterCase{.name = "SidecarsAdd",
                   .pod = FakePod("p").Req({{"cpu", 3}}).SidecarReq({{"cpu", 3}}),
                   .running = Runs({{"cpu", 5}}),
                   .node = Machine(10, 20),
                   .expected = Short({"Insufficient cpu"})},
        FilterCase{.name = "PodLevelReplaces",
                   .pod = FakePod("p").Req({{"cpu", 9}}).PodRequests({{"cpu", 2}}),
                   .running = Runs({{"cpu", 5}}),
                   .node = Machine(10, 20)}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(Fit, IgnoredResources) {
  PluginUnderTest plugin(berth_entry_v1, "NodeResourcesFit");
  plugin.Args(FakeValue::Object({{"ignoredResources", FakeValue::Array({"example.com/bbb"})},
                                 {"ignoredResourceGroups", FakeValue::Array({"other.org", "kubernetes.io"})}}));
  plugin.cluster().Add(Machine(10, 20));
  ASSERT_TRUE(plugin.Start().ok());
  EXPECT_TRUE(plugin.Try(Asks({{"example.com/bbb", 1}}))->Filter().nodes.at("n").ok());
  EXPECT_TRUE(plugin.Try(Asks({{"other.org/x", 1}}))->Filter().nodes.at("n").ok());
  EXPECT_EQ(plugin.Try(Asks({{"example.com/ccc", 1}}))->Filter().nodes.at("n"),
            Never({"Insufficient example.com/ccc"}));
  EXPECT_EQ(plugin.Try(Asks({{"kubernetes.io/x", 1}}))->Filter().nodes.at("n"), Never({"Insufficient kubernetes.io/x"}))
      << "only extended resources can be ignored";
}

FakeValue Strategy(const char* type, std::vector<std::pair<const char*, int64_t>> weights,
                   std::vector<std::pair<int64_t, int64_t>> shape = {}) {
  std::vector<FakeValue> resources, points;
  for (const auto& [name, weight] : weights)
    resources.push_back(FakeValue::Object({{"name", name}, {"weight", weight}}));
  for (const auto& [utilization, score] : shape) {
    points.push_back(FakeValue::Object({{"utilization", utilization}, {"score", score}}));
  }
  FakeValue strategy = FakeValue::Object({{"type", type}, {"resources", FakeValue::Array(resources)}});
  if (!points.empty()) {
    strategy =
        FakeValue::Object({{"type", type},
                           {"resources", FakeValue::Array(resources)},
                           {"requestedToCapacityRatio", FakeValue::Object({{"shape", FakeValue::Array(points)}})}});
  }
  return FakeValue::Object({{"scoringStrategy", strategy}});
}

struct ScoreCase {
  const char* name;
  FakeValue args;
  FakePod pod;
  Amounts node1, node2;
  Scores expected;
};

class FitScore : public testing::TestWithParam<ScoreCase> {};

TEST_P(FitScore, Score) {
  PluginUnderTest plugin(berth_entry_v1, "NodeResourcesFit");
  plugin.Args(GetParam().args);
  plugin.cluster().Add(FakeNode("n1").Allocatable(GetParam().node1)).Add(FakeNode("n2").Allocatable(GetParam().node2));
  ASSERT_TRUE(plugin.Start().ok());
  auto attempt = plugin.Try(GetParam().pod);
  ASSERT_TRUE(attempt->PreScore().ok());
  EXPECT_EQ(attempt->Score().nodes, GetParam().expected);
}

const Amounts kSmall{{"cpu", 4000}, {"memory", 10000}}, kLarge{{"cpu", 6000}, {"memory", 10000}};
const FakePod kBig = Asks({{"cpu", 3000}, {"memory", 5000}});

INSTANTIATE_TEST_SUITE_P(Upstream, FitScore,
                         testing::Values(ScoreCase{.name = "LeastAllocated",
                                                   .args = Strategy("LeastAllocated", {{"cpu", 1}, {"memory", 1}}),
                                                   .pod = kBig,
                                                   .node1 = kSmall,
                                                   .node2 = kLarge,
                                                   .expected = {{"n1", 37}, {"n2", 50}}},
                                         ScoreCase{.name = "LeastAllocatedWeighted",
                                                   .args = Strategy("LeastAllocated", {{"memory", 2}, {"cpu", 1}}),
                                                   .pod = kBig,
                                                   .node1 = kSmall,
                                                   .node2 = kLarge,
                                                   .expected = {{"n1", 41}, {"n2", 50}}},
                                         ScoreCase{.name = "LeastAllocatedOvercommitted",
                                                   .args = Strategy("LeastAllocated", {{"cpu", 1}, {"memory", 1}}),
                                                   .pod = Asks({{"cpu", 6000}, {"memory", 5000}}),
                                                   .node1 = kSmall,
                                                   .node2 = kLarge,
                                                   .expected = {{"n1", 25}, {"n2", 25}}},
                                         ScoreCase{.name = "MostAllocated",
                                                   .args = Strategy("MostAllocated", {{"cpu", 1}, {"memory", 1}}),
                                                   .pod = kBig,
                                                   .node1 = kSmall,
                                                   .node2 = kLarge,
                                                   .expected = {{"n1", 62}, {"n2", 50}}},
                                         ScoreCase{.name = "RatioDropsZeroScores",
                                                   .args = Strategy("RequestedToCapacityRatio",
                                                                    {{"cpu", 1}, {"memory", 1}}, {{0, 10}, {100, 0}}),
                                                   .pod = Asks({{"cpu", 5000}, {"memory", 9000}}),
                                                   .node1 = kSmall,
                                                   .node2 = kLarge,
                                                   .expected = {{"n1", 10}, {"n2", 14}}},
                                         ScoreCase{.name = "RatioRounds",
                                                   .args = Strategy("RequestedToCapacityRatio",
                                                                    {{"cpu", 1}, {"memory", 1}}, {{0, 10}, {100, 0}}),
                                                   .pod = kBig,
                                                   .node1 = kSmall,
                                                   .node2 = kLarge,
                                                   .expected = {{"n1", 38}, {"n2", 50}}},
                                         ScoreCase{
                                             .name = "AbsentResourcesAreLeftOut",
                                             .args = Strategy("LeastAllocated", {{"cpu", 1}, {"example.com/gpu", 1}}),
                                             .pod = kBig,
                                             .node1 = kSmall,
                                             .node2 = kLarge,
                                             .expected = {{"n1", 25}, {"n2", 50}}}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Fit, PodsWithoutRequestsCountAsIfTheyHadSome) {
  PluginUnderTest plugin(berth_entry_v1, "NodeResourcesFit");
  const int64_t gib = int64_t{1} << 30;
  plugin.cluster().Add(FakeNode("n").Allocatable({{"cpu", 4000}, {"memory", 8 * gib}}));
  ASSERT_TRUE(plugin.Start().ok());
  EXPECT_EQ(plugin.Try(FakePod("p").Req({}))->Score().nodes, (Scores{{"n", 97}}));
}

TEST(Strategies, Shape) {
  using plugins::allocation::OnShape;
  EXPECT_EQ(OnShape({{0, 100}, {30, 0}}, 10), 67);
  EXPECT_EQ(OnShape({{10, 1}, {90, 9}}, 19), 1);
  EXPECT_EQ(OnShape({{0, 2}, {40, 10}, {100, 0}}, 70), 5);
  EXPECT_EQ(OnShape({{10, 3}}, 0), 3);
  EXPECT_EQ(OnShape({{10, 3}}, 100), 3);
}

// Doubles and integers must agree whenever doubles are used.
TEST(Strategies, DoublesAgreeWithIntegers) {
  uint64_t state = 12345;
  auto draw = [&state](int64_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<int64_t>(state >> 17) % below;
  };
  constexpr size_t kRows = 257;
  for (int round = 0; round < 400; ++round) {
    const int64_t limit = round % 2 == 0 ? 1000 : (int64_t{1} << 46) - 1;
    std::vector<int64_t> capacity(kRows), used(kRows), out(kRows);
    std::vector<double> capacity_f64(kRows), used_f64(kRows), sum(kRows), weights(kRows);
    const int64_t pod = draw(limit / 4) + 1;
    for (size_t i = 0; i < kRows; ++i) {
      capacity[i] = i % 9 == 0 ? 0 : draw(limit) + 1;
      used[i] = i % 7 == 0 ? std::max<int64_t>(0, capacity[i] - pod) : draw(limit / 2);
      capacity_f64[i] = static_cast<double>(capacity[i]);
      used_f64[i] = static_cast<double>(used[i]);
    }
    ASSERT_TRUE(plugins::allocation::AddLeast(capacity_f64.data(), used_f64.data(), static_cast<double>(pod), 3, kRows,
                                              sum.data(), weights.data()));
    plugins::allocation::DivideMeans(sum.data(), weights.data(), kRows, out.data());
    for (size_t i = 0; i < kRows; ++i) {
      const int64_t expected = capacity[i] == 0 ? 0 : plugins::allocation::LeastScore(used[i] + pod, capacity[i]);
      ASSERT_EQ(out[i], expected) << capacity[i] << " " << used[i] << " " << pod;
    }
  }
}

// Two resources at once, compared with row by row, with weights and with resources that a node lacks.
TEST(Strategies, MeansOfTwoAgreeWithIntegers) {
  using plugins::ResourceColumns;
  std::mt19937_64 random(99);
  const auto draw = [&random](int64_t below) { return static_cast<int64_t>(random() % static_cast<uint64_t>(below)); };
  constexpr size_t kRows = 131;
  for (int round = 0; round < 600; ++round) {
    const int64_t limit = round % 3 == 0 ? 50 : round % 3 == 1 ? 100'000 : (int64_t{1} << 45);
    std::array<std::vector<int64_t>, 2> capacity, used;
    std::array<std::vector<double>, 2> capacity_f64, used_f64;
    plugins::ColumnList columns{};
    std::array<plugins::allocation::RangeOfOne, 2> ranges;
    for (size_t c = 0; c < 2; ++c) {
      columns[c].pod = draw(limit / 3) + 1;
      columns[c].weight = round % 5 == 0 ? plugins::allocation::kPlainWeight - draw(3) : 1 + draw(100);
      for (size_t i = 0; i < kRows; ++i) {
        capacity[c].push_back(draw(6) == 0 ? 0 : draw(limit) + 1);
        used[c].push_back(draw(5) == 0 ? std::max<int64_t>(0, capacity[c][i] - columns[c].pod) : draw(limit / 2));
        capacity_f64[c].push_back(static_cast<double>(capacity[c][i]));
        used_f64[c].push_back(static_cast<double>(used[c][i]));
      }
      columns[c].allocatable = capacity[c].data();
      columns[c].used = used[c].data();
      ranges[c] = {capacity_f64[c].data(), used_f64[c].data(), static_cast<double>(columns[c].pod),
                   static_cast<double>(columns[c].weight)};
    }
    std::vector<int64_t> out(kRows);
    ASSERT_TRUE(plugins::allocation::LeastMeans(ranges[0], ranges[1], kRows, out.data()));
    for (uint32_t row = 0; row < kRows; ++row) {
      ASSERT_EQ(out[row], plugins::allocation::WeightedMean(columns, 2, row, plugins::allocation::LeastScore))
          << "round " << round << " row " << row;
    }
  }
}

TEST(Strategies, NumbersTooLargeForDoublesAreRefused) {
  const double capacity[] = {1e15}, used[] = {0};
  double sum[] = {0}, weights[] = {0};
  EXPECT_FALSE(plugins::allocation::AddLeast(capacity, used, 1, 1, 1, sum, weights));
  EXPECT_FALSE(plugins::allocation::AddMost(capacity, used, 1, 1, 1, sum, weights));
  const double small[] = {10};
  int64_t out[] = {0};
  const plugins::allocation::RangeOfOne fine{.capacity = small, .used = used, .pod = 1, .weight = 1},
      huge{capacity, used, 1, 1};
  EXPECT_TRUE(plugins::allocation::LeastMeans(fine, fine, 1, out));
  EXPECT_FALSE(plugins::allocation::LeastMeans(fine, huge, 1, out));
  EXPECT_FALSE(plugins::allocation::LeastMeans(huge, fine, 1, out));
}

TEST(Fit, Hints) {
  PluginUnderTest plugin(berth_entry_v1, "NodeResourcesFit");
  ASSERT_TRUE(plugin.Start().ok());
  auto node_hint = [&](const FakePod& pod, std::optional<FakeNode> before, FakeNode after) -> bool {
    return plugin
        .Hints({.resource = "Node", .interest = 1, .old_node = std::move(before), .new_node = std::move(after)}, {pod})
        .queue.at(0);
  };
  EXPECT_FALSE(node_hint(Asks({{"cpu", 11}}), std::nullopt, Machine(10, 20))) << "it would not fit even alone";
  EXPECT_TRUE(node_hint(Asks({{"cpu", 10}}), std::nullopt, Machine(10, 20)));
  EXPECT_TRUE(node_hint(Asks({{"cpu", 2}}), Machine(1, 20), Machine(10, 20)));
  EXPECT_FALSE(node_hint(Asks({{"cpu", 2}}), Machine(10, 20), Machine(10, 99))) << "more of something else";
  EXPECT_TRUE(node_hint(FakePod("p"), Machine(10, 20, 5), Machine(10, 20, 6)));
  EXPECT_FALSE(node_hint(FakePod("p"), Machine(10, 20, 5), Machine(99, 99, 5)));

  auto pod_hint = [&](std::optional<FakePod> before, std::optional<FakePod> after) -> bool {
    return plugin
        .Hints({.resource = "Pod", .interest = 0, .old_pod = std::move(before), .new_pod = std::move(after)},
               {Asks({{"cpu", 2}})})
        .queue.at(0);
  };
  EXPECT_FALSE(pod_hint(Runs({{"cpu", 5}}), std::nullopt)) << "it was on no node";
  EXPECT_TRUE(pod_hint(Runs({{"cpu", 5}}).Node("n"), std::nullopt));
  EXPECT_TRUE(pod_hint(Runs({{"cpu", 5}}).Node("n"), Runs({{"cpu", 4}}).Node("n")));
  EXPECT_FALSE(pod_hint(Runs({{"memory", 5}}).Node("n"), Runs({{"memory", 4}}).Node("n")));
}

}  // namespace
