#include "api/resources.h"

#include <gtest/gtest.h>
#include "codec/text/label_syntax.h"

#include <string>
#include <thread>
#include <vector>

#include "pod_text.h"

namespace berth::api {
namespace {

constexpr uint32_t kSkip = BERTH_REQUESTS_SKIP_POD_LEVEL;
constexpr uint32_t kStatus = BERTH_REQUESTS_USE_STATUS;
constexpr uint32_t kNonMissing = BERTH_REQUESTS_NON_MISSING;

struct SumCase {
  const char* name;
  PodText pod;
  uint32_t flags;
  const char* sums;
};
class Sums : public testing::TestWithParam<SumCase> {};
TEST_P(Sums, AreUpstreams) {
  InternTables intern;
  const PodRef pod = Decoded(intern, GetParam().pod.Json());
  EXPECT_EQ(Spelled(intern, pod->resources().Sums(intern, GetParam().flags).amounts), GetParam().sums);
}
std::string CaseName(const testing::TestParamInfo<SumCase>& info) { return info.param.name; }

// The values of component-helpers/resource/helpers_test.go.
INSTANTIATE_TEST_SUITE_P(
    ComponentHelpers, Sums,
    testing::Values(
        SumCase{
            .name = "LargerInit", .pod = {.init = {"i cpu=4"}, .apps = {"a cpu=1"}}, .flags = 0, .sums = "cpu=4000"},
        SumCase{.name = "LargerContainers",
                .pod = {.init = {"i cpu=2"}, .apps = {"a cpu=2", "b cpu=3"}},
                .flags = 0,
                .sums = "cpu=5000"},
        SumCase{.name = "Overhead",
                .pod = {.init = {"i cpu=2"}, .apps = {"a cpu=2", "b cpu=3"}, .overhead = "cpu=1 memory=1Gi"},
                .flags = 0,
                .sums = "cpu=6000 memory=1073741824"},
        SumCase{.name = "ResizedInfeasible",
                .pod = {.apps = {"a cpu=4"}, .statuses = {"a cpu=2"}, .resize = "Infeasible"},
                .flags = kStatus,
                .sums = "cpu=2000"},
        SumCase{.name = "ResizedInfeasibleInProgress",
                .pod = {.apps = {"a cpu=6"}, .statuses = {"a cpu=2|cpu=4"}, .resize = "Infeasible"},
                .flags = kStatus,
                .sums = "cpu=4000"},
        SumCase{.name = "ResizedNoResizeStatus",
                .pod = {.apps = {"a cpu=4"}, .statuses = {"a cpu=2"}},
                .flags = kStatus,
                .sums = "cpu=4000"},
        SumCase{.name = "ResizedDeferred",
                .pod = {.apps = {"a cpu=4"}, .statuses = {"a cpu=2"}, .resize = "Deferred"},
                .flags = kStatus,
                .sums = "cpu=4000"},
        SumCase{.name = "ResizedThreeWayMaximum",
                .pod = {.apps = {"a cpu=30m memory=20M ephemeral-storage=10G"},
                        .statuses =
                            {"a cpu=10m memory=30M ephemeral-storage=20G|cpu=20m memory=10M ephemeral-storage=30G"}},
                .flags = kStatus,
                .sums = "cpu=30 ephemeral-storage=30000000000 memory=30000000"},
        SumCase{.name = "ResizedInfeasibleStatusUnused",
                .pod = {.apps = {"a cpu=4"}, .statuses = {"a cpu=2"}, .resize = "Infeasible"},
                .flags = 0,
                .sums = "cpu=4000"},
        SumCase{.name = "ResizedSidecarInfeasible",
                .pod = {.init = {"s:r cpu=4"}, .init_statuses = {"r cpu=2"}, .resize = "Infeasible"},
                .flags = kStatus,
                .sums = "cpu=2000"},
        SumCase{.name = "ResizedSidecar",
                .pod = {.init = {"s:r cpu=4"}, .init_statuses = {"r cpu=2"}},
                .flags = kStatus,
                .sums = "cpu=4000"},
        SumCase{.name = "ResizedInitIgnoresStatus",
                .pod = {.init = {"r cpu=1"}, .init_statuses = {"r cpu=2"}},
                .flags = kStatus,
                .sums = "cpu=1000"},
        SumCase{.name = "Sidecar", .pod = {.init = {"s:r cpu=1"}, .apps = {"a cpu=1"}}, .flags = 0, .sums = "cpu=2000"},
        SumCase{.name = "Sidecars",
                .pod = {.init = {"i cpu=5", "s:r cpu=1", "s:q cpu=2", "s:p cpu=3"}, .apps = {"a cpu=1"}},
                .flags = 0,
                .sums = "cpu=7000"},
        SumCase{.name = "SidecarsAndInits",
                .pod = {.init = {"i cpu=5", "s:r cpu=1", "s:q cpu=2", "j cpu=5", "s:p cpu=3"}, .apps = {"a cpu=1"}},
                .flags = 0,
                .sums = "cpu=8000"},
        SumCase{.name = "SidecarInitRegular",
                .pod = {.init = {"s:r cpu=10", "i cpu=200"}, .apps = {"a cpu=100"}},
                .flags = 0,
                .sums = "cpu=210000"},
        SumCase{.name = "EmptyRequestsStatusSet",
                .pod = {.apps = {"a"}, .statuses = {"a cpu=2|cpu=2"}},
                .flags = kStatus,
                .sums = "cpu=2000"},
        SumCase{
            .name = "PodLevelSkipped", .pod = {.apps = {"a"}, .pod_level = "memory=2Mi"}, .flags = kSkip, .sums = ""},
        SumCase{.name = "PodLevelMemory",
                .pod = {.apps = {"a"}, .pod_level = "memory=2Mi"},
                .flags = 0,
                .sums = "memory=2097152"},
        SumCase{.name = "PodLevelMemoryContainerCpu",
                .pod = {.apps = {"a cpu=2m"}, .pod_level = "memory=2Mi"},
                .flags = 0,
                .sums = "cpu=2 memory=2097152"},
        SumCase{.name = "PodLevelUnsupportedBoth",
                .pod = {.apps = {"a memory=3Mi ephemeral-storage=2Mi"}, .pod_level = "ephemeral-storage=1Mi"},
                .flags = 0,
                .sums = "ephemeral-storage=2097152 memory=3145728"},
        SumCase{.name = "PodLevelUnsupported",
                .pod = {.apps = {"a memory=3Mi"}, .pod_level = "storage=2Mi"},
                .flags = 0,
                .sums = "memory=3145728"},
        SumCase{.name = "PodLevelAndContainer",
                .pod = {.apps = {"a cpu=2m memory=3Mi"}, .pod_level = "cpu=8m memory=6Mi"},
                .flags = 0,
                .sums = "cpu=8 memory=6291456"},
        SumCase{.name = "ContainerAndSidecar",
                .pod = {.init = {"s:r cpu=4m memory=5Mi"}, .apps = {"a cpu=2m memory=3Mi"}},
                .flags = 0,
                .sums = "cpu=6 memory=8388608"},
        SumCase{.name = "ContainerInitAndSidecar",
                .pod = {.init = {"s:r cpu=4m memory=5Mi", "i cpu=8m memory=6Mi"}, .apps = {"a cpu=2m memory=3Mi"}},
                .flags = 0,
                .sums = "cpu=12 memory=11534336"},
        SumCase{.name = "PodLevelOverAll",
                .pod = {.init = {"s:r cpu=4m memory=5Mi", "i cpu=8m memory=6Mi"},
                        .apps = {"a cpu=2m memory=3Mi"},
                        .pod_level = "cpu=18m memory=15Mi"},
                .flags = 0,
                .sums = "cpu=18 memory=15728640"},
        SumCase{.name = "PodLevelHugepages",
                .pod = {.pod_level = "memory=10Mi hugepages-2Mi=2Mi"},
                .flags = 0,
                .sums = "hugepages-2Mi=2097152 memory=10485760"},
        SumCase{.name = "PodLevelAndContainerHugepages",
                .pod = {.apps = {"a hugepages-2Mi=6Mi"}, .pod_level = "cpu=1 hugepages-2Mi=10Mi"},
                .flags = 0,
                .sums = "cpu=1000 hugepages-2Mi=10485760"},
        SumCase{.name = "HugepagesOfBothLevels",
                .pod = {.apps = {"a memory=4Mi hugepages-1Gi=1Gi"}, .pod_level = "cpu=1 hugepages-2Mi=10Mi"},
                .flags = 0,
                .sums = "cpu=1000 hugepages-1Gi=1073741824 hugepages-2Mi=10485760 memory=4194304"}),
    CaseName);

// Cases that upstream's tests do not cover.
INSTANTIATE_TEST_SUITE_P(
    Worked, Sums,
    testing::Values(
        SumCase{
            .name = "InitOrder1",
            .pod = {.init = {"s:s1 cpu=200m", "i1 cpu=500m", "s:s2 cpu=300m", "i2 cpu=50m"}, .apps = {"c1 cpu=100m"}},
            .flags = 0,
            .sums = "cpu=700"},
        SumCase{
            .name = "InitOrder2",
            .pod = {.init = {"i1 cpu=500m", "s:s1 cpu=200m", "s:s2 cpu=300m", "i2 cpu=50m"}, .apps = {"c1 cpu=100m"}},
            .flags = 0,
            .sums = "cpu=600"},
        SumCase{.name = "NonMissing",
                .pod = {.init = {"i1 memory=1Gi"}, .apps = {"c1 cpu=250m", "c2"}},
                .flags = kNonMissing,
                .sums = "cpu=350 memory=1073741824"},
        SumCase{.name = "NonMissingExplicitZero",
                .pod = {.apps = {"c1 cpu=0 memory=0"}},
                .flags = kNonMissing,
                .sums = "cpu=0 memory=0"},
        SumCase{.name = "FitFilter",
                .pod = {.apps = {"c cpu=500m memory=1Gi"}, .pod_level = "cpu=2", .overhead = "cpu=100m"},
                .flags = 0,
                .sums = "cpu=2100 memory=1073741824"},
        SumCase{.name = "FitScore",
                .pod = {.apps = {"c cpu=500m memory=1Gi"}, .pod_level = "cpu=2", .overhead = "cpu=100m"},
                .flags = kSkip | kNonMissing,
                .sums = "cpu=600 memory=1073741824"},
        SumCase{.name = "Balanced",
                .pod = {.apps = {"c cpu=500m memory=1Gi"}, .pod_level = "cpu=2", .overhead = "cpu=100m"},
                .flags = kStatus,
                .sums = "cpu=2100 memory=1073741824"},
        SumCase{.name = "ResizeGrows",
                .pod = {.apps = {"c cpu=4"}, .statuses = {"c cpu=2|cpu=2"}},
                .flags = kStatus,
                .sums = "cpu=4000"},
        SumCase{.name = "ResizeInfeasible",
                .pod = {.apps = {"c cpu=4"}, .statuses = {"c cpu=2|cpu=2"}, .resize = "Infeasible"},
                .flags = kStatus,
                .sums = "cpu=2000"},
        SumCase{.name = "ResizeShrinks",
                .pod = {.apps = {"c cpu=1"}, .statuses = {"c cpu=3|cpu=1"}},
                .flags = kStatus,
                .sums = "cpu=3000"},
        SumCase{.name = "NonMissingAfterResize",
                .pod = {.apps = {"c cpu=4"}, .statuses = {"c memory=1Mi"}, .resize = "Infeasible"},
                .flags = kStatus | kNonMissing,
                .sums = "cpu=100 memory=1048576"},
        SumCase{.name = "PodLevelReplacesDefaults",
                .pod = {.apps = {"c"}, .pod_level = "cpu=2"},
                .flags = kNonMissing,
                .sums = "cpu=2000 memory=209715200"},
        SumCase{.name = "PodLevelResized",
                .pod = {.apps = {"c"}, .pod_level = "cpu=1 memory=1Gi", .pod_status = "cpu=3|cpu=2 memory=2Gi"},
                .flags = kStatus,
                .sums = "cpu=3000 memory=2147483648"},
        SumCase{.name = "PodLevelResizeInfeasibleMissingKey",
                .pod = {.apps = {"c"}, .pod_level = "cpu=1 memory=1Gi", .pod_status = "cpu=3", .resize = "Infeasible"},
                .flags = kStatus,
                .sums = "cpu=3000 memory=0"},
        SumCase{.name = "EverythingSkipped",
                .pod = {.apps = {"c cpu=4"}, .pod_level = "cpu=9", .statuses = {"c cpu=5"}},
                .flags = kSkip | kStatus | kNonMissing,
                .sums = "cpu=5000 memory=209715200"},
        SumCase{
            .name = "SumsBeforeRounding", .pod = {.apps = {"a cpu=100u", "b cpu=900u"}}, .flags = 0, .sums = "cpu=1"},
        SumCase{.name = "RoundsUp", .pod = {.apps = {"a cpu=1n memory=1500m"}}, .flags = 0, .sums = "cpu=1~ memory=2~"},
        SumCase{.name = "Saturates",
                .pod = {.apps = {"a cpu=10P memory=8Ei", "b memory=8Ei"}},
                .flags = 0,
                .sums = "cpu=9223372036854775807^ memory=9223372036854775807^"},
        SumCase{.name = "KeepsZeroesAndStrangers", .pod = {.apps = {"a x=3 cpu=0"}}, .flags = 0, .sums = "cpu=0 x=3"},
        SumCase{.name = "UnknownFlags", .pod = {.apps = {"a cpu=1"}}, .flags = 8, .sums = ""}),
    CaseName);

struct AccountedCase {
  const char* name;
  PodText pod;
  const char* requested;
  int64_t cpu, memory;
};
class Accounted : public testing::TestWithParam<AccountedCase> {};
TEST_P(Accounted, IsUpstreams) {
  InternTables intern;
  const PodRef pod = Decoded(intern, GetParam().pod.Json());
  for (int round = 0; round < 2; ++round) {  // the second result is cached in the block
    const AccountedRequests accounted = pod->resources().Accounted(intern);
    EXPECT_EQ(Spelled(intern, accounted.requested->amounts), GetParam().requested);
    EXPECT_EQ(accounted.non_zero_cpu_milli, GetParam().cpu);
    EXPECT_EQ(accounted.non_zero_memory, GetParam().memory);
  }
}
constexpr int64_t kDefaultMemory = 209715200;
// The values of pkg/scheduler/framework/types_test.go TestPodInfoCalculateResources and
// TestCalculatePodResourcesWithResize.
INSTANTIATE_TEST_SUITE_P(
    Types, Accounted,
    testing::Values(
        AccountedCase{
            .name = "Requestless", .pod = {.apps = {"a"}}, .requested = "", .cpu = 100, .memory = kDefaultMemory},
        AccountedCase{.name = "One",
                      .pod = {.apps = {"a cpu=500m memory=500M"}},
                      .requested = "cpu=500 memory=500000000",
                      .cpu = 500,
                      .memory = 500000000},
        AccountedCase{.name = "Two",
                      .pod = {.apps = {"a cpu=500m memory=500M", "b cpu=700m memory=800M"}},
                      .requested = "cpu=1200 memory=1300000000",
                      .cpu = 1200,
                      .memory = 1300000000},
        AccountedCase{.name = "InitAndPodLevel",
                      .pod = {.init = {"i cpu=500m memory=500M"},
                              .apps = {"a cpu=500m memory=500M"},
                              .pod_level = "cpu=1200m memory=1200M"},
                      .requested = "cpu=1200 memory=1200000000",
                      .cpu = 1200,
                      .memory = 1200000000},
        AccountedCase{.name = "SidecarAndPodLevel",
                      .pod = {.init = {"s:i cpu=500m memory=500M"},
                              .apps = {"a cpu=500m memory=500M"},
                              .pod_level = "cpu=1200m memory=1200M"},
                      .requested = "cpu=1200 memory=1200000000",
                      .cpu = 1200,
                      .memory = 1200000000},
        AccountedCase{.name = "PodLevelMemory",
                      .pod = {.init = {"i"}, .apps = {"a"}, .pod_level = "memory=1200M"},
                      .requested = "memory=1200000000",
                      .cpu = 100,
                      .memory = 1200000000},
        AccountedCase{.name = "PodLevelCpu",
                      .pod = {.init = {"i"}, .apps = {"a"}, .pod_level = "cpu=500m"},
                      .requested = "cpu=500",
                      .cpu = 500,
                      .memory = kDefaultMemory},
        AccountedCase{.name = "UnsupportedBelowPodLevel",
                      .pod = {.init = {"i ephemeral-storage=800M"},
                              .apps = {"a ephemeral-storage=500M"},
                              .pod_level = "cpu=500m"},
                      .requested = "cpu=500 ephemeral-storage=800000000",
                      .cpu = 500,
                      .memory = kDefaultMemory},
        AccountedCase{.name = "PodLevelOfUnsupportedOnlyIsNone",
                      .pod = {.apps = {"a"}, .pod_level = "ephemeral-storage=1M"},
                      .requested = "",
                      .cpu = 100,
                      .memory = kDefaultMemory},
        AccountedCase{.name = "PodLevelPresentInOneContainer",
                      .pod = {.apps = {"a cpu=300m", "b"}, .pod_level = "memory=1M"},
                      .requested = "cpu=300 memory=1000000",
                      .cpu = 300,  // the sum contains cpu, so no container gets a default
                      .memory = 1000000},
        AccountedCase{.name = "NoPendingResize",
                      .pod = {.apps = {"a cpu=500m memory=500M"}, .statuses = {"a cpu=500m memory=500M"}},
                      .requested = "cpu=500 memory=500000000",
                      .cpu = 500,
                      .memory = 500000000},
        AccountedCase{.name = "PodLevelNoPendingResize",
                      .pod = {.apps = {"a cpu=500m memory=500M"},
                              .pod_level = "cpu=700m memory=500M",
                              .statuses = {"a cpu=700m memory=500M"},
                              .pod_status = "cpu=500m memory=500M"},
                      .requested = "cpu=700 memory=500000000",
                      .cpu = 700,
                      .memory = 500000000},
        AccountedCase{
            .name = "DeferredResize",
            .pod = {.apps = {"a cpu=700m memory=800M"}, .statuses = {"a cpu=500m memory=500M"}, .resize = "Deferred"},
            .requested = "cpu=700 memory=800000000",
            .cpu = 700,
            .memory = 800000000},
        AccountedCase{.name = "PodLevelDeferredResize",
                      .pod = {.apps = {"a cpu=500m memory=500M"},
                              .pod_level = "cpu=700m memory=800M",
                              .statuses = {"a cpu=500m memory=500M"},
                              .pod_status = "cpu=500m memory=500M",
                              .resize = "Deferred"},
                      .requested = "cpu=700 memory=800000000",
                      .cpu = 700,
                      .memory = 800000000},
        AccountedCase{
            .name = "InfeasibleResize",
            .pod = {.apps = {"a cpu=700m memory=800M"}, .statuses = {"a cpu=500m memory=500M"}, .resize = "Infeasible"},
            .requested = "cpu=500 memory=500000000",
            .cpu = 500,
            .memory = 500000000},
        AccountedCase{.name = "InitNoResize",
                      .pod = {.init = {"i cpu=700m memory=800M"},
                              .apps = {"a cpu=500m memory=500M"},
                              .statuses = {"a cpu=500m memory=500M"},
                              .init_statuses = {"i cpu=700m memory=800M"}},
                      .requested = "cpu=700 memory=800000000",
                      .cpu = 700,
                      .memory = 800000000},
        AccountedCase{.name = "SidecarNoResize",
                      .pod = {.init = {"i cpu=700m memory=800M", "s:s cpu=700m memory=800M"},
                              .apps = {"a cpu=500m memory=500M"},
                              .statuses = {"a cpu=500m memory=500M"},
                              .init_statuses = {"i cpu=700m memory=800M", "s cpu=700m memory=800M"}},
                      .requested = "cpu=1200 memory=1300000000",
                      .cpu = 1200,
                      .memory = 1300000000}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(Resources, AbiListsShowTheObject) {
  InternTables intern;
  const PodRef pod = Decoded(intern, R"({"metadata":{"name":"p"},"spec":{
      "initContainers":[{"name":"i","resources":{"limits":{"cpu":"2"}}},
                        {"name":"s","restartPolicy":"Always","resources":{"requests":{"memory":"1Ki","cpu":"1m"}}}],
      "containers":[{"name":"a","resources":{"requests":{"cpu":0.5,"nvidia.com/gpu":1},
                                               "limits":{"nvidia.com/gpu":"1"}}}],
      "resources":{"requests":{"cpu":"3"},"limits":{"memory":"5"}},"overhead":{"cpu":"7m"}}})");
  const berth_resources& abi = *pod->abi.resources;
  EXPECT_EQ(&ResourcesBlockOf(pod->abi.resources), &pod->resources());
  EXPECT_EQ(abi.size, sizeof(berth_resources));
  EXPECT_EQ(abi.has, BERTH_RESOURCES_POD_LEVEL);
  ASSERT_EQ(abi.containers.n, 3u);
  EXPECT_EQ(abi.containers.stride, sizeof(berth_container));
  const auto* init = BERTH_AT(abi.containers, berth_container, 0);
  const auto* sidecar = BERTH_AT(abi.containers, berth_container, 1);
  const auto* app = BERTH_AT(abi.containers, berth_container, 2);
  EXPECT_EQ(intern.ids.Text(init->name), "i");
  EXPECT_EQ(init->kind, BERTH_CONTAINER_INIT);
  EXPECT_EQ(Spelled(intern, init->requests), "");  // a limit is no request; the API server sets requests from limits
  EXPECT_EQ(Spelled(intern, init->limits), "cpu=2000");
  EXPECT_EQ(sidecar->kind, BERTH_CONTAINER_SIDECAR);
  EXPECT_EQ(Spelled(intern, sidecar->requests), "cpu=1 memory=1024");
  EXPECT_EQ(app->kind, BERTH_CONTAINER_APP);
  EXPECT_EQ(Spelled(intern, app->requests), "cpu=500 nvidia.com/gpu=1");
  EXPECT_EQ(Spelled(intern, app->limits), "nvidia.com/gpu=1");
  EXPECT_EQ(app->requests.stride, sizeof(berth_amount));
  EXPECT_EQ(Spelled(intern, abi.pod_requests), "cpu=3000");
  EXPECT_EQ(Spelled(intern, abi.pod_limits), "memory=5");
  EXPECT_EQ(Spelled(intern, abi.overhead), "cpu=7");
  EXPECT_EQ(Decoded(intern, R"({"spec":{"resources":{}}})")->abi.resources->has, BERTH_RESOURCES_POD_LEVEL);
  EXPECT_EQ(Decoded(intern, R"({"spec":{"resources":null}})")->abi.resources->has, 0u);
}

TEST(Resources, StatusIsFoundByName) {
  InternTables intern;
  const auto sum = [&](const PodText& text) {
    return Spelled(intern, Decoded(intern, text.Json())->resources().Sums(intern, kStatus).amounts);
  };
  EXPECT_EQ(sum({.apps = {"a cpu=1", "b cpu=1"}, .statuses = {"b cpu=5", "c cpu=9"}}), "cpu=6000");
  // the last status with a name is used
  EXPECT_EQ(sum({.apps = {"a cpu=1"}, .statuses = {"a cpu=5", "a cpu=3"}}), "cpu=3000");
  EXPECT_EQ(sum({.apps = {"a cpu=1"}, .statuses = {"a cpu=5"}, .init_statuses = {"a cpu=2"}}), "cpu=2000");
  // A status without resources does not count, even with allocated resources.
  const PodRef pod = Decoded(intern, R"({"spec":{"containers":[{"name":"a","resources":{"requests":{"cpu":"1"}}}]},
      "status":{"containerStatuses":[{"name":"a","allocatedResources":{"cpu":"7"}}]}})");
  EXPECT_EQ(Spelled(intern, pod->resources().Sums(intern, kStatus).amounts), "cpu=1000");
}

TEST(Resources, OnlyTheFirstResizeConditionCounts) {
  InternTables intern;
  const PodRef pod = Decoded(intern, R"({"status":{"conditions":[{"type":"Ready","reason":"Infeasible"},
      {"type":"PodResizePending","reason":"Deferred"},{"type":"PodResizePending","reason":"Infeasible"}]}})");
  EXPECT_FALSE(pod->resources().resize_infeasible);
}

