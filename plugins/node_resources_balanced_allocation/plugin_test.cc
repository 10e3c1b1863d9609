#include <gtest/gtest.h>
#include <berth/testing/plugin_under_test.hpp>

#include "balance.h"
#include "berth/entry.h"

namespace {

using namespace berth::sdk::testing;  // NOLINT: tests use the fake host's names

struct Case {
  const char* name;
  Amounts pod, allocatable, used;
  int64_t expected;
};

class Balanced : public testing::TestWithParam<Case> {};

TEST_P(Balanced, Score) {
  PluginUnderTest plugin(berth_entry_v1, "NodeResourcesBalancedAllocation");
  plugin.cluster()
      .Add(FakeNode("n").Allocatable(GetParam().allocatable))
      .Add(FakePod("running").Req(GetParam().used), "n");
  ASSERT_TRUE(plugin.Start().ok());
  auto attempt = plugin.Try(FakePod("p").Req(GetParam().pod));
  ASSERT_TRUE(attempt->PreScore().ok());
  EXPECT_EQ(attempt->Score().nodes, (Scores{{"n", GetParam().expected}}));
}

Amounts Of(int64_t cpu, int64_t memory) { return {{"cpu", cpu}, {"memory", memory}}; }

INSTANTIATE_TEST_SUITE_P(
    Upstream, Balanced,
    testing::Values(
        Case{.name = "EmptySmallerNode", .pod = Of(3000, 5000), .allocatable = Of(4000, 10000), .expected = 68},
        Case{.name = "EmptyLargerNode", .pod = Of(3000, 5000), .allocatable = Of(6000, 10000), .expected = 75},
        Case{.name = "CpuInUse",
             .pod = Of(3000, 5000),
             .allocatable = Of(10000, 20000),
             .used = Of(3000, 0),
             .expected = 73},
        Case{.name = "BothInUse",
             .pod = Of(3000, 5000),
             .allocatable = Of(10000, 20000),
             .used = Of(3000, 5000),
             .expected = 74},
        Case{.name = "MakesItEven",
             .pod = Of(0, 5000),
             .allocatable = Of(3000, 5000),
             .used = Of(3000, 0),
             .expected = 100},
        Case{.name = "MakesItUneven", .pod = Of(0, 5000), .allocatable = Of(3000, 5000), .expected = 50},
        Case{.name = "RoundsAsFloatsDo", .pod = Of(0, 68), .allocatable = Of(1000, 100), .expected = 57}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(BalancedAllocation, SkipsPodsThatAskForNothing) {
  PluginUnderTest plugin(berth_entry_v1, "NodeResourcesBalancedAllocation");
  plugin.cluster().Add(FakeNode("n").Allocatable(Of(1, 1)));
  ASSERT_TRUE(plugin.Start().ok());
  EXPECT_EQ(plugin.Try(FakePod("p"))->PreScore().code, BERTH_SKIP);
  EXPECT_EQ(plugin.Try(FakePod("p"))->Score().nodes, (Scores{{"n", 0}})) << "where the profile leaves PreScore out";
}

// The fast path for two resources and the general path must agree to the last bit.
TEST(BalancedAllocation, RangeAgreesWithRows) {
  uint64_t state = 99;
  auto draw = [&state](int64_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<int64_t>(state >> 20) % below;
  };
  constexpr size_t kRows = 311;
  std::vector<int64_t> cells[4];
  std::vector<double> doubles[4];
  for (int c = 0; c < 4; ++c) {
    for (size_t i = 0; i < kRows; ++i) {
      cells[c].push_back(c % 2 == 0 && i % 13 == 0 ? 0 : draw(100000) + 1);
      doubles[c].push_back(static_cast<double>(cells[c].back()));
    }
  }
  for (int64_t pod = 0; pod < 50000; pod += 977) {
    plugins::ColumnList columns;
    columns[0] = {pod, 1, cells[0].data(), cells[1].data(), nullptr, nullptr, true};
    columns[1] = {pod / 3, 1, cells[2].data(), cells[3].data(), nullptr, nullptr, true};
    std::vector<int64_t> out(kRows);
    plugins::balance::ScoreTwo(doubles[0].data(), doubles[1].data(), static_cast<double>(pod), doubles[2].data(),
                               doubles[3].data(), static_cast<double>(pod / 3), kRows, out.data());
    for (uint32_t row = 0; row < kRows; ++row) {
      ASSERT_EQ(out[row], plugins::balance::ScoreRow(columns, 2, row)) << row << " " << pod;
    }
  }
}

}  // namespace
