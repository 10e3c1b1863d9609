// Defaults of LowRiskOverCommitmentArgs.
#include "../trimaran_common/testing_args.h"

namespace low_risk_test {
namespace {

using namespace trimaran_test;  // NOLINT

class LowRiskDefaults : public testing::TestWithParam<ArgsCase> {};

TEST_P(LowRiskDefaults, Complete) { ExpectCompleted("LowRiskOverCommitment", GetParam()); }

// TestSchedulerDefaults of apis/config/v1/defaults_test.go, and an argument of TestLowRiskOverCommitment_New.
INSTANTIATE_TEST_SUITE_P(
    Upstream, LowRiskDefaults,
    testing::Values(ArgsCase{.name = "Empty",
                             .given = "{}",
                             .want = R"({"metricProvider":{"type":"KubernetesMetricsServer"},"smoothingWindowSize":5,)"
                                     R"("riskLimitWeights":{"cpu":0.5,"memory":0.5}})"},
                    ArgsCase{.name = "Given",
                             .given = R"({"smoothingWindowSize":10,"riskLimitWeights":{"cpu":0.2,"memory":0.8}})",
                             .want = R"({"metricProvider":{"type":"KubernetesMetricsServer"},"smoothingWindowSize":10,)"
                                     R"("riskLimitWeights":{"cpu":0.2,"memory":0.8}})"},
                    ArgsCase{.name = "OutOfRange",
                             .given = R"({"smoothingWindowSize":10,"riskLimitWeights":{"cpu":-1,"memory":2}})",
                             .want = R"({"metricProvider":{"type":"KubernetesMetricsServer"},"smoothingWindowSize":10,)"
                                     R"("riskLimitWeights":{"cpu":0.5,"memory":0.5}})"},
                    ArgsCase{.name = "NegativeWindow",
                             .given = R"({"smoothingWindowSize":-5})",
                             .want = R"({"metricProvider":{"type":"KubernetesMetricsServer"},"smoothingWindowSize":5,)"
                                     R"("riskLimitWeights":{"cpu":0.5,"memory":0.5}})"}),
    [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(Own, LowRiskDefaults,
                         testing::Values(ArgsCase{
                             .name = "OneWeight",
                             .given = R"({"riskLimitWeights":{"cpu":1}})",
                             .want = R"({"metricProvider":{"type":"KubernetesMetricsServer"},"smoothingWindowSize":5,)"
                                     R"("riskLimitWeights":{"cpu":1}})"}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace low_risk_test
