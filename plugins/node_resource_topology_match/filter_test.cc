// Filter with the policy single-numa-node: facts of pkg/noderesourcetopology/filter_test.go.
#include "test_fixture.h"

namespace plugins::node_topology {
namespace {

constexpr auto kNoNic = "vendor/notexistingnic", kOldNic = "vendor.com/old-nic-model", kExtended = "namespace/extended";

std::vector<TestNode> FiveNodes() {
  const std::vector<TestZone> large = {{"node-0", {{kCpu, "4"}, {kMemory, "8Gi"}, {kNic, "10"}}},
                                       {"node-1", {{kCpu, "8"}, {kMemory, "8Gi"}, {kNic, "10"}}}};
  const std::vector<TestZone> small = {{"node-0", {{kCpu, "2"}, {kMemory, "4Gi"}, {kNic, "5"}}},
                                       {"node-1", {{kCpu, "4"}, {kMemory, "4Gi"}, {kNic, "2"}}}};
  std::vector<TestZone> huge = small, bad = small;
  for (TestZone& zone : huge) zone.available.emplace_back(kHugepages, "128Mi");
  bad[1].name = "node-75";
  return {{"large", kContainerSingle, large},
          {"huge", kContainerSingle, huge, {{kOldNic, 4}}},
          {"small", kPodSingle, small},
          {"bad", kPodSingle, bad},
          {"extended", kContainerSingle, large, {{kExtended, 1}}}};
}

struct FilterCase {
  const char* name;
  std::vector<Amounts> containers;
  Amounts limits = {};     // none: equal to the requests
  bool no_limits = false;  // the pod has no limits
  const char* node;
  const char* want = "";
};

FakePod PodOf(const FilterCase& test) {
  FakePod pod("pod");
  for (const Amounts& requests : test.containers) {
    if (test.no_limits) {
      pod.Req(requests);
    } else {
      pod.Req(requests, test.limits.empty() ? requests : test.limits);
    }
  }
  return pod;
}

class FilterTopology : public testing::TestWithParam<FilterCase> {};

TEST_P(FilterTopology, OneNode) {
  Fixture fixture(FiveNodes());
  EXPECT_EQ(fixture.Filter(PodOf(GetParam()), GetParam().node), Wanted(GetParam().want));
}

// TestNodeResourceTopology, the class BestEffort. Where upstream's name says so, the pod is Burstable in fact.
INSTANTIATE_TEST_SUITE_P(
    BestEffort, FilterTopology,
    testing::Values(
        FilterCase{.name = "Nothing", .containers = {}, .node = "large"},
        FilterCase{.name = "DevicesPod", .containers = {{{kNic, 5}}}, .node = "small"},
        FilterCase{.name = "TooManyDevicesPod", .containers = {{{kNic, 20}}}, .node = "small", .want = kNoPod},
        FilterCase{.name = "DevicesContainer", .containers = {{{kNic, 5}}}, .node = "huge"},
        FilterCase{
            .name = "TooManyDevicesContainer", .containers = {{{kNic, 20}}}, .node = "large", .want = kNoContainer},
        FilterCase{.name = "DevicesAndExtended", .containers = {{{kExtended, 1}, {kNic, 10}}}, .node = "extended"},
        FilterCase{.name = "CpuAndTooManyDevicesContainer",
                   .containers = {{{kCpu, 3000}, {kMemory, 3 * kGi}, {kNic, 11}}},
                   .limits = {{kCpu, 4000}, {kMemory, 4 * kGi}, {kNic, 11}},
                   .node = "huge",
                   .want = kNoContainer},
        FilterCase{.name = "CpuAndTooManyDevicesPod",
                   .containers = {{{kCpu, 1000}, {kMemory, kGi}, {kNic, 6}}},
                   .limits = {{kCpu, 2000}, {kMemory, 2 * kGi}, {kNic, 6}},
                   .node = "small",
                   .want = kNoPod},
        FilterCase{.name = "CpuAndDevicesPod",
                   .containers = {{{kCpu, 1000}, {kMemory, kGi}, {kNic, 5}}},
                   .limits = {{kCpu, 2000}, {kMemory, 2 * kGi}, {kNic, 5}},
                   .node = "small"},
        FilterCase{.name = "TooMuchCpuAndDevicesPod",
                   .containers = {{{kCpu, 19000}, {kMemory, 5 * kGi}, {kNic, 5}}},
                   .limits = {{kCpu, 20000}, {kMemory, 6 * kGi}, {kNic, 5}},
                   .node = "small"},
        FilterCase{.name = "CpuAndDevicesContainer",
                   .containers = {{{kCpu, 3000}, {kMemory, 3 * kGi}, {kNic, 5}}},
                   .limits = {{kCpu, 4000}, {kMemory, 4 * kGi}, {kNic, 5}},
                   .node = "huge"},
        FilterCase{.name = "TooMuchCpuAndDevicesContainer",
                   .containers = {{{kCpu, 5000}, {kMemory, 5 * kGi}, {kNic, 5}}},
                   .limits = {{kCpu, 6000}, {kMemory, 6 * kGi}, {kNic, 5}},
                   .node = "huge"}),
    [](const auto& info) { return std::string(info.param.name); });

// TestNodeResourceTopology, the class Burstable.
INSTANTIATE_TEST_SUITE_P(
    Burstable, FilterTopology,
    testing::Values(
        FilterCase{.name = "Cpu", .containers = {{{kCpu, 4000}, {kNic, 3}}}, .node = "huge"},
        FilterCase{.name = "CpuAndTooManyDevicesContainer",
                   .containers = {{{kCpu, 4000}, {kNic, 11}}},
                   .node = "huge",
                   .want = kNoContainer},
        FilterCase{.name = "CpuAndTooManyDevicesPod",
                   .containers = {{{kCpu, 2000}, {kNic, 6}}},
                   .node = "small",
                   .want = kNoPod},
        FilterCase{.name = "CpuAndDevicesPod", .containers = {{{kCpu, 2000}, {kNic, 5}}}, .node = "small"},
        FilterCase{.name = "TooMuchCpuPod", .containers = {{{kCpu, 20000}, {kNic, 5}}}, .node = "small"},
        FilterCase{.name = "CpuAndDevicesContainer", .containers = {{{kCpu, 2000}, {kNic, 5}}}, .node = "huge"},
        FilterCase{.name = "TooMuchCpuContainer", .containers = {{{kCpu, 4000}, {kNic, 5}}}, .node = "huge"},
        FilterCase{.name = "MemoryAndTooManyDevicesContainer",
                   .containers = {{{kMemory, 2 * kGi}, {kNic, 11}}},
                   .node = "huge",
                   .want = kNoContainer},
        FilterCase{.name = "MemoryAndTooManyDevicesPod",
                   .containers = {{{kMemory, 2 * kGi}, {kNic, 6}}},
                   .node = "small",
                   .want = kNoPod},
        FilterCase{.name = "MemoryPod", .containers = {{{kMemory, 2 * kGi}, {kNic, 5}}}, .node = "small"},
        FilterCase{.name = "TooMuchMemoryPod", .containers = {{{kMemory, 5 * kGi}, {kNic, 5}}}, .node = "small"},
        FilterCase{.name = "MemoryContainer", .containers = {{{kMemory, 4 * kGi}, {kNic, 5}}}, .node = "huge"},
        FilterCase{.name = "TooMuchMemoryContainer", .containers = {{{kMemory, 5 * kGi}, {kNic, 5}}}, .node = "huge"},
        FilterCase{.name = "BothAndTooManyDevicesContainer",
                   .containers = {{{kCpu, 4000}, {kMemory, 4 * kGi}, {kNic, 11}}},
                   .no_limits = true,
                   .node = "huge",
                   .want = kNoContainer},
        FilterCase{.name = "BothAndTooManyDevicesPod",
                   .containers = {{{kCpu, 2000}, {kMemory, 2 * kGi}, {kNic, 6}}},
                   .no_limits = true,
                   .node = "small",
                   .want = kNoPod},
        FilterCase{.name = "BothPod",
                   .containers = {{{kCpu, 2000}, {kMemory, 2 * kGi}, {kNic, 5}}},
                   .no_limits = true,
                   .node = "small"},
        FilterCase{.name = "TooMuchOfBothPod",
                   .containers = {{{kCpu, 20000}, {kMemory, 5 * kGi}, {kNic, 5}}},
                   .no_limits = true,
                   .node = "small"},
        FilterCase{.name = "BothContainer",
                   .containers = {{{kCpu, 4000}, {kMemory, 4 * kGi}, {kNic, 5}}},
                   .no_limits = true,
                   .node = "huge"},
        FilterCase{.name = "TooMuchOfBothContainer",
                   .containers = {{{kCpu, 5000}, {kMemory, 5 * kGi}, {kNic, 5}}},
                   .no_limits = true,
                   .node = "huge"},
        FilterCase{.name = "Extended", .containers = {{{kExtended, 1}, {kCpu, 4000}, {kNic, 3}}}, .node = "extended"}),
    [](const auto& info) { return std::string(info.param.name); });

const Amounts kThreeCpus = {{kCpu, 3000}, {kMemory, kGi}, {kNoNic, 0}};
const Amounts kOneCpu = {{kCpu, 1000}, {kMemory, kGi}, {kNoNic, 0}};

// TestNodeResourceTopology, the class Guaranteed.
INSTANTIATE_TEST_SUITE_P(
    Guaranteed, FilterTopology,
    testing::Values(
        FilterCase{.name = "ExtendedAndDevices",
                   .containers = {{{kCpu, 2000}, {kMemory, 2 * kGi}, {kExtended, 1}, {kNic, 3}}},
                   .node = "extended"},
        FilterCase{
            .name = "Extended", .containers = {{{kCpu, 2000}, {kMemory, 2 * kGi}, {kExtended, 1}}}, .node = "extended"},
        FilterCase{.name = "Minimal", .containers = {{{kCpu, 2000}, {kMemory, 2 * kGi}}}, .node = "large"},
        FilterCase{.name = "WholeZone", .containers = {{{kCpu, 8000}, {kMemory, 8 * kGi}}}, .node = "large"},
        FilterCase{.name = "NoneOfAMissingResource",
                   .containers = {{{kCpu, 2000}, {kMemory, 2 * kGi}, {kHugepages, 0}, {kNic, 3}}},
                   .node = "large"},
        FilterCase{.name = "Devices", .containers = {{{kCpu, 2000}, {kMemory, 2 * kGi}, {kNic, 3}}}, .node = "huge"},
        FilterCase{.name = "Hugepages",
                   .containers = {{{kCpu, 2000}, {kMemory, 2 * kGi}, {kHugepages, 64 * kMi}, {kNic, 3}}},
                   .node = "huge"},
        FilterCase{.name = "TooManyHugepages",
                   .containers = {{{kCpu, 2000}, {kMemory, 2 * kGi}, {kHugepages, 256 * kMi}, {kNic, 3}}},
                   .node = "huge",
                   .want = kNoContainer},
        FilterCase{.name = "TooMuchCpu",
                   .containers = {{{kCpu, 9000}, {kMemory, kGi}, {kNic, 3}}},
                   .node = "large",
                   .want = kNoContainer},
        FilterCase{.name = "NoneOfAMissingDevice",
                   .containers = {{{kCpu, 2000}, {kMemory, kGi}, {kNoNic, 0}}},
                   .node = "large"},
        FilterCase{.name = "TooMuchForAPod",
                   .containers = {kThreeCpus, kThreeCpus, kThreeCpus},
                   .node = "small",
                   .want = kNoPod},
        FilterCase{.name = "MinimalPod", .containers = {{{kCpu, 1000}, {kMemory, kGi}}}, .node = "small"},
        FilterCase{.name = "WholeZonePod", .containers = {{{kCpu, 2000}, {kMemory, 4 * kGi}}}, .node = "bad"},
        FilterCase{.name = "ThreeContainers", .containers = {kOneCpu, kOneCpu, kOneCpu}, .node = "small"},
        FilterCase{
            .name = "AZoneThatDoesNotCount", .containers = {kOneCpu, kOneCpu, kOneCpu}, .node = "bad", .want = kNoPod},
        FilterCase{.name = "DeviceWithoutZone",
                   .containers = {{{kCpu, 2000}, {kMemory, 2 * kGi}, {kHugepages, 64 * kMi}, {kOldNic, 3}}},
                   .node = "huge"},
        FilterCase{.name = "StorageWithoutZone",
                   .containers = {{{kCpu, 2000}, {kMemory, 2 * kGi}, {kStorage, 100 * kMi}}},
                   .node = "huge"}),
    [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(Own, FilterTopology,
                         testing::Values(FilterCase{.name = "ADeviceThatTheNodeLacks",
                                                    .containers = {{{kCpu, 1000}, {kMemory, kGi}, {kNoNic, 1}}},
                                                    .node = "large",
                                                    .want = kNoContainer},
                                         FilterCase{.name = "HugepagesThatTheNodeLacks",
                                                    .containers = {{{kCpu, 1000}, {kMemory, kGi}, {kHugepages, kMi}}},
                                                    .node = "large",
                                                    .want = kNoContainer},
                                         FilterCase{.name = "ThousandthsOfACpu",
                                                    .containers = {{{kCpu, 8001}, {kMemory, kGi}}},
                                                    .node = "large",
                                                    .want = kNoContainer},
                                         FilterCase{.name = "EachInItsZone",
                                                    .containers = {{{kCpu, 4000}, {kMemory, kGi}},
                                                                   {{kCpu, 8000}, {kMemory, kGi}}},
                                                    .node = "large"},
                                         FilterCase{.name = "TheFirstTakesTheLowestZoneThatFits",
                                                    .containers = {{{kCpu, 5000}, {kMemory, kGi}},
                                                                   {{kCpu, 4000}, {kMemory, kGi}},
                                                                   {{kCpu, 4000}, {kMemory, kGi}}},
                                                    .node = "large",
                                                    .want = kNoContainer},
                                         FilterCase{.name = "DevicesAreTakenFromBurstablePodsToo",
                                                    .containers = {{{kNic, 10}}, {{kNic, 10}}, {{kNic, 1}}},
                                                    .node = "large",
                                                    .want = kNoContainer}),
                         [](const auto& info) { return std::string(info.param.name); });

struct PodScopeCase {
  const char* name;
  std::vector<Amounts> containers;
  const char* want = "";
};

class FilterPodScope : public testing::TestWithParam<PodScopeCase> {};

TEST_P(FilterPodScope, OneNode) {
  Fixture fixture({{"host0",
                    kPodSingle,
                    {{"node-0", {{kCpu, "30"}, {kMemory, "60Gi"}, {kHugepages, "384Mi"}, {kNic, "16"}}},
                     {"node-1", {{kCpu, "32"}, {kMemory, "64Gi"}, {kHugepages, "512Mi"}, {kNic, "32"}}}}}});
  EXPECT_EQ(fixture.Filter(Limited(GetParam().containers), "host0"), Wanted(GetParam().want));
}

// TestNodeResourceTopologyMultiContainerPodScope.
INSTANTIATE_TEST_SUITE_P(
    Upstream, FilterPodScope,
    testing::Values(
        PodScopeCase{.name = "FitsOneZone",
                     .containers = {{{kCpu, 2000}, {kMemory, 2 * kGi}},
                                    {{kCpu, 4000}, {kMemory, 8 * kGi}},
                                    {{kCpu, 26000}, {kMemory, 32 * kGi}, {kHugepages, 512 * kMi}, {kNic, 26}}}},
        PodScopeCase{.name = "TooMuchCpu",
                     .containers = {{{kCpu, 2000}, {kMemory, 2 * kGi}},
                                    {{kCpu, 8000}, {kMemory, 8 * kGi}},
                                    {{kCpu, 26000}, {kMemory, 26 * kGi}, {kHugepages, 52 * kMi}, {kNic, 26}}},
                     .want = kNoPod},
        PodScopeCase{.name = "TooMuchMemory",
                     .containers = {{{kCpu, 2000}, {kMemory, 4 * kGi}},
                                    {{kCpu, 4000}, {kMemory, 16 * kGi}},
                                    {{kCpu, 26000}, {kMemory, 52 * kGi}, {kHugepages, 52 * kMi}, {kNic, 26}}},
                     .want = kNoPod},
        PodScopeCase{.name = "TooManyHugepages",
                     .containers = {{{kCpu, 2000}, {kMemory, 2 * kGi}},
                                    {{kCpu, 4000}, {kMemory, 8 * kGi}},
                                    {{kCpu, 26000}, {kMemory, 32 * kGi}, {kHugepages, 3328 * kMi}, {kNic, 26}}},
                     .want = kNoPod},
        PodScopeCase{.name = "TooManyDevices",
                     .containers = {{{kCpu, 2000}, {kMemory, 2 * kGi}},
                                    {{kCpu, 4000}, {kMemory, 8 * kGi}},
                                    {{kCpu, 26000}, {kMemory, 26 * kGi}, {kHugepages, 52 * kMi}, {kNic, 52}}},
                     .want = kNoPod}),
    [](const auto& info) { return std::string(info.param.name); });

// An amount of 0 in the node's allocatable still says that the node knows the resource.
TEST(FilterTopologyOwn, ANodeWithNoneOfAResourceKnowsIt) {
  TestNode node{"node1", kContainerSingle, {{"node-0", {{kCpu, "4"}, {kMemory, "8Gi"}}}}, {{kNic, 0}}};
  Fixture fixture({node});
  EXPECT_EQ(fixture.Filter(Limited({{{kCpu, 1000}, {kMemory, kGi}, {kNic, 1}}}), "node1"), Outcome{});
}

TEST(FilterTopologyOwn, OtherPoliciesRejectNothing) {
  for (const char* policy : {"", kContainerBestEffort, kPodBestEffort, "RestrictedPodLevel", "unknown"}) {
    Fixture fixture({{"node1", policy, {{"node-0", {{kCpu, "1"}, {kMemory, "1Gi"}}}}}});
    EXPECT_EQ(fixture.Filter(Limited({{{kCpu, 9000}, {kMemory, kGi}}}), "node1"), Outcome{}) << policy;
  }
}

TEST(FilterTopologyOwn, AttributesSetThePolicy) {
  Fixture fixture({{.name = "node1",
                    .zones = {{"node-0", {{kCpu, "1"}, {kMemory, "1Gi"}}}},
                    .attributes = {{"topologyManagerPolicy", "single-numa-node"}, {"topologyManagerScope", "pod"}}}});
  EXPECT_EQ(fixture.Filter(Limited({{{kCpu, 9000}, {kMemory, kGi}}}), "node1"), Refused(kNoPod));
}

TEST(FilterTopologyOwn, ANodeWithoutTopologyFits) {
  Fixture fixture({{.name = "node1", .zones = {{"node-0", {{kCpu, "1"}, {kMemory, "1Gi"}}}}, .reported = false}});
  EXPECT_EQ(fixture.Filter(Limited({{{kCpu, 9000}, {kMemory, kGi}}}), "node1"), Outcome{});
}

TEST(FilterTopologyOwn, ANodeWithoutZonesFitsNothingThatNeedsOne) {
  Fixture fixture(std::vector<TestNode>{{.name = "node1", .policy = kPodSingle, .zones = {}}});
  EXPECT_EQ(fixture.Filter(Limited({{{kCpu, 1000}, {kMemory, kGi}}}), "node1"), Refused(kNoPod));
  EXPECT_EQ(fixture.Filter(FakePod("pod").Req({{kStorage, 1}}), "node1"), Outcome{});
}

// Init containers count with their largest, and the overhead of the pod is added.
TEST(FilterTopologyOwn, APodCountsItsInitContainersAndOverhead) {
  Fixture fixture({{"node1", kPodSingle, {{"node-0", {{kCpu, "4"}, {kMemory, "8Gi"}}}}}});
  const Amounts two = {{kCpu, 2000}, {kMemory, kGi}}, four = {{kCpu, 4000}, {kMemory, kGi}};
  EXPECT_TRUE(fixture.Filter(Limited({two, two}).InitReq(four, four), "node1").ok());
  EXPECT_TRUE(fixture.Filter(Limited({two, two}).SidecarReq(four, four), "node1").ok());
  EXPECT_TRUE(fixture.Filter(Limited({two}).Overhead({{kCpu, 2000}}), "node1").ok());
  EXPECT_EQ(fixture.Filter(Limited({two}).InitReq(four, four).Overhead({{kCpu, 1}}), "node1"), Refused(kNoPod));
}

TEST(FilterTopologyOwn, APodWithoutExclusiveResourcesIsSkipped) {
  Fixture fixture(FiveNodes());
  EXPECT_EQ(fixture.plugin.Try(FakePod("pod"))->PreFilter().code, BERTH_SKIP);
  EXPECT_EQ(fixture.plugin.Try(FakePod("pod").Req({{kStorage, 1}}))->PreFilter().code, BERTH_SKIP);
  EXPECT_EQ(fixture.plugin.Try(FakePod("pod").InitReq({{kNic, 0}}))->PreFilter().code, BERTH_SUCCESS);
  EXPECT_EQ(fixture.plugin.Try(FakePod("pod").Req({{kCpu, 1}}))->PreFilter().code, BERTH_SUCCESS);
}

}  // namespace
}  // namespace plugins::node_topology
