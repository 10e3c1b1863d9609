#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <berth/testing/plugin_under_test.hpp>

#include <optional>

#include "berth/entry.h"

namespace {

using namespace berth::sdk::testing;  // NOLINT: tests use the fake host's names

struct Case {
  const char* plugin;
  std::optional<FakeValue> args;
  std::map<std::string, int64_t> scores;
};

class Legacy : public testing::TestWithParam<Case> {};

// A pod of 3000m and 5000 bytes on nodes with 4000m/10000 and 6000m/10000, as in the tests of the strategies.
TEST_P(Legacy, Score) {
  PluginUnderTest plugin(berth_entry_v1, GetParam().plugin);
  if (GetParam().args) plugin.Args(*GetParam().args);
  plugin.cluster()
      .Add(FakeNode("small").Allocatable({{"cpu", 4000}, {"memory", 10000}, {"pods", 10}}))
      .Add(FakeNode("large").Allocatable({{"cpu", 6000}, {"memory", 10000}, {"pods", 10}}));
  ASSERT_TRUE(plugin.Start().ok());
  auto attempt = plugin.Try(FakePod("p").Req({{"cpu", 3000}, {"memory", 5000}}));
  EXPECT_EQ(attempt->Score().nodes, GetParam().scores);
}

FakeValue Point(int utilization, int score) {
  return FakeValue::Object({{"utilization", utilization}, {"score", score}});
}
FakeValue Resource(const char* name, int weight) { return FakeValue::Object({{"name", name}, {"weight", weight}}); }

INSTANTIATE_TEST_SUITE_P(
    Upstream, Legacy,
    testing::Values(Case{"NodeResourcesLeastAllocated", std::nullopt, {{"small", 37}, {"large", 50}}},
                    Case{"NodeResourcesLeastAllocated",
                         FakeValue::Object({{"resources",
                                             FakeValue::Array({Resource("memory", 2), Resource("cpu", 1)})}}),
                         {{"small", 41}, {"large", 50}}},
                    Case{"NodeResourcesMostAllocated", std::nullopt, {{"small", 62}, {"large", 50}}},
                    Case{"RequestedToCapacityRatio",
                         FakeValue::Object({{"shape", FakeValue::Array({Point(0, 10), Point(100, 0)})}}),
                         {{"small", 38}, {"large", 50}}}));

TEST(LegacyArgs, AShapeIsRequiredAndMustRise) {
  PluginUnderTest plugin(berth_entry_v1, "RequestedToCapacityRatio");
  EXPECT_THAT(plugin.Check(FakeValue::Object()).Errors(),
              testing::Contains("shape: Required value: at least one point must be specified"));
  const FakeValue level = FakeValue::Object({{"shape", FakeValue::Array({Point(50, 1), Point(50, 2)})}});
  EXPECT_THAT(plugin.Check(level).Errors(), testing::SizeIs(1));
}

}  // namespace
