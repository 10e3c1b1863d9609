// Filter by containers: TestNodeResourceTopologyMultiContainerContainerScope of
// pkg/noderesourcetopology/filter_test.go.
#include "test_fixture.h"

namespace plugins::node_topology {
namespace {

struct Asked {
  int64_t cpus, gigabytes;
  int64_t hugepages_mi = 0, nics = 0;

  Amounts amounts() const {
    Amounts all = {{kCpu, cpus * 1000}, {kMemory, gigabytes * kGiga}};
    if (hugepages_mi > 0) all.emplace_back(kHugepages, hugepages_mi * kMi);
    if (nics > 0) all.emplace_back(kNic, nics);
    return all;
  }
};

struct ContainersCase {
  const char* name;
  std::vector<Asked> init = {};
  std::vector<Asked> app;
  const char* want = "";
};

std::vector<TestNode> OneHost() {
  return {{"host0",
           kContainerSingle,
           {{"node-0", {{kCpu, "30"}, {kMemory, "60Gi"}, {kHugepages, "384Mi"}, {kNic, "16"}}},
            {"node-1", {{kCpu, "32"}, {kMemory, "64Gi"}, {kHugepages, "512Mi"}, {kNic, "32"}}}}}};
}

// Both together exceed an int64.
TEST(FilterPods, HugeAmountsDoNotFit) {
  const FakePod pod = FakePod("pod").Req({{kNic, INT64_MAX}}).Req({{kNic, INT64_MAX}});
  std::vector<TestNode> nodes = OneHost();
  nodes[0].policy = kPodSingle;
  Fixture fixture(nodes);
  EXPECT_EQ(fixture.Filter(pod, "host0"), Wanted(kNoPod));
}

class FilterContainers : public testing::TestWithParam<ContainersCase> {};

TEST_P(FilterContainers, OneNode) {
  FakePod pod("pod");
  for (const Asked& asked : GetParam().init) pod.InitReq(asked.amounts(), asked.amounts());
  for (const Asked& asked : GetParam().app) pod.Req(asked.amounts(), asked.amounts());
  Fixture fixture(OneHost());
  EXPECT_EQ(fixture.Filter(pod, "host0"), Wanted(GetParam().want));
}

INSTANTIATE_TEST_SUITE_P(
    Upstream, FilterContainers,
    testing::Values(
        ContainersCase{.name = "One", .app = {{2, 4}}},
        ContainersCase{.name = "OneWithTooMuchCpu", .app = {{40, 4}}, .want = kNoContainer},
        ContainersCase{.name = "OneWithTooMuchMemory", .app = {{2, 100}}, .want = kNoContainer},
        ContainersCase{.name = "OneWithTooMuchOfBoth", .app = {{40, 100}}, .want = kNoContainer},
        ContainersCase{.name = "OneInEachZone", .app = {{20, 40}, {20, 40}}},
        ContainersCase{.name = "OneInEachZoneWithDevices", .app = {{2, 6, 500, 16}, {2, 6, 50, 8}}},
        ContainersCase{.name = "InitWithTooMuchCpu", .init = {{40, 40}}, .app = {{1, 4}, {1, 4}}, .want = kNoInit},
        ContainersCase{.name = "InitWithTooMuchMemory", .init = {{4, 70}}, .app = {{1, 4}, {1, 4}}, .want = kNoInit},
        ContainersCase{.name = "InitAndOneInEachZone", .init = {{4, 10}}, .app = {{20, 40}, {20, 40}}},
        ContainersCase{
            .name = "ThreeInitsAndThree", .init = {{4, 10}, {4, 10}, {4, 10}}, .app = {{20, 40}, {20, 40}, {6, 10}}},
        ContainersCase{.name = "TheThirdDoesNotFit",
                       .init = {{30, 10}, {30, 10}},
                       .app = {{20, 40}, {20, 40}, {20, 6}},
                       .want = kNoContainer},
        ContainersCase{
            .name = "InitsFitTheOtherDoesNot", .init = {{30, 10}, {30, 10}}, .app = {{35, 40}}, .want = kNoContainer},
        ContainersCase{.name = "TwoInitsAndTwo", .init = {{30, 10}, {30, 10}}, .app = {{20, 40}, {20, 40}}},
        ContainersCase{
            .name = "InitsDoNotAddUpCpu", .init = {{30, 10}, {30, 10}, {30, 10}}, .app = {{20, 40}, {20, 40}, {2, 6}}},
        ContainersCase{
            .name = "InitsDoNotAddUpMemory", .init = {{3, 50}, {3, 50}, {3, 50}}, .app = {{20, 40}, {20, 40}, {2, 6}}},
        ContainersCase{.name = "TheFirstInitDoesNotFit",
                       .init = {{40, 50}, {3, 50}, {3, 50}},
                       .app = {{20, 40}, {2, 6}},
                       .want = kNoInit},
        ContainersCase{.name = "TheSecondInitDoesNotFit",
                       .init = {{20, 50}, {40, 50}, {3, 50}},
                       .app = {{20, 40}, {2, 6}},
                       .want = kNoInit}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(FilterContainersOwn, ASidecarHasAReasonOfItsOwn) {
  const Amounts large = Asked{40, 4}.amounts(), small = Asked{1, 4}.amounts();
  Fixture fixture(OneHost());
  EXPECT_EQ(fixture.Filter(Limited({small}).SidecarReq(large, large), "host0"),
            Refused("cannot align sidecar container"));
}

// TestSubtractResourcesFromNUMANodeList of pkg/noderesourcetopology/numaresources_test.go, seen through a second
// container: it fits if it wants at most what is left.
struct LeftCase {
  const char* name;
  bool guaranteed = true;
  Quantities zone;
  Amounts first, left;  // the first container, and what it leaves
};

class WhatAContainerLeaves : public testing::TestWithParam<LeftCase> {};

TEST_P(WhatAContainerLeaves, ToTheNext) {
  const LeftCase& test = GetParam();
  Fixture fixture({{"node1", kContainerSingle, {{"node-0", test.zone}}, {{"vendor.io/gpu", 9}, {"hugepages-1Gi", 9}}}});
  const auto filter = [&](const Amounts& second) {
    const Amounts none;
    FakePod pod("pod");
    pod.Req(test.first, test.guaranteed ? test.first : none).Req(second, test.guaranteed ? second : none);
    return fixture.Filter(pod, "node1");
  };
  EXPECT_EQ(filter(test.left), Outcome{});
  for (size_t i = 0; i < test.left.size(); ++i) {
    Amounts more = test.left;
    ++more[i].second;
    EXPECT_EQ(filter(more), Refused(kNoContainer)) << more[i].first;
  }
}

constexpr auto kVendorGpu = "vendor.io/gpu", kVendorNic = "vendor.io/nic";

INSTANTIATE_TEST_SUITE_P(
    Upstream, WhatAContainerLeaves,
    testing::Values(LeftCase{.name = "Cores",
                             .zone = {{kCpu, "8"}, {kMemory, "16Gi"}},
                             .first = {{kCpu, 2000}, {kMemory, 4 * kGi}},
                             .left = {{kCpu, 6000}, {kMemory, 12 * kGi}}},
                    LeftCase{.name = "OnlyDevicesOfBurstablePods",
                             .guaranteed = false,
                             .zone = {{kCpu, "8"}, {kMemory, "16Gi"}, {kVendorGpu, "4"}},
                             .first = {{kCpu, 2000}, {kMemory, 4 * kGi}, {kVendorGpu, 2}},
                             .left = {{kVendorGpu, 2}}},
                    LeftCase{.name = "NoHostLevelResources",
                             .zone = {{kCpu, "8"}, {kMemory, "16Gi"}, {kVendorNic, "4"}},
                             .first = {{kCpu, 6000}, {kMemory, 12 * kGi}, {kVendorNic, 2}, {"ephemeral-storage", kGi}},
                             .left = {{kCpu, 2000}, {kMemory, 4 * kGi}, {kVendorNic, 2}}},
                    LeftCase{.name = "NoDeviceWithoutZone",
                             .zone = {{kCpu, "8"}, {kMemory, "16Gi"}},
                             .first = {{kCpu, 4000}, {kMemory, 8 * kGi}, {kVendorGpu, 2}},
                             .left = {{kCpu, 4000}, {kMemory, 8 * kGi}}}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace plugins::node_topology
