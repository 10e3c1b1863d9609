// Defaults and validation of NodeResourceTopologyMatchArgs.
#include "test_fixture.h"

namespace plugins::node_topology {
namespace {

constexpr auto kDefaults =
    R"({"scoringStrategy":{"type":"LeastAllocated","resources":[{"name":"cpu","weight":1},{"name":"memory","weight":1}]},)"
    R"("cache":{"foreignPodsDetect":"All","resyncMethod":"Autodetect","informerMode":"Dedicated"},)"
    R"("preemptionMode":"Disabled"})";

PluginUnderTest NewPlugin() { return {berth_entry_v1, "NodeResourceTopologyMatch"}; }
FakeValue With(FakeValue args, const char* key, FakeValue value) {
  args.Set(key, std::move(value));
  return args;
}
FakeValue WithPreemption(const char* mode) { return With(StrategyArgs("MostAllocated"), "preemptionMode", mode); }

struct ArgsCase {
  const char* name;
  FakeValue args;
  Texts want = {};
};

class TopologyArgs : public testing::TestWithParam<ArgsCase> {};

TEST_P(TopologyArgs, Check) { EXPECT_EQ(NewPlugin().Check(GetParam().args).Errors(), GetParam().want); }

// TestValidateNodeResourceTopologyMatchArgs of apis/config/validation/validation_plugingargs_test.go.
INSTANTIATE_TEST_SUITE_P(
    Upstream, TopologyArgs,
    testing::Values(
        ArgsCase{.name = "AnyStrategy", .args = StrategyArgs("MostAllocated")},
        ArgsCase{.name = "UnknownStrategy",
                 .args = StrategyArgs("not existent"),
                 .want = {R"(scoringStrategy.type: Invalid value: "not existent": invalid ScoringStrategyType)"}},
        ArgsCase{.name = "NoPreemption", .args = WithPreemption("Disabled")},
        ArgsCase{.name = "Preemption", .args = WithPreemption("Enabled")},
        ArgsCase{.name = "UnknownPreemption",
                 .args = WithPreemption("not existent"),
                 .want = {R"(preemptionMode: Invalid value: "not existent": invalid PreemptionMode)"}}),
    [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Own, TopologyArgs,
    testing::Values(ArgsCase{.name = "Nothing", .args = FakeValue::Object({})},
                    ArgsCase{.name = "Balanced", .args = StrategyArgs("BalancedAllocation")},
                    ArgsCase{.name = "Least", .args = StrategyArgs("LeastAllocated")},
                    ArgsCase{.name = "LeastNumaNodes", .args = StrategyArgs("LeastNUMANodes")},
                    ArgsCase{.name = "StrategyWithoutType",
                             .args = FakeValue::Object({{"scoringStrategy", FakeValue::Object({})}}),
                             .want = {R"(scoringStrategy.type: Invalid value: "": invalid ScoringStrategyType)"}},
                    ArgsCase{
                        .name = "Caches",
                        .args = FakeValue::Object({{"cacheResyncPeriodSeconds", 5}, {"discardReservedNodes", true}})},
                    ArgsCase{.name = "Both",
                             .args = With(StrategyArgs("x"), "preemptionMode", ""),
                             .want = {R"(scoringStrategy.type: Invalid value: "x": invalid ScoringStrategyType)",
                                      R"(preemptionMode: Invalid value: "": invalid PreemptionMode)"}}),
    [](const auto& info) { return std::string(info.param.name); });

// "empty config NodeResourceTopologyMatchArgs" of TestSchedulerDefaults of apis/config/v1/defaults_test.go.
TEST(TopologyArgsDefaults, OfNothing) { EXPECT_EQ(NewPlugin().Complete(FakeValue::Object({})).json, kDefaults); }

// "set non default NodeResourceTopologyMatchArgs PreemptionMode" of the same.
TEST(TopologyArgsDefaults, KeepWhatIsGiven) {
  std::string want = kDefaults;
  want.replace(want.find("Disabled"), 8, "Enabled");
  EXPECT_EQ(NewPlugin().Complete(FakeValue::Object({{"preemptionMode", "Enabled"}})).json, want);
}

TEST(TopologyArgsDefaults, AWeightOf0Becomes1) {
  FakeValue args = FakeValue::Object({{"scoringStrategy", FakeValue::Object({{"type", "MostAllocated"}})}});
  args = FakeValue::Object(
      {{"scoringStrategy",
        FakeValue::Object({{"type", "MostAllocated"},
                           {"resources", FakeValue::Array({FakeValue::Object({{"name", "example.com/nic"}})})}})},
       {"cacheResyncPeriodSeconds", 5},
       {"discardReservedNodes", true},
       {"cache", FakeValue::Object({{"resyncScope", "OnlyResources"}})}});
  EXPECT_EQ(NewPlugin().Complete(args).json,
            R"({"scoringStrategy":{"type":"MostAllocated","resources":[{"name":"example.com/nic","weight":1}]},)"
            R"("cacheResyncPeriodSeconds":5,"discardReservedNodes":true,"cache":{"foreignPodsDetect":"All",)"
            R"("resyncMethod":"Autodetect","informerMode":"Dedicated","resyncScope":"OnlyResources"},)"
            R"("preemptionMode":"Disabled"})");
}

TEST(TopologyArgsDefaults, DecodingIsStrict) {
  EXPECT_THAT(NewPlugin().Complete(FakeValue::Object({{"scoringstrategy", 1}})).Errors(),
              testing::ElementsAre(R"(scoringstrategy: unknown field "scoringstrategy")"));
  EXPECT_THAT(NewPlugin().Complete(FakeValue::Object({{"cacheResyncPeriodSeconds", "5"}})).Errors(),
              testing::ElementsAre("cacheResyncPeriodSeconds: json: cannot unmarshal string into Go struct field "
                                   "NodeResourceTopologyMatchArgs.cacheResyncPeriodSeconds of type int64"));
}

TEST(TopologyEvents, WhatMayHelp) {
  PluginUnderTest plugin = NewPlugin();
  ASSERT_TRUE(plugin.Start().ok());
  const auto interests = plugin.Interests();
  ASSERT_EQ(interests.size(), 3u);
  EXPECT_EQ(interests[0].resource, "Pod");
  EXPECT_EQ(interests[0].actions, uint32_t{BERTH_ACTION_DELETE});
  EXPECT_EQ(interests[1].resource, "Node");
  EXPECT_EQ(interests[1].actions, uint32_t{BERTH_ACTION_ADD | BERTH_ACTION_UPDATE_NODE_ALLOCATABLE});
  EXPECT_EQ(interests[2].resource, "noderesourcetopologies.v1alpha2.topology.node.k8s.io");
  EXPECT_EQ(interests[2].actions, uint32_t{BERTH_ACTION_ADD | BERTH_ACTION_UPDATE});
}

}  // namespace
}  // namespace plugins::node_topology
