// Defaults and validation of TargetLoadPackingArgs.
#include "../trimaran_common/testing_args.h"

namespace target_load_packing_test {
namespace {

using namespace trimaran_test;  // NOLINT

class TargetLoadPackingDefaults : public testing::TestWithParam<ArgsCase> {};

TEST_P(TargetLoadPackingDefaults, Complete) { ExpectCompleted("TargetLoadPacking", GetParam()); }

// TestSchedulerDefaults of apis/config/v1/defaults_test.go.
INSTANTIATE_TEST_SUITE_P(
    Upstream, TargetLoadPackingDefaults,
    testing::Values(
        ArgsCase{.name = "Empty",
                 .given = "{}",
                 .want = R"({"metricProvider":{"type":"KubernetesMetricsServer"},"defaultRequests":{"cpu":"1"},)"
                         R"("defaultRequestsMultiplier":"1.5","targetUtilization":40})"},
        ArgsCase{
            .name = "Given",
            .given = R"({"watcherAddress":"http://localhost:2020","defaultRequests":{"cpu":"100m"},)"
                     R"("defaultRequestsMultiplier":"2.5","targetUtilization":50})",
            .want = R"({"metricProvider":{},"watcherAddress":"http://localhost:2020",)"
                    R"("defaultRequests":{"cpu":"100m"},"defaultRequestsMultiplier":"2.5","targetUtilization":50})"}),
    [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Own, TargetLoadPackingDefaults,
    testing::Values(
        ArgsCase{.name = "Prometheus",
                 .given = R"({"metricProvider":{"type":"Prometheus","token":"t"},"targetUtilization":-1})",
                 .want = R"({"metricProvider":{"type":"Prometheus","token":"t","insecureSkipVerify":true},)"
                         R"("defaultRequests":{"cpu":"1"},"defaultRequestsMultiplier":"1.5","targetUtilization":40})"},
        ArgsCase{.name = "RequestsAreANumber",
                 .given = R"({"metricProvider":{"type":"KubernetesMetricsServer"},"defaultRequests":{"cpu":0.1}})",
                 .want = R"({"metricProvider":{"type":"KubernetesMetricsServer"},"defaultRequests":{"cpu":"0.1"},)"
                         R"("defaultRequestsMultiplier":"1.5","targetUtilization":40})"},
        ArgsCase{.name = "RequestsAreAWholeNumber",
                 .given = R"({"metricProvider":{"type":"KubernetesMetricsServer"},"defaultRequests":{"cpu":2}})",
                 .want = R"({"metricProvider":{"type":"KubernetesMetricsServer"},"defaultRequests":{"cpu":"2"},)"
                         R"("defaultRequestsMultiplier":"1.5","targetUtilization":40})"},
        ArgsCase{.name = "RequestsWithoutCpu",
                 .given = R"({"defaultRequests":{"memory":"1Gi"},"targetUtilization":0})",
                 .want = R"({"metricProvider":{"type":"KubernetesMetricsServer"},"defaultRequests":{"cpu":"0"},)"
                         R"("defaultRequestsMultiplier":"1.5","targetUtilization":40})"}),
    [](const auto& info) { return std::string(info.param.name); });

class TargetLoadPackingCheck : public testing::TestWithParam<ArgsCase> {};

TEST_P(TargetLoadPackingCheck, Check) { ExpectChecked("TargetLoadPacking", GetParam()); }

// TestNewCollectorSpecs and TestNewCollectorLoadWatcher of pkg/trimaran/collector_test.go, and TestNew of
// pkg/trimaran/targetloadpacking. Upstream accepts SignalFx.
INSTANTIATE_TEST_SUITE_P(
    Upstream, TargetLoadPackingCheck,
    testing::Values(
        ArgsCase{.name = "NoProvider",
                 .given = R"({"watcherAddress":"","metricProvider":{"type":""}})",
                 .want = R"(metricProvider.type: Invalid value: "": invalid MetricProvider.Type, got )"},
        ArgsCase{.name = "SignalFx",
                 .given = R"({"metricProvider":{"type":"SignalFx","address":"http://127.0.0.1:1","token":"PWNED"}})",
                 .want = R"(metricProvider.type: Invalid value: "SignalFx": not supported; use Prometheus, )"
                         R"(KubernetesMetricsServer, or load-watcher (watcherAddress))"},
        ArgsCase{.name = "Watcher", .given = R"({"watcherAddress":"http://deadbeef:2020"})", .want = ""}),
    [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Own, TargetLoadPackingCheck,
    testing::Values(
        ArgsCase{.name = "Defaults", .given = "{}", .want = ""},
        ArgsCase{
            .name = "UnknownProvider",
            .given = R"({"metricProvider":{"type":"prometheus"}})",
            .want = R"(metricProvider.type: Invalid value: "prometheus": invalid MetricProvider.Type, got prometheus)"},
        ArgsCase{.name = "TheProviderIsNotUsedBesideAWatcher",
                 .given = R"({"watcherAddress":"https://w","metricProvider":{"type":"prometheus"}})",
                 .want = ""},
        ArgsCase{
            .name = "AddressWithoutScheme",
            .given = R"({"watcherAddress":"load-watcher:2020"})",
            .want = R"(watcherAddress: Invalid value: "load-watcher:2020": must be a URL with http:// or https://)"},
        ArgsCase{.name = "PrometheusWithoutScheme",
                 .given = R"({"metricProvider":{"type":"Prometheus","address":"p:9090"}})",
                 .want = R"(metricProvider.address: Invalid value: "p:9090": must be a URL with http:// or https://)"},
        ArgsCase{.name = "UserAndPassword",
                 .given = R"({"watcherAddress":"http://user:secret@w:2020/"})",
                 .want = "watcherAddress: Forbidden: a URL must not have a user or a password"},
        ArgsCase{.name = "UserAndPasswordWithoutScheme",
                 .given = R"({"metricProvider":{"type":"Prometheus","address":"user:secret@p:9090"}})",
                 .want = "metricProvider.address: Forbidden: a URL must not have a user or a password"},
        ArgsCase{.name = "APathMayHaveAnAtSign", .given = R"({"watcherAddress":"http://w/a@b"})", .want = ""},
        ArgsCase{.name = "RequestsAreANumber", .given = R"({"defaultRequests":{"cpu":0.5}})", .want = ""},
        ArgsCase{.name = "Multiplier",
                 .given = R"({"defaultRequestsMultiplier":"x"})",
                 .want = R"(defaultRequestsMultiplier: Invalid value: "x": unable to parse DefaultRequestsMultiplier: )"
                         R"(strconv.ParseFloat: parsing "x": invalid syntax)"},
        ArgsCase{
            .name = "Requests",
            .given = R"({"defaultRequests":{"cpu":"much"}})",
            .want = R"re(defaultRequests[cpu]: Invalid value: "much": quantities must match the regular expression )re"
                    R"re('^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$')re"}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace target_load_packing_test