TEST(Resources, ScaledDown) {
  InternTables intern;
  const auto scaled = [&](const PodText& before, const PodText& after) {
    return ScaledDown(intern, Decoded(intern, before.Json())->resources(), Decoded(intern, after.Json())->resources());
  };
  const PodText one{.apps = {"a cpu=1 memory=1Gi"}};
  EXPECT_FALSE(scaled(one, one));
  EXPECT_FALSE(scaled(one, {.apps = {"a cpu=2 memory=1Gi x=1"}}));
  EXPECT_TRUE(scaled(one, {.apps = {"a cpu=999m memory=2Gi"}}));
  EXPECT_TRUE(scaled(one, {.apps = {"a cpu=1"}}));
  EXPECT_TRUE(scaled({.apps = {"a cpu=1", "b x=0"}}, {.apps = {"a cpu=1"}}));
  EXPECT_FALSE(scaled(one, {.apps = {"a cpu=500m memory=1Gi"}, .statuses = {"a cpu=1"}}));  // not yet actuated
}

TEST(Resources, Names) {
  for (const char* name : {"nvidia.com/gpu", "example.com/a", "a.b/c_d"}) {
    EXPECT_TRUE(text::IsExtendedResourceName(name)) << name;
    EXPECT_TRUE(IsScalarResourceName(name)) << name;
  }
  for (const char* name : {"cpu", "memory", "gpu", "requests.example.com/a", "kubernetes.io/x", "a.kubernetes.io/x",
                           "hugepages-2Mi", "example.com/", "example.com/a/b", "Example.com/a"}) {
    EXPECT_FALSE(text::IsExtendedResourceName(name)) << name;
  }
  for (const char* name : {"hugepages-", "hugepages-1Gi", "attachable-volumes-aws-ebs", "a.kubernetes.io/x"}) {
    EXPECT_TRUE(IsScalarResourceName(name)) << name;
  }
  for (const char* name : {"cpu", "memory", "ephemeral-storage", "pods", "gpu", "x/"}) {
    EXPECT_FALSE(IsScalarResourceName(name)) << name;
  }
}

TEST(Resources, SumsAreSharedByThreads) {
  InternTables intern;
  const PodRef pod = Decoded(intern, PodText{.apps = {"a cpu=1"}, .pod_level = "memory=1"}.Json());
  std::vector<std::thread> threads;
  std::vector<const RequestSums*> seen(4);
  std::vector<int64_t> cpu(4);
  for (size_t t = 0; t < seen.size(); ++t) {
    threads.emplace_back([&, t] {
      for (uint32_t flags = 0; flags < 8; ++flags) pod->resources().Sums(intern, flags);
      seen[t] = &pod->resources().Sums(intern, kStatus);
      cpu[t] = pod->resources().Accounted(intern).non_zero_cpu_milli;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(seen, std::vector<const RequestSums*>(4, seen[0]));
  EXPECT_EQ(cpu, std::vector<int64_t>(4, 1000));
}

}  // namespace
}  // namespace berth::api
