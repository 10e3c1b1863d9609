#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <berth/testing/plugin_under_test.hpp>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "berth/entry.h"

namespace {

using namespace berth::sdk::testing;  // NOLINT: tests use the fake host's names
using testing::ElementsAre;
using testing::IsEmpty;

constexpr int64_t kMi = int64_t{1} << 20;
constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

FakeValue Resources(const std::vector<std::pair<std::string, int64_t>>& weights) {
  std::vector<FakeValue> items;
  for (const auto& [name, weight] : weights) items.push_back(FakeValue::Object({{"name", name}, {"weight", weight}}));
  return FakeValue::Array(items);
}
FakeValue ArgsOf(const char* mode, int64_t cpu_weight) {
  return FakeValue::Object({{"mode", mode}, {"resources", Resources({{"cpu", cpu_weight}, {"memory", 1}})}});
}
FakeValue Default(const char* mode) { return ArgsOf(mode, int64_t{1} << 20); }

using Running = std::vector<std::pair<std::string, Amounts>>;  // node, requests

struct Case {
  const char* name;
  FakeValue args;
  std::vector<std::pair<std::string, Amounts>> nodes;
  Amounts pod;
  Running running;
  Scores want;
};

class Allocatable : public testing::TestWithParam<Case> {};

TEST_P(Allocatable, ScoreAndNormalize) {
  PluginUnderTest plugin(berth_entry_v1, "NodeResourcesAllocatable");
  plugin.Args(GetParam().args);
  for (const auto& [node, amounts] : GetParam().nodes) plugin.cluster().Add(FakeNode(node).Allocatable(amounts));
  int n = 0;
  for (const auto& [node, requests] : GetParam().running) {
    plugin.cluster().Add(FakePod("running-" + std::to_string(++n)).Req(requests), node);
  }
  ASSERT_TRUE(plugin.Start().ok());
  auto attempt = plugin.Try(FakePod("p").Req(GetParam().pod));
  const ScoreOutcome raw = attempt->Score();
  ASSERT_TRUE(raw.ok());
  EXPECT_EQ(attempt->Normalize(raw.nodes).nodes, GetParam().want);
  EXPECT_THAT(plugin.Violations(), IsEmpty());
}

Amounts Of(int64_t cpu, int64_t memory) { return {{"cpu", cpu}, {"memory", memory}}; }
Amounts Ordinary() { return Of(1000, 1024 * kMi); }
Amounts BigCpu() { return Of(8000, 1024 * kMi); }
std::vector<std::pair<std::string, Amounts>> Two(const Amounts& first, const Amounts& second) {
  return {{"machine1", first}, {"machine2", second}};
}
std::vector<std::pair<std::string, Amounts>> Three() {
  return {{"machine1", Of(1000, 1000 * kMi)}, {"machine2", Of(2000, 2000 * kMi)}, {"machine3", Of(3000, 3000 * kMi)}};
}
Running Four() { return {{"machine1", {}}, {"machine1", {}}, {"machine2", {}}, {"machine2", {}}}; }

// TestNodeResourcesAllocatable of pkg/noderesources/allocatable_test.go, all cases that score.
INSTANTIATE_TEST_SUITE_P(Upstream, Allocatable,
                         testing::Values(Case{.name = "NothingScheduledNothingRequested",
                                              .args = Default("Least"),
                                              .nodes = Two(Of(4000, 10000), Of(4000, 10000)),
                                              .want = {{"machine1", 0}, {"machine2", 0}}},
                                         Case{.name = "DifferentMachinesLeast",
                                              .args = Default("Least"),
                                              .nodes = Two(Of(4000, 10000), Of(6000, 10000)),
                                              .pod = Ordinary(),
                                              .want = {{"machine1", 100}, {"machine2", 0}}},
                                         Case{.name = "DifferentMachinesMost",
                                              .args = Default("Most"),
                                              .nodes = Two(Of(4000, 10000), Of(6000, 10000)),
                                              .pod = Ordinary(),
                                              .want = {{"machine1", 0}, {"machine2", 100}}},
                                         Case{.name = "NoResourcesRequestedPodsScheduled",
                                              .args = Default("Least"),
                                              .nodes = Two(Of(4000, 10000), Of(4000, 10000)),
                                              .running = Four(),
                                              .want = {{"machine1", 0}, {"machine2", 0}}},
                                         Case{.name = "NoResourcesRequestedPodsScheduledWithResources",
                                              .args = Default("Least"),
                                              .nodes = Two(Of(10000, 20000), Of(10000, 20000)),
                                              .running = {{"machine1", Of(3000, 0)}},
                                              .want = {{"machine1", 0}, {"machine2", 0}}},
                                         Case{.name = "ResourcesRequestedPodsScheduledWithResources",
                                              .args = Default("Least"),
                                              .nodes = Two(Of(10000, 20000), Of(10000, 20000)),
                                              .pod = Ordinary(),
                                              .running = {{"machine1", Of(3000, 0)}},
                                              .want = {{"machine1", 0}, {"machine2", 0}}},
                                         Case{.name = "MoreThanTheNodeLeast",
                                              .args = Default("Least"),
                                              .nodes = Two(Of(4000, 1000), Of(5000, 1000)),
                                              .pod = BigCpu(),
                                              .want = {{"machine1", 100}, {"machine2", 0}}},
                                         Case{.name = "MoreThanTheNodeMost",
                                              .args = Default("Most"),
                                              .nodes = Two(Of(4000, 1000), Of(5000, 1000)),
                                              .pod = BigCpu(),
                                              .want = {{"machine1", 0}, {"machine2", 100}}},
                                         Case{.name = "CpuWeightedLeast",
                                              .args = ArgsOf("Least", int64_t{1} << 30),
                                              .nodes = Two(Of(1000, 2000), Of(1005, 1000)),
                                              .pod = Ordinary(),
                                              .want = {{"machine1", 100}, {"machine2", 0}}},
                                         Case{.name = "CpuWeightedMost",
                                              .args = ArgsOf("Most", int64_t{1} << 30),
                                              .nodes = Two(Of(1000, 2000), Of(1005, 1000)),
                                              .pod = Ordinary(),
                                              .want = {{"machine1", 0}, {"machine2", 100}}},
                                         Case{.name = "ThreeMachinesLeast",
                                              .args = Default("Least"),
                                              .nodes = Three(),
                                              .pod = Ordinary(),
                                              .want = {{"machine1", 100}, {"machine2", 50}, {"machine3", 0}}},
                                         Case{.name = "ThreeMachinesMost",
                                              .args = Default("Most"),
                                              .nodes = Three(),
                                              .pod = Ordinary(),
                                              .want = {{"machine1", 0}, {"machine2", 50}, {"machine3", 100}}}),
                         [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Own, Allocatable,
    testing::Values(
        Case{.name = "DefaultArgs",
             .args = FakeValue::Object(),
             .nodes = Three(),
             .want = {{"machine1", 100}, {"machine2", 50}, {"machine3", 0}}},
        Case{.name = "NodesWithoutAmounts", .args = Default("Most"), .nodes = {{"n", {}}}, .want = {{"n", 0}}},
        Case{.name = "ScalarsCount",
             .args = FakeValue::Object({{"mode", "Most"},
                                        {"resources", Resources({{"example.com/gpu", 1}, {"hugepages-2Mi", 1}})}}),
             .nodes = {{"a", {{"example.com/gpu", 4}}}, {"b", {{"hugepages-2Mi", 2}}}, {"c", {}}},
             .want = {{"a", 100}, {"b", 50}, {"c", 0}}},
        Case{.name = "EphemeralStorageCounts",
             .args = FakeValue::Object({{"mode", "Most"}, {"resources", Resources({{"ephemeral-storage", 1}})}}),
             .nodes = {{"a", {{"ephemeral-storage", 10}}}, {"b", {{"ephemeral-storage", 20}}}},
             .want = {{"a", 0}, {"b", 100}}},
        Case{.name = "OtherNamesAreZeroButWeigh",
             .args = FakeValue::Object({{"mode", "Most"}, {"resources", Resources({{"pods", 99}, {"cpu", 1}})}}),
             .nodes = {{"a", {{"pods", 500}, {"cpu", 99}}}, {"b", {{"pods", 1}, {"cpu", 199}}}},
             .want = {{"a", 0}, {"b", 100}}},
        Case{.name = "TheLastWeightOfANameCounts",
             .args = FakeValue::Object({{"mode", "Most"},
                                        {"resources", Resources({{"cpu", 100}, {"memory", 1}, {"cpu", 1}})}}),
             .nodes = {{"a", Of(10, 0)}, {"b", Of(0, 20)}},
             .want = {{"a", 0}, {"b", 100}}},
        // Upstream's sums and products overflow here: machine2 gets a negative score, and the cycle fails.
        Case{.name = "LargeWeightsAndAmountsDoNotOverflow",
             .args = FakeValue::Object({{"mode", "Most"},
                                        {"resources", Resources({{"cpu", kMost}, {"memory", kMost}})}}),
             .nodes = {{"a", Of(0, 0)}, {"b", Of(kMost / 2, kMost / 2)}, {"c", Of(kMost, kMost)}},
             .want = {{"a", 0}, {"b", 49}, {"c", 100}}}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(AllocatableScore, IsTheWeightedMeanCutTowardsZero) {
  PluginUnderTest plugin(berth_entry_v1, "NodeResourcesAllocatable");
  for (int64_t cpu : {1000, 2000, 3000}) {
    plugin.cluster().Add(FakeNode("n" + std::to_string(cpu)).Allocatable(Of(cpu, cpu * kMi)));
  }
  ASSERT_TRUE(plugin.Start().ok());
  EXPECT_EQ(plugin.Try(FakePod("p"))->Score().nodes, (Scores{{"n1000", -1999}, {"n2000", -3999}, {"n3000", -5999}}));
}

struct ArgsCase {
  const char* name;
  FakeValue args;
  Texts want;
};

class AllocatableArgsTest : public testing::TestWithParam<ArgsCase> {};

TEST_P(AllocatableArgsTest, Check) {
  PluginUnderTest plugin(berth_entry_v1, "NodeResourcesAllocatable");
  EXPECT_EQ(plugin.Check(GetParam().args).Errors(), GetParam().want);
}

// The last two cases of TestNodeResourcesAllocatable, and TestValidateNodeResourcesAllocatableArgs of
// apis/config/validation.
INSTANTIATE_TEST_SUITE_P(
    Upstream, AllocatableArgsTest,
    testing::Values(
        ArgsCase{
            .name = "NegativeWeight",
            .args = FakeValue::Object({{"mode", "Least"}, {"resources", Resources({{"memory", -1}, {"cpu", 1}})}}),
            .want = {"resources[0].weight: Invalid value: -1: resource weight of memory should be a positive value, "
                     "got :-1"}},
        ArgsCase{.name = "ZeroWeight",
                 .args = FakeValue::Object({{"mode", "Least"}, {"resources", Resources({{"memory", 1}, {"cpu", 0}})}}),
                 .want = {"resources[1].weight: Invalid value: 0: resource weight of cpu should be a positive value, "
                          "got :0"}},
        ArgsCase{.name = "Valid",
                 .args = FakeValue::Object({{"mode", "Least"}, {"resources", Resources({{"cpu", 1}, {"memory", 2}})}}),
                 .want = {}},
        ArgsCase{.name = "SeveralWeights",
                 .args = FakeValue::Object({{"mode", "Least"}, {"resources", Resources({{"cpu", 0}, {"memory", -1}})}}),
                 .want = {"resources[0].weight: Invalid value: 0: resource weight of cpu should be a positive value, "
                          "got :0",
                          "resources[1].weight: Invalid value: -1: resource weight of memory should be a positive "
                          "value, got :-1"}},
        ArgsCase{.name = "UnknownMode",
                 .args = FakeValue::Object({{"mode", "not existent"},
                                            {"resources", Resources({{"cpu", 1}, {"memory", 2}})}}),
                 .want = {R"(mode: Invalid value: "not existent": invalid support ModeType)"}}),
    [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Own, AllocatableArgsTest,
    testing::Values(ArgsCase{.name = "ModeIsCaseSensitive",
                             .args = FakeValue::Object({{"mode", "least"}}),
                             .want = {R"(mode: Invalid value: "least": invalid support ModeType)"}},
                    ArgsCase{.name = "AWeightMustBeGiven",
                             .args = FakeValue::Object({{"resources",
                                                         FakeValue::Array({FakeValue::Object({{"name", "cpu"}})})}}),
                             .want = {"resources[0].weight: Invalid value: 0: resource weight of cpu should be a "
                                      "positive value, got :0"}}),
    [](const auto& info) { return std::string(info.param.name); });

// SetDefaults of apis/config/v1/defaults_test.go: "empty config" and "set non default".
TEST(AllocatableArgsTest, Defaults) {
  PluginUnderTest plugin(berth_entry_v1, "NodeResourcesAllocatable");
  constexpr auto kDefaults =
      R"({"resources":[{"name":"cpu","weight":1048576},{"name":"memory","weight":1}],"mode":"Least"})";
  EXPECT_EQ(plugin.Complete(FakeValue::Object()).json, kDefaults);
  EXPECT_EQ(plugin.Complete(FakeValue::Object({{"resources", FakeValue::Array()}, {"mode", ""}})).json, kDefaults);
  const FakeValue given =
      FakeValue::Object({{"mode", "Most"}, {"resources", Resources({{"cpu", 1024}, {"memory", 2}})}});
  EXPECT_EQ(plugin.Complete(given).json,
            R"({"resources":[{"name":"cpu","weight":1024},{"name":"memory","weight":2}],"mode":"Most"})");
}

TEST(AllocatableArgsTest, DecodingIsStrict) {
  PluginUnderTest plugin(berth_entry_v1, "NodeResourcesAllocatable");
  const FakeValue typed = FakeValue::Object(
      {{"apiVersion", "kubescheduler.config.k8s.io/v1"}, {"kind", "NodeResourcesAllocatableArgs"}, {"mode", "Most"}});
  EXPECT_THAT(plugin.Complete(typed).Errors(), IsEmpty());
  EXPECT_THAT(plugin.Complete(FakeValue::Object({{"Mode", "Most"}})).Errors(),
              ElementsAre(R"(Mode: unknown field "Mode")"));
  EXPECT_THAT(plugin.Complete(FakeValue::Object({{"mode", 1}})).Errors(),
              ElementsAre("mode: json: cannot unmarshal number into Go struct field NodeResourcesAllocatableArgs.mode "
                          "of type string"));
}

}  // namespace
