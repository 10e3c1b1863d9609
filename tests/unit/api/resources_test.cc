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
  EXPECT_EQ(Spelled(intern, pod->resources->Sums(intern, GetParam().flags).amounts), GetParam().sums);
}
std::string CaseName(const testing::TestParamInfo<SumCase>& info) { return info.param.name; }

// The values of component-helpers/resource/helpers_test.go.
INSTANTIATE_TEST_SUITE_P(
    ComponentHelpers, Sums,
    testing::Values(
        SumCase{"LargerInit", {.init = {"i cpu=4"}, .apps = {"a cpu=1"}}, 0, "cpu=4000"},
        SumCase{"LargerContainers", {.init = {"i cpu=2"}, .apps = {"a cpu=2", "b cpu=3"}}, 0, "cpu=5000"},
        SumCase{"Overhead",
                {.init = {"i cpu=2"}, .apps = {"a cpu=2", "b cpu=3"}, .overhead = "cpu=1 memory=1Gi"},
                0,
                "cpu=6000 memory=1073741824"},
        SumCase{"ResizedInfeasible",
                {.apps = {"a cpu=4"}, .statuses = {"a cpu=2"}, .resize = "Infeasible"},
                kStatus,
                "cpu=2000"},
        SumCase{"ResizedInfeasibleInProgress",
                {.apps = {"a cpu=6"}, .statuses = {"a cpu=2|cpu=4"}, .resize = "Infeasible"},
                kStatus,
                "cpu=4000"},
        SumCase{"ResizedNoResizeStatus", {.apps = {"a cpu=4"}, .statuses = {"a cpu=2"}}, kStatus, "cpu=4000"},
        SumCase{"ResizedDeferred",
                {.apps = {"a cpu=4"}, .statuses = {"a cpu=2"}, .resize = "Deferred"},
                kStatus,
                "cpu=4000"},
        SumCase{"ResizedThreeWayMaximum",
                {.apps = {"a cpu=30m memory=20M ephemeral-storage=10G"},
                 .statuses = {"a cpu=10m memory=30M ephemeral-storage=20G|cpu=20m memory=10M ephemeral-storage=30G"}},
                kStatus,
                "cpu=30 ephemeral-storage=30000000000 memory=30000000"},
        SumCase{"ResizedInfeasibleStatusUnused",
                {.apps = {"a cpu=4"}, .statuses = {"a cpu=2"}, .resize = "Infeasible"},
                0,
                "cpu=4000"},
        SumCase{"ResizedSidecarInfeasible",
                {.init = {"s:r cpu=4"}, .init_statuses = {"r cpu=2"}, .resize = "Infeasible"},
                kStatus,
                "cpu=2000"},
        SumCase{"ResizedSidecar", {.init = {"s:r cpu=4"}, .init_statuses = {"r cpu=2"}}, kStatus, "cpu=4000"},
        SumCase{"ResizedInitIgnoresStatus", {.init = {"r cpu=1"}, .init_statuses = {"r cpu=2"}}, kStatus, "cpu=1000"},
        SumCase{"Sidecar", {.init = {"s:r cpu=1"}, .apps = {"a cpu=1"}}, 0, "cpu=2000"},
        SumCase{"Sidecars",
                {.init = {"i cpu=5", "s:r cpu=1", "s:q cpu=2", "s:p cpu=3"}, .apps = {"a cpu=1"}},
                0,
                "cpu=7000"},
        SumCase{"SidecarsAndInits",
                {.init = {"i cpu=5", "s:r cpu=1", "s:q cpu=2", "j cpu=5", "s:p cpu=3"}, .apps = {"a cpu=1"}},
                0,
                "cpu=8000"},
        SumCase{"SidecarInitRegular", {.init = {"s:r cpu=10", "i cpu=200"}, .apps = {"a cpu=100"}}, 0, "cpu=210000"},
        SumCase{"EmptyRequestsStatusSet", {.apps = {"a"}, .statuses = {"a cpu=2|cpu=2"}}, kStatus, "cpu=2000"},
        SumCase{"PodLevelSkipped", {.apps = {"a"}, .pod_level = "memory=2Mi"}, kSkip, ""},
        SumCase{"PodLevelMemory", {.apps = {"a"}, .pod_level = "memory=2Mi"}, 0, "memory=2097152"},
        SumCase{
            "PodLevelMemoryContainerCpu", {.apps = {"a cpu=2m"}, .pod_level = "memory=2Mi"}, 0, "cpu=2 memory=2097152"},
        SumCase{"PodLevelUnsupportedBoth",
                {.apps = {"a memory=3Mi ephemeral-storage=2Mi"}, .pod_level = "ephemeral-storage=1Mi"},
                0,
                "ephemeral-storage=2097152 memory=3145728"},
        SumCase{"PodLevelUnsupported", {.apps = {"a memory=3Mi"}, .pod_level = "storage=2Mi"}, 0, "memory=3145728"},
        SumCase{"PodLevelAndContainer",
                {.apps = {"a cpu=2m memory=3Mi"}, .pod_level = "cpu=8m memory=6Mi"},
                0,
                "cpu=8 memory=6291456"},
        SumCase{"ContainerAndSidecar",
                {.init = {"s:r cpu=4m memory=5Mi"}, .apps = {"a cpu=2m memory=3Mi"}},
                0,
                "cpu=6 memory=8388608"},
        SumCase{"ContainerInitAndSidecar",
                {.init = {"s:r cpu=4m memory=5Mi", "i cpu=8m memory=6Mi"}, .apps = {"a cpu=2m memory=3Mi"}},
                0,
                "cpu=12 memory=11534336"},
        SumCase{"PodLevelOverAll",
                {.init = {"s:r cpu=4m memory=5Mi", "i cpu=8m memory=6Mi"},
                 .apps = {"a cpu=2m memory=3Mi"},
                 .pod_level = "cpu=18m memory=15Mi"},
                0,
                "cpu=18 memory=15728640"},
        SumCase{"PodLevelHugepages",
                {.pod_level = "memory=10Mi hugepages-2Mi=2Mi"},
                0,
                "hugepages-2Mi=2097152 memory=10485760"},
        SumCase{"PodLevelAndContainerHugepages",
                {.apps = {"a hugepages-2Mi=6Mi"}, .pod_level = "cpu=1 hugepages-2Mi=10Mi"},
                0,
                "cpu=1000 hugepages-2Mi=10485760"},
        SumCase{"HugepagesOfBothLevels",
                {.apps = {"a memory=4Mi hugepages-1Gi=1Gi"}, .pod_level = "cpu=1 hugepages-2Mi=10Mi"},
                0,
                "cpu=1000 hugepages-1Gi=1073741824 hugepages-2Mi=10485760 memory=4194304"}),
    CaseName);

