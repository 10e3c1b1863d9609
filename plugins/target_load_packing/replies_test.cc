// The replies of the sources, and what the plugin keeps of them.
#include "../trimaran_common/replies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <berth/testing/json.hpp>

#include "../trimaran_common/testing_watcher.h"

namespace plugins::trimaran {
namespace {

using berth::sdk::testing::ParseJson;
using trimaran_test::WatcherText;

// The snapshot that TestGetAllMetrics and TestGetNodeMetrics of pkg/trimaran/collector_test.go read.
TEST(Replies, WatcherHasUsagesByNode) {
  const auto document = ParseJson(WatcherText(
      {{"node-1", {{"CPU", "AVG", 80}, {"CPU", "STD", 16}, {"Memory", "AVG", 25}, {"Memory", "STD", 6.25}}}}, 1700));
  const auto snapshot = ReadWatcher(document.view());
  ASSERT_TRUE(snapshot);
  EXPECT_EQ(snapshot->window_end, 1700);
  ASSERT_EQ(snapshot->nodes.size(), 1u);
  const NodeLoad& load = snapshot->nodes.at("node-1");
  EXPECT_EQ(load.cpu.average, 80);
  EXPECT_EQ(load.cpu.deviation, 16);
  EXPECT_EQ(load.memory.average, 25);
  EXPECT_EQ(load.memory.deviation, 6.25);
  EXPECT_EQ(load.last_cpu, 80);
}

// TestGetNodeMetricsNilForNode of the same file.
TEST(Replies, WatcherMayKnowNoNode) {
  const auto snapshot = ReadWatcher(ParseJson(WatcherText({})).view());
  ASSERT_TRUE(snapshot);
  EXPECT_TRUE(snapshot->nodes.empty());
}

TEST(Replies, WatcherWithoutAMapHasNoSnapshot) {
  for (const char* text : {"{}", "[]", "1", R"({"data":null})", R"({"data":{"NodeMetricsMap":null}})"}) {
    EXPECT_FALSE(ReadWatcher(ParseJson(text).view())) << text;
  }
}

TEST(Replies, UnknownFieldsAndTypesAreIgnored) {
  const auto snapshot = ReadWatcher(ParseJson(R"({"x":1,"data":{"NodeMetricsMap":{"n":{"metrics":[
      {"type":"Energy","operator":"AVG","value":1},{"type":"cpu","operator":"AVG","value":2},{},3]},"m":4}}})")
                                        .view());
  ASSERT_TRUE(snapshot);
  EXPECT_FALSE(snapshot->nodes.at("n").cpu.known);
  EXPECT_FALSE(snapshot->nodes.at("n").last_cpu);
  EXPECT_FALSE(snapshot->nodes.at("m").cpu.known);
}

struct UsageCase {
  const char* name;
  std::vector<std::pair<const char*, double>> metrics;  // operator and value
  double average, deviation;
};

class UsageOf : public testing::TestWithParam<UsageCase> {};

TEST_P(UsageOf, Operators) {
  Usage usage;
  for (const auto& [op, value] : GetParam().metrics) usage.Add(op, value);
  EXPECT_EQ(usage.known, !GetParam().metrics.empty());
  EXPECT_EQ(usage.average, GetParam().average);
  EXPECT_EQ(usage.deviation, GetParam().deviation);
}

// GetResourceData of pkg/trimaran/resourcestats.go, with the metrics of TestCreateResourceStats first.
INSTANTIATE_TEST_SUITE_P(
    , UsageOf,
    testing::Values(
        UsageCase{.name = "Upstream", .metrics = {{"", 40}, {"AVG", 40}, {"STD", 36}}, .average = 40, .deviation = 36},
        UsageCase{.name = "None", .metrics = {}, .average = 0, .deviation = 0},
        UsageCase{
            .name = "AnAverageStays", .metrics = {{"AVG", 1}, {"Latest", 2}, {"", 3}}, .average = 1, .deviation = 0},
        UsageCase{.name = "AnAverageReplaces", .metrics = {{"Latest", 2}, {"AVG", 1}}, .average = 1, .deviation = 0},
        UsageCase{.name = "TheLastCounts",
                  .metrics = {{"AVG", 1}, {"AVG", 4}, {"STD", 2}, {"STD", 5}},
                  .average = 4,
                  .deviation = 5},
        UsageCase{.name = "Unknown", .metrics = {{"Unknown", 9}}, .average = 0, .deviation = 0}),
    [](const auto& info) { return std::string(info.param.name); });

constexpr const char* kVector = R"({"status":"success","data":{"resultType":"vector","result":[
  {"metric":{"__name__":"x","instance":"n1"},"value":[1700000000.1,"0.25"]},
  {"metric":{"instance":"n2"},"value":[1700000000.1,"NaN"]},
  {"metric":{"instance":"n3"},"value":[1700000000.1,"+Inf"]},
  {"metric":{},"value":[1700000000.1,"1"]}]}})";

TEST(Replies, VectorHasRatiosByInstance) {
  Snapshot snapshot;
  EXPECT_EQ(AddVector(ParseJson(kVector).view(), "CPU", "AVG", snapshot), 2u);
  EXPECT_EQ(AddVector(ParseJson(kVector).view(), "Memory", "STD", snapshot), 2u);
  EXPECT_EQ(snapshot.nodes.at("n1").cpu.average, 25);
  EXPECT_EQ(snapshot.nodes.at("n1").memory.deviation, 25);
  EXPECT_FALSE(snapshot.nodes.contains("n2"));
  EXPECT_FALSE(snapshot.nodes.contains("n3"));
}

TEST(Replies, OtherResultsAreNoVector) {
  Snapshot snapshot;
  for (const char* text : {"{}", "[]", R"({"data":{"resultType":"matrix","result":[]}})"}) {
    EXPECT_FALSE(AddVector(ParseJson(text).view(), "CPU", "AVG", snapshot)) << text;
  }
}

constexpr const char* kNodeMetrics = R"({"kind":"NodeMetricsList","items":[
  {"metadata":{"name":"n1"},"timestamp":"2026-01-01T00:00:00Z","window":"20s","usage":{"cpu":"250000001n","memory":"512Ki"}},
  {"metadata":{"name":"n2"},"usage":{}}]})";

TEST(Replies, MetricsServerHasAmounts) {
  const auto snapshot = ReadMetricsServer(ParseJson(kNodeMetrics).view());
  ASSERT_TRUE(snapshot);
  const NodeLoad load = snapshot->nodes.at("n1").InPercentOf({.cpu_milli = 1004, .memory_bytes = 1 << 20});
  EXPECT_EQ(load.last_cpu, 25);  // 251 of 1004 thousandths: parts of a thousandth count whole
  EXPECT_EQ(load.cpu.average, 25);
  EXPECT_EQ(load.memory.average, 50);
  EXPECT_FALSE(snapshot->nodes.at("n2").InPercentOf({1000, 1000}).cpu.known);
  EXPECT_FALSE(ReadMetricsServer(ParseJson("{}").view()));
}

TEST(Replies, WithoutACapacityThereIsNoPercentage) {
  const auto snapshot = ReadMetricsServer(ParseJson(kNodeMetrics).view());
  const NodeLoad load = snapshot->nodes.at("n1").InPercentOf({});
  EXPECT_FALSE(load.cpu.known);
  EXPECT_FALSE(load.memory.known);
  EXPECT_FALSE(load.last_cpu);
}

}  // namespace
}  // namespace plugins::trimaran
