// The risk of one resource.
#include <gtest/gtest.h>

#include <string>

#include "over_commitment.h"

namespace plugins::low_risk {
namespace {

struct RiskCase {
  const char* name;
  trimaran::MuSigma use;
  Commitment before, with;  // without and with the new pod
  double want;
};

class TotalRiskOf : public testing::TestWithParam<RiskCase> {};

TEST_P(TotalRiskOf, WithHalfTheWeightOnLimits) {
  const RiskCase& c = GetParam();
  EXPECT_NEAR(TotalRisk(LimitRisk(c.with), LoadRisk(c.use, 5, c.before), 0.5), c.want, 1e-6);
}

constexpr trimaran::MuSigma kCpu{0.8, 0}, kMemory{0.25, 0};

// TestLowRiskOverCommitment_computeRisk of pkg/trimaran/lowriskovercommitment/lowriskovercommitment_test.go.
INSTANTIATE_TEST_SUITE_P(
    Upstream, TotalRiskOf,
    testing::Values(
        RiskCase{.name = "Cpu1", .use = kCpu, .before = {1000, 2000, 4000}, .with = {2000, 3000, 4000}, .want = 0.5},
        RiskCase{.name = "Memory1", .use = kMemory, .before = {0, 0, 4096}, .with = {2048, 6144, 4096}, .want = 0.25},
        RiskCase{.name = "Cpu2", .use = kCpu, .before = {3000, 4000, 4000}, .with = {4000, 5000, 4000}, .want = 1},
        RiskCase{
            .name = "Memory2", .use = kMemory, .before = {512, 6144, 4096}, .with = {1024, 7168, 4096}, .want = 0.75}),
    [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Own, TotalRiskOf,
    testing::Values(
        // A beta distribution with 1.52 and 2.28: 0.298151 up to a quarter, 0.669194 up to a half.
        RiskCase{.name = "Beta",
                 .use = {0.4, 0.1},
                 .before = {1000, 2000, 4000},
                 .with = {2000, 5000, 4000},
                 .want = 0.443898},
        RiskCase{.name = "NoCapacity", .use = {0, 0}, .before = {100, 100, 0}, .with = {200, 200, 0}, .want = 0.5},
        RiskCase{.name = "Nothing", .use = {0, 0}, .before = {0, 0, 100}, .with = {0, 0, 100}, .want = 0},
        RiskCase{.name = "RequestsBeyondTheNode",
                 .use = {1, 0},
                 .before = {200, 300, 100},
                 .with = {300, 400, 100},
                 .want = 0.5}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace plugins::low_risk