// Cases that upstream's tests do not cover.
INSTANTIATE_TEST_SUITE_P(
    Worked, Sums,
    testing::Values(
        SumCase{"InitOrder1",
                {.init = {"s:s1 cpu=200m", "i1 cpu=500m", "s:s2 cpu=300m", "i2 cpu=50m"}, .apps = {"c1 cpu=100m"}},
                0,
                "cpu=700"},
        SumCase{"InitOrder2",
                {.init = {"i1 cpu=500m", "s:s1 cpu=200m", "s:s2 cpu=300m", "i2 cpu=50m"}, .apps = {"c1 cpu=100m"}},
                0,
                "cpu=600"},
        SumCase{"NonMissing",
                {.init = {"i1 memory=1Gi"}, .apps = {"c1 cpu=250m", "c2"}},
                kNonMissing,
                "cpu=350 memory=1073741824"},
        SumCase{"NonMissingExplicitZero", {.apps = {"c1 cpu=0 memory=0"}}, kNonMissing, "cpu=0 memory=0"},
        SumCase{"FitFilter",
                {.apps = {"c cpu=500m memory=1Gi"}, .pod_level = "cpu=2", .overhead = "cpu=100m"},
                0,
                "cpu=2100 memory=1073741824"},
        SumCase{"FitScore",
                {.apps = {"c cpu=500m memory=1Gi"}, .pod_level = "cpu=2", .overhead = "cpu=100m"},
                kSkip | kNonMissing,
                "cpu=600 memory=1073741824"},
        SumCase{"Balanced",
                {.apps = {"c cpu=500m memory=1Gi"}, .pod_level = "cpu=2", .overhead = "cpu=100m"},
                kStatus,
                "cpu=2100 memory=1073741824"},
        SumCase{"ResizeGrows", {.apps = {"c cpu=4"}, .statuses = {"c cpu=2|cpu=2"}}, kStatus, "cpu=4000"},
        SumCase{"ResizeInfeasible",
                {.apps = {"c cpu=4"}, .statuses = {"c cpu=2|cpu=2"}, .resize = "Infeasible"},
                kStatus,
                "cpu=2000"},
        SumCase{"ResizeShrinks", {.apps = {"c cpu=1"}, .statuses = {"c cpu=3|cpu=1"}}, kStatus, "cpu=3000"},
        SumCase{"NonMissingAfterResize",
                {.apps = {"c cpu=4"}, .statuses = {"c memory=1Mi"}, .resize = "Infeasible"},
                kStatus | kNonMissing,
                "cpu=100 memory=1048576"},
        SumCase{"PodLevelReplacesDefaults",
                {.apps = {"c"}, .pod_level = "cpu=2"},
                kNonMissing,
                "cpu=2000 memory=209715200"},
        SumCase{"PodLevelResized",
                {.apps = {"c"}, .pod_level = "cpu=1 memory=1Gi", .pod_status = "cpu=3|cpu=2 memory=2Gi"},
                kStatus,
                "cpu=3000 memory=2147483648"},
        SumCase{"PodLevelResizeInfeasibleMissingKey",
                {.apps = {"c"}, .pod_level = "cpu=1 memory=1Gi", .pod_status = "cpu=3", .resize = "Infeasible"},
                kStatus,
                "cpu=3000 memory=0"},
        SumCase{"EverythingSkipped",
                {.apps = {"c cpu=4"}, .pod_level = "cpu=9", .statuses = {"c cpu=5"}},
                kSkip | kStatus | kNonMissing,
                "cpu=5000 memory=209715200"},
        SumCase{"SumsBeforeRounding", {.apps = {"a cpu=100u", "b cpu=900u"}}, 0, "cpu=1"},
        SumCase{"RoundsUp", {.apps = {"a cpu=1n memory=1500m"}}, 0, "cpu=1~ memory=2~"},
        SumCase{"Saturates",
                {.apps = {"a cpu=10P memory=8Ei", "b memory=8Ei"}},
                0,
                "cpu=9223372036854775807^ memory=9223372036854775807^"},
        SumCase{"KeepsZeroesAndStrangers", {.apps = {"a x=3 cpu=0"}}, 0, "cpu=0 x=3"},
        SumCase{"UnknownFlags", {.apps = {"a cpu=1"}}, 8, ""}),
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
    const AccountedRequests accounted = pod->resources->Accounted(intern);
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
        AccountedCase{"Requestless", {.apps = {"a"}}, "", 100, kDefaultMemory},
        AccountedCase{"One", {.apps = {"a cpu=500m memory=500M"}}, "cpu=500 memory=500000000", 500, 500000000},
        AccountedCase{"Two",
                      {.apps = {"a cpu=500m memory=500M", "b cpu=700m memory=800M"}},
                      "cpu=1200 memory=1300000000",
                      1200,
                      1300000000},
        AccountedCase{"InitAndPodLevel",
                      {.init = {"i cpu=500m memory=500M"},
                       .apps = {"a cpu=500m memory=500M"},
                       .pod_level = "cpu=1200m memory=1200M"},
                      "cpu=1200 memory=1200000000",
                      1200,
                      1200000000},
        AccountedCase{"SidecarAndPodLevel",
                      {.init = {"s:i cpu=500m memory=500M"},
                       .apps = {"a cpu=500m memory=500M"},
                       .pod_level = "cpu=1200m memory=1200M"},
                      "cpu=1200 memory=1200000000",
                      1200,
                      1200000000},
        AccountedCase{"PodLevelMemory",
                      {.init = {"i"}, .apps = {"a"}, .pod_level = "memory=1200M"},
                      "memory=1200000000",
                      100,
                      1200000000},
        AccountedCase{
            "PodLevelCpu", {.init = {"i"}, .apps = {"a"}, .pod_level = "cpu=500m"}, "cpu=500", 500, kDefaultMemory},
        AccountedCase{
            "UnsupportedBelowPodLevel",
            {.init = {"i ephemeral-storage=800M"}, .apps = {"a ephemeral-storage=500M"}, .pod_level = "cpu=500m"},
            "cpu=500 ephemeral-storage=800000000",
            500,
            kDefaultMemory},
        AccountedCase{"PodLevelOfUnsupportedOnlyIsNone",
                      {.apps = {"a"}, .pod_level = "ephemeral-storage=1M"},
                      "",
                      100,
                      kDefaultMemory},
        AccountedCase{"PodLevelPresentInOneContainer",
                      {.apps = {"a cpu=300m", "b"}, .pod_level = "memory=1M"},
                      "cpu=300 memory=1000000",
                      300,  // the sum contains cpu, so no container gets a default
                      1000000},
        AccountedCase{"NoPendingResize",
                      {.apps = {"a cpu=500m memory=500M"}, .statuses = {"a cpu=500m memory=500M"}},
                      "cpu=500 memory=500000000",
                      500,
                      500000000},
        AccountedCase{"PodLevelNoPendingResize",
                      {.apps = {"a cpu=500m memory=500M"},
                       .pod_level = "cpu=700m memory=500M",
                       .statuses = {"a cpu=700m memory=500M"},
                       .pod_status = "cpu=500m memory=500M"},
                      "cpu=700 memory=500000000",
                      700,
                      500000000},
        AccountedCase{
            "DeferredResize",
            {.apps = {"a cpu=700m memory=800M"}, .statuses = {"a cpu=500m memory=500M"}, .resize = "Deferred"},
            "cpu=700 memory=800000000",
            700,
            800000000},
        AccountedCase{"PodLevelDeferredResize",
                      {.apps = {"a cpu=500m memory=500M"},
                       .pod_level = "cpu=700m memory=800M",
                       .statuses = {"a cpu=500m memory=500M"},
                       .pod_status = "cpu=500m memory=500M",
                       .resize = "Deferred"},
                      "cpu=700 memory=800000000",
                      700,
                      800000000},
        AccountedCase{
            "InfeasibleResize",
            {.apps = {"a cpu=700m memory=800M"}, .statuses = {"a cpu=500m memory=500M"}, .resize = "Infeasible"},
            "cpu=500 memory=500000000",
            500,
            500000000},
        AccountedCase{"InitNoResize",
                      {.init = {"i cpu=700m memory=800M"},
                       .apps = {"a cpu=500m memory=500M"},
                       .statuses = {"a cpu=500m memory=500M"},
                       .init_statuses = {"i cpu=700m memory=800M"}},
                      "cpu=700 memory=800000000",
                      700,
                      800000000},
        AccountedCase{"SidecarNoResize",
                      {.init = {"i cpu=700m memory=800M", "s:s cpu=700m memory=800M"},
                       .apps = {"a cpu=500m memory=500M"},
                       .statuses = {"a cpu=500m memory=500M"},
                       .init_statuses = {"i cpu=700m memory=800M", "s cpu=700m memory=800M"}},
                      "cpu=1200 memory=1300000000",
                      1200,
                      1300000000}),
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
  EXPECT_EQ(&ResourcesBlockOf(pod->abi.resources), pod->resources.get());
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
    return Spelled(intern, Decoded(intern, text.Json())->resources->Sums(intern, kStatus).amounts);
  };
  EXPECT_EQ(sum({.apps = {"a cpu=1", "b cpu=1"}, .statuses = {"b cpu=5", "c cpu=9"}}), "cpu=6000");
  // the last status with a name is used
  EXPECT_EQ(sum({.apps = {"a cpu=1"}, .statuses = {"a cpu=5", "a cpu=3"}}), "cpu=3000");
  EXPECT_EQ(sum({.apps = {"a cpu=1"}, .statuses = {"a cpu=5"}, .init_statuses = {"a cpu=2"}}), "cpu=2000");
  // A status without resources does not count, even with allocated resources.
  const PodRef pod = Decoded(intern, R"({"spec":{"containers":[{"name":"a","resources":{"requests":{"cpu":"1"}}}]},
      "status":{"containerStatuses":[{"name":"a","allocatedResources":{"cpu":"7"}}]}})");
  EXPECT_EQ(Spelled(intern, pod->resources->Sums(intern, kStatus).amounts), "cpu=1000");
}

TEST(Resources, OnlyTheFirstResizeConditionCounts) {
  InternTables intern;
  const PodRef pod = Decoded(intern, R"({"status":{"conditions":[{"type":"Ready","reason":"Infeasible"},
      {"type":"PodResizePending","reason":"Deferred"},{"type":"PodResizePending","reason":"Infeasible"}]}})");
  EXPECT_FALSE(pod->resources->resize_infeasible);
}

TEST(Resources, ScaledDown) {
  InternTables intern;
  const auto scaled = [&](const PodText& before, const PodText& after) {
    return ScaledDown(intern, *Decoded(intern, before.Json())->resources, *Decoded(intern, after.Json())->resources);
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
      for (uint32_t flags = 0; flags < 8; ++flags) pod->resources->Sums(intern, flags);
      seen[t] = &pod->resources->Sums(intern, kStatus);
      cpu[t] = pod->resources->Accounted(intern).non_zero_cpu_milli;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(seen, std::vector<const RequestSums*>(4, seen[0]));
  EXPECT_EQ(cpu, std::vector<int64_t>(4, 1000));
}

}  // namespace
}  // namespace berth::api
