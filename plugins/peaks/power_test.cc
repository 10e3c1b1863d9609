// The power that a pod costs, and scores of it.
#include "power.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace plugins::peaks {
namespace {

constexpr PowerModel kModel{471.7412504314313, -91.50493019588365, -0.07186049052516228};

struct CostCase {
  const char* name;
  double percent, capacity, milli;
  double want;  // watts; below 0: there is no cost
};

class PowerCost : public testing::TestWithParam<CostCase> {};

TEST_P(PowerCost, OfAPod) {
  const CostCase& c = GetParam();
  const int64_t cost = RowPower::Of(c.percent, c.capacity, kModel).CostWith(c.milli);
  EXPECT_EQ(cost == kNoCost, c.want < 0);
  if (c.want >= 0) {
    EXPECT_NEAR(static_cast<double>(cost) / 1e15, c.want, 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(
    , PowerCost,
    testing::Values(
        CostCase{.name = "FromIdleToFull", .percent = 0, .capacity = 1000, .milli = 1000, .want = 91.4356541575},
        CostCase{.name = "FromTwentyToThirty", .percent = 20, .capacity = 1000, .milli = 100, .want = 11.1435577161},
        CostCase{.name = "Nothing", .percent = 20, .capacity = 1000, .milli = 0, .want = 0},
        CostCase{.name = "TooMuch", .percent = 20, .capacity = 1000, .milli = 801, .want = -1}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(Power, WithoutACapacityTheNodeCountsAsIdle) { EXPECT_EQ(RowPower::Of(0, 0, kModel).CostWith(500), 0); }
TEST(Power, IsCutToWhatAScoreCanBe) {
  EXPECT_GT(CostOf(1e300), int64_t{9'000'000'000'000'000'000});
  EXPECT_LT(CostOf(-1e300), -int64_t{9'000'000'000'000'000'000});
  EXPECT_GT(CostOf(-1e300), kNoCost);
  EXPECT_EQ(CostOf(std::numeric_limits<double>::quiet_NaN()), 0);
}

struct NormalizeCase {
  const char* name;
  std::vector<int64_t> costs, want;
};

class PowerScores : public testing::TestWithParam<NormalizeCase> {};

TEST_P(PowerScores, ByCost) {
  std::vector<int64_t> scores = GetParam().costs;
  ScoreByCost(scores);
  EXPECT_EQ(scores, GetParam().want);
}

// TestPeaksNormalizeScore of pkg/trimaran/peaks/peaks_test.go.
INSTANTIATE_TEST_SUITE_P(Upstream, PowerScores,
                         testing::Values(NormalizeCase{.name = "LeastAndMost", .costs = {0, 100}, .want = {100, 0}},
                                         NormalizeCase{.name = "AllZero", .costs = {0, 0}, .want = {0, 0}},
                                         NormalizeCase{.name = "AllEqual", .costs = {100, 100}, .want = {100, 100}}),
                         [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Own, PowerScores,
    testing::Values(NormalizeCase{.name = "InProportion", .costs = {10, 19, 20}, .want = {100, 10, 0}},
                    NormalizeCase{.name = "SavedPower", .costs = {-10, 10}, .want = {100, 0}},
                    NormalizeCase{.name = "NoCostIsTheWorst", .costs = {kNoCost, 5, 9}, .want = {0, 100, 0}},
                    NormalizeCase{.name = "NobodyHasACost", .costs = {kNoCost, kNoCost}, .want = {0, 0}},
                    NormalizeCase{.name = "OneHasACost", .costs = {kNoCost, 5}, .want = {0, 100}},
                    NormalizeCase{
                        .name = "Extremes", .costs = {CostOf(1e300), CostOf(-1e300), 0}, .want = {0, 100, 50}},
                    NormalizeCase{.name = "None", .costs = {}, .want = {}}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace plugins::peaks
