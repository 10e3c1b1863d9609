// Defaults of LoadVariationRiskBalancingArgs.
#include "../trimaran_common/testing_args.h"

namespace load_variation_test {
namespace {

using namespace trimaran_test;  // NOLINT

class LoadVariationDefaults : public testing::TestWithParam<ArgsCase> {};

TEST_P(LoadVariationDefaults, Complete) { ExpectCompleted("LoadVariationRiskBalancing", GetParam()); }

// TestSchedulerDefaults of apis/config/v1/defaults_test.go, and the arguments of TestNew of
// pkg/trimaran/loadvariationriskbalancing.
INSTANTIATE_TEST_SUITE_P(
    Upstream, LoadVariationDefaults,
    testing::Values(
        ArgsCase{.name = "Empty",
                 .given = "{}",
                 .want = R"({"metricProvider":{"type":"KubernetesMetricsServer"},)"
                         R"("safeVarianceMargin":1,"safeVarianceSensitivity":1})"},
        ArgsCase{.name = "Given",
                 .given = R"({"safeVarianceMargin":2.0,"safeVarianceSensitivity":2.0})",
                 .want = R"({"metricProvider":{"type":"KubernetesMetricsServer"},)"
                         R"("safeVarianceMargin":2,"safeVarianceSensitivity":2})"},
        ArgsCase{.name = "NegativeMargin",
                 .given = R"({"watcherAddress":"http://w","safeVarianceMargin":-5})",
                 .want = R"({"metricProvider":{},"watcherAddress":"http://w",)"
                         R"("safeVarianceMargin":1,"safeVarianceSensitivity":1})"},
        ArgsCase{.name = "NegativeBoth",
                 .given = R"({"watcherAddress":"http://w","safeVarianceMargin":-5,"safeVarianceSensitivity":-1})",
                 .want = R"({"metricProvider":{},"watcherAddress":"http://w",)"
                         R"("safeVarianceMargin":1,"safeVarianceSensitivity":1})"}),
    [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Own, LoadVariationDefaults,
    testing::Values(ArgsCase{
        .name = "ZeroIsValid",
        .given = R"({"watcherAddress":"http://w","safeVarianceMargin":0,"safeVarianceSensitivity":0})",
        .want = R"({"metricProvider":{},"watcherAddress":"http://w",)"
                R"("safeVarianceMargin":0,"safeVarianceSensitivity":0})"}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace load_variation_test
