// The score of one resource.
#include "risk.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

namespace plugins::load_variation {
namespace {

struct RiskCase {
  const char* name;
  Caution caution;
  trimaran::ResourceStats stats;  // used, deviation, request, capacity
  int64_t want;
};

class ResourceRiskOf : public testing::TestWithParam<RiskCase> {};

TEST_P(ResourceRiskOf, Score) {
  const RiskCase& c = GetParam();
  const double score = ResourceRisk::Of(c.stats, c.caution).ScoreWith(c.stats.request);
  EXPECT_EQ(static_cast<int64_t>(std::round(score)), c.want);
}

// TestComputeScore of pkg/trimaran/loadvariationriskbalancing/analysis_test.go. It has the case LargeUse twice.
INSTANTIATE_TEST_SUITE_P(
    Upstream, ResourceRiskOf,
    testing::Values(RiskCase{.name = "Valid", .caution = {1, 1}, .stats = {40, 36, 10, 100}, .want = 57},
                    RiskCase{.name = "ZeroCapacity", .caution = {1, 2}, .stats = {40, 36, 10, 0}, .want = 0},
                    RiskCase{.name = "NegativeUse", .caution = {1, 2}, .stats = {-40, 36, 10, 100}, .want = 65},
                    RiskCase{.name = "LargeUse", .caution = {1, 2}, .stats = {200, 36, 10, 100}, .want = 20},
                    RiskCase{.name = "NegativeDeviation", .caution = {1, 2}, .stats = {40, -36, 10, 100}, .want = 75},
                    RiskCase{.name = "LargeDeviation", .caution = {1, 2}, .stats = {40, 120, 10, 100}, .want = 25},
                    RiskCase{.name = "LargeUseAgain", .caution = {1, 2}, .stats = {200, 36, 10, 100}, .want = 20},
                    RiskCase{.name = "NegativeMargin", .caution = {-1, 1}, .stats = {40, 36, 10, 100}, .want = 75},
                    RiskCase{.name = "NegativeSensitivity", .caution = {1, -1}, .stats = {40, 36, 10, 100}, .want = 57},
                    RiskCase{.name = "ZeroSensitivity", .caution = {1, 0}, .stats = {40, 36, 10, 100}, .want = 75}),
    [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Own, ResourceRiskOf,
    testing::Values(RiskCase{.name = "NegativeRequest", .caution = {1, 1}, .stats = {40, 0, -10, 100}, .want = 80},
                    RiskCase{.name = "Idle", .caution = {1, 1}, .stats = {0, 0, 0, 100}, .want = 100},
                    RiskCase{.name = "TheWorst", .caution = {1, 1}, .stats = {100, 100, 100, 100}, .want = 0},
                    RiskCase{.name = "ALargeMarginIsCut", .caution = {9, 1}, .stats = {0, 36, 0, 100}, .want = 50},
                    RiskCase{.name = "ADeviationOfOneWithoutSensitivity",
                             .caution = {1, 0},
                             .stats = {0, 100, 0, 100},
                             .want = 50}),
    [](const auto& info) { return std::string(info.param.name); });

// What upstream computes in one go for a pod and a node.
double InOneGo(trimaran::ResourceStats stats, const Caution& caution) {
  if (stats.capacity <= 0) return 0;
  stats.request = std::max(stats.request, 0.);
  stats.used = std::clamp(stats.used, 0., stats.capacity);
  stats.deviation = std::clamp(stats.deviation, 0., stats.capacity);
  auto [mu, sigma] = stats.Shares();
  sigma = std::clamp(std::pow(sigma, 1 / caution.sensitivity) * caution.margin, 0., 1.);
  return (1. - (mu + sigma) / 2) * 100;
}

TEST(ResourceRisk, IsExactlyWhatOneComputationGives) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> amount(-100, 2000), parameter(0, 4);
  for (int i = 0; i < 20'000; ++i) {
    const trimaran::ResourceStats stats{amount(random), amount(random), amount(random), amount(random)};
    const Caution caution{parameter(random), parameter(random)};
    const double score = ResourceRisk::Of(stats, caution).ScoreWith(stats.request);
    ASSERT_EQ(score, InOneGo(stats, caution));
    ASSERT_TRUE(score >= 0 && score <= 100);
  }
}

}  // namespace
}  // namespace plugins::load_variation
