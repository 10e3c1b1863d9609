// Pods in JSON and their fingerprints: facts of pkg/noderesourcetopology/{resourcerequests/exclusive,
// cache/foreign_pods,cache/overreserve,cache/store}_test.go.
#include "cache_fixture.h"

#include <string>
#include <utility>
#include <vector>

namespace plugins::node_topology {
namespace {

constexpr auto kFpga = "veryfast.io/fpga";

Topology Listing(const std::vector<std::string>& names) {
  Zone zone{.id = 0, .available = {}, .costs = {}};
  for (const std::string& name : names) zone.available.emplace_back(name, 1);
  return {.manager = {}, .zones = {zone}};
}

PodFacts Read(const TestPod& pod) {
  ReservingCache cache;
  return PodReader(*cache.objects).Read(cache.Kept(ObjectOf(pod)));
}

TestContainer Capped(Quantities amounts, bool init = false, bool sidecar = false) {
  return {.requests = amounts, .limits = amounts, .init = init, .sidecar = sidecar};
}

struct ExclusiveCase {
  const char* name;
  std::vector<TestContainer> containers;
  bool devices, exclusive;
};

const Quantities kCores = {{kCpu, "4"}, {kMemory, "2Gi"}};

class ExclusivePods : public testing::TestWithParam<ExclusiveCase> {};

// Upstream's cases serve two tests: whether a pod has devices is seen in Demand, whether it has exclusive resources in
// its JSON.
TEST_P(ExclusivePods, InJson) {
  const Topology listing = Listing({kFpga});
  EXPECT_EQ(HasExclusive(Read({.name = "pod", .containers = GetParam().containers}), &listing), GetParam().exclusive);
}

TEST_P(ExclusivePods, InDemand) {
  FakePod pod("pod");
  for (const TestContainer& container : GetParam().containers) {
    Amounts amounts;
    for (const auto& [name, amount] : container.requests) amounts.emplace_back(name, 1);
    container.sidecar ? pod.SidecarReq(amounts) : container.init ? pod.InitReq(amounts) : pod.Req(amounts);
  }
  ReservingCache cache;
  const auto built = pod.Build();
  EXPECT_EQ(Demand(cache.host, built->raw(), QosClass::kBurstable).devices(), GetParam().devices);
}

// TestIncludeNonNative and TestAreExclusiveForPod.
INSTANTIATE_TEST_SUITE_P(
    Upstream, ExclusivePods,
    testing::Values(
        ExclusiveCase{.name = "Nothing", .containers = {}, .devices = false, .exclusive = false},
        ExclusiveCase{.name = "Cores", .containers = {Capped(kCores)}, .devices = false, .exclusive = true},
        ExclusiveCase{
            .name = "CoresOfInit", .containers = {Capped(kCores, true)}, .devices = false, .exclusive = false},
        ExclusiveCase{
            .name = "CoresOfSidecar", .containers = {Capped(kCores, true, true)}, .devices = false, .exclusive = true},
        ExclusiveCase{.name = "Devices", .containers = {Capped({{kFpga, "1"}})}, .devices = true, .exclusive = true},
        ExclusiveCase{
            .name = "DevicesOfInit", .containers = {Capped({{kFpga, "1"}}, true)}, .devices = true, .exclusive = false},
        ExclusiveCase{.name = "DevicesOfSidecar",
                      .containers = {Capped({{kFpga, "1"}}, true, true)},
                      .devices = true,
                      .exclusive = true},
        ExclusiveCase{.name = "CoresAndDevices",
                      .containers = {Capped({{kCpu, "8"}, {kMemory, "16Gi"}, {kFpga, "1"}})},
                      .devices = true,
                      .exclusive = true},
        ExclusiveCase{.name = "BurstableCoresAndDevices",
                      .containers = {Capped({{kCpu, "8"}, {kFpga, "1"}})},
                      .devices = true,
                      .exclusive = true},
        ExclusiveCase{
            .name = "BurstableCores", .containers = {Capped({{kCpu, "8"}})}, .devices = false, .exclusive = false}),
    [](const auto& info) { return std::string(info.param.name); });

// TestAreExclusiveForPodNRTScoped.
TEST(ExclusivePodsByTopology, OnlyListedDevices) {
  const PodFacts device = Read({.name = "pod", .containers = {{.requests = {{kFpga, "1"}}}}});
  const PodFacts cores = Read({.name = "pod", .containers = {Capped(kCores)}});
  const Topology with = Listing({kFpga}), without = Listing({});
  EXPECT_TRUE(HasExclusive(device, &with));
  EXPECT_FALSE(HasExclusive(device, &without));
  EXPECT_FALSE(HasExclusive(device, nullptr));
  EXPECT_TRUE(HasExclusive(cores, nullptr));
}

TEST(ExclusivePodsOwn, OnlyWholeCpus) {
  const auto exclusive = [](const Quantities& amounts, const char* qos) {
    return HasExclusive(Read({.name = "pod", .qos = qos, .containers = {{.requests = amounts}}}), nullptr);
  };
  EXPECT_TRUE(exclusive({{kCpu, "2"}}, "Guaranteed"));
  EXPECT_FALSE(exclusive({{kCpu, "1500m"}}, "Guaranteed"));
  EXPECT_FALSE(exclusive({{kCpu, "0"}}, "Guaranteed"));
  EXPECT_TRUE(exclusive({{"hugepages-1Gi", "1Gi"}}, "Guaranteed"));
  EXPECT_FALSE(exclusive({{kMemory, "1Gi"}}, "Burstable"));
  EXPECT_FALSE(exclusive({{kStorage, "1Gi"}}, "Guaranteed"));
}

// The class of pods without status.qosClass.
TEST(ExclusivePodsOwn, TheClassIsComputed) {
  const auto guaranteed = [](const std::vector<TestContainer>& containers) {
    return HasExclusive(Read({.name = "pod", .containers = containers}), nullptr);
  };
  EXPECT_TRUE(guaranteed({Capped(kCores), Capped(kCores)}));
  EXPECT_FALSE(guaranteed({Capped(kCores), {.requests = {}}}));
  EXPECT_FALSE(guaranteed({{.requests = kCores, .limits = {{kCpu, "5"}, {kMemory, "2Gi"}}}}));
  EXPECT_FALSE(guaranteed({{.requests = kCores}}));
}

struct ForeignCase {
  const char* name;
  std::vector<std::string> profiles = {"secondary-scheduler"};
  TestPod pod;
  bool only_exclusive = false;
  Quantities zone = {{kCpu, "8"}};
  bool want = false;
};

class ForeignPods : public testing::TestWithParam<ForeignCase> {};

TEST_P(ForeignPods, MakeANodeStale) {
  std::vector<std::unique_ptr<KnownProfile>> known;
  for (const std::string& name : GetParam().profiles) known.push_back(std::make_unique<KnownProfile>(name));
  ReservingCache cache({.foreign_pods = GetParam().only_exclusive ? "OnlyExclusiveResources" : "All"});
  cache.Report({"random-node", kPodSingle, {{"node-0", GetParam().zone}}});
  cache.cache->NodeCame("random-node", 0);
  cache.Put(GetParam().pod);
  EXPECT_EQ(cache.stale(0), GetParam().want);
}

TestPod On(const char* node, const char* scheduler, std::vector<TestContainer> containers = {}) {
  return {.name = "pod", .node = node, .scheduler = scheduler, .containers = std::move(containers)};
}

// TestIsForeignPod.
INSTANTIATE_TEST_SUITE_P(
    Upstream, ForeignPods,
    testing::Values(
        ForeignCase{.name = "Nothing", .profiles = {}, .pod = On("", "")},
        ForeignCase{.name = "WithoutNode", .pod = On("", "")},
        ForeignCase{.name = "Cores", .pod = On("random-node", "", {Capped(kCores)}), .want = true},
        ForeignCase{.name = "CoresOfInit", .pod = On("random-node", "", {Capped(kCores, true)}), .want = true},
        ForeignCase{.name = "Devices", .pod = On("random-node", "", {Capped({{kFpga, "1"}})}), .want = true},
        ForeignCase{
            .name = "DevicesOfInit", .pod = On("random-node", "", {Capped({{kFpga, "1"}}, true)}), .want = true},
        ForeignCase{.name = "OfTheProfile", .pod = On("random-node", "secondary-scheduler")},
        ForeignCase{.name = "OfOneOfTheProfiles",
                    .profiles = {"secondary-scheduler-A", "secondary-scheduler-B", "fancy-scheduler"},
                    .pod = On("random-node", "secondary-scheduler-B")},
        ForeignCase{.name = "ExclusiveDevice",
                    .pod = On("random-node", "", {{.requests = {{kFpga, "1"}}}}),
                    .only_exclusive = true,
                    .zone = {{kFpga, "1"}},
                    .want = true},
        ForeignCase{.name = "DeviceWithoutZone",
                    .pod = On("random-node", "", {{.requests = {{kFpga, "1"}}}}),
                    .only_exclusive = true}),
    [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(Own, ForeignPods,
                         testing::Values(ForeignCase{.name = "OfOurOwnProfile",
                                                     .pod = On("random-node", "our-profile")},
                                         ForeignCase{.name = "OnAnotherNode", .pod = On("other-node", "")}),
                         [](const auto& info) { return std::string(info.param.name); });

// Vectors of the library's own tests.
TEST(Fingerprints, Known) {
  EXPECT_EQ(FingerprintOf({}), "pfp0v001ef46db3751d8e999");
  EXPECT_EQ(FingerprintOf({{"default", "pod-a"}}), "pfp0v0019131e707ccadb65c");
  EXPECT_EQ(FingerprintOf({{"default", "pod-a"}, {"default", "pod-b"}}), "pfp0v0017628d51feb3f3a36");
  EXPECT_EQ(FingerprintOf({{"default", "pod-b"}, {"default", "pod-a"}}), "pfp0v0017628d51feb3f3a36");
  // Of TestResyncMatchFingerprint.
  EXPECT_EQ(FingerprintOf({{"namespace1", "pod1"}}), "pfp0v0019e0420efb37746c6");
}

// XXH64 of texts of all lengths around its blocks of 4, 8, and 32 bytes, as the reference implementation has them.
TEST(Fingerprints, Xxh64) {
  EXPECT_EQ(Xxh64::Of(""), 0xef46db3751d8e999u);
  EXPECT_EQ(Xxh64::Of("a"), 0xd24ec4f1a98c6e5bu);
  EXPECT_EQ(Xxh64::Of("abc"), 0x44bc2cf5ad770999u);
  EXPECT_EQ(Xxh64::Of("Nobody inspects the spammish repetition"), 0xfbcea83c8a378bf1u);
}

struct CountedCase {
  const char* name;
  std::vector<TestPod> pods;
  bool shared;
  std::vector<std::pair<std::string, std::string>> want;
};

class CountedPods : public testing::TestWithParam<CountedCase> {};

TEST_P(CountedPods, InTheFingerprint) {
  NodePods pods(GetParam().shared);
  for (const TestPod& pod : GetParam().pods) pods.Set(Read(pod));
  EXPECT_EQ(pods.FingerprintOf("node1", nullptr, false), FingerprintOf(GetParam().want));
}

TestPod InPhase(const char* name, const char* phase, const char* ns = "namespace1") {
  return {.name = name, .ns = ns, .node = "node1", .phase = phase};
}

// TestMakeNodeToPodDataMap.
INSTANTIATE_TEST_SUITE_P(
    Upstream, CountedPods,
    testing::Values(
        CountedCase{.name = "NoneShared", .pods = {}, .shared = true, .want = {}},
        CountedCase{.name = "None", .pods = {}, .shared = false, .want = {}},
        CountedCase{.name = "Succeeded",
                    .pods = {InPhase("pod1", "Succeeded")},
                    .shared = false,
                    .want = {{"namespace1", "pod1"}}},
        CountedCase{
            .name = "Failed", .pods = {InPhase("pod1", "Failed")}, .shared = false, .want = {{"namespace1", "pod1"}}},
        CountedCase{.name = "SucceededShared", .pods = {InPhase("pod1", "Succeeded")}, .shared = true, .want = {}},
        CountedCase{.name = "FailedShared", .pods = {InPhase("pod1", "Failed")}, .shared = true, .want = {}},
        CountedCase{
            .name = "Running", .pods = {InPhase("pod1", "Running")}, .shared = false, .want = {{"namespace1", "pod1"}}},
        CountedCase{.name = "RunningShared",
                    .pods = {InPhase("pod1", "Running")},
                    .shared = true,
                    .want = {{"namespace1", "pod1"}}},
        CountedCase{.name = "Three",
                    .pods = {InPhase("pod1", "Running"), InPhase("pod2", "Running", "namespace2"),
                             InPhase("pod3", "Running", "namespace2")},
                    .shared = false,
                    .want = {{"namespace1", "pod1"}, {"namespace2", "pod2"}, {"namespace2", "pod3"}}}),
    [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(Own, CountedPods,
                         testing::Values(CountedCase{
                             .name = "Pending", .pods = {InPhase("pod1", "Pending")}, .shared = false, .want = {}}),
                         [](const auto& info) { return std::string(info.param.name); });

// TestMakeNodeToPodDataMapWithExclusiveResources, and which containers evictions look for.
TEST(CountedPodsExclusive, ByClassAndContainer) {
  const Quantities one = {{kCpu, "1"}, {kMemory, "1Gi"}};
  const auto counted = [&one](const char* qos, bool sidecar, bool shared) {
    NodePods pods(shared);
    TestPod pod = InPhase("pod1", "Running");
    pod.qos = qos;
    pod.containers = {{.requests = one}, {.requests = one, .init = true, .sidecar = sidecar}};
    pods.Set(Read(pod));
    return pods.FingerprintOf("node1", nullptr, true) != FingerprintOf({});
  };
  EXPECT_FALSE(counted("BestEffort", true, true));
  EXPECT_TRUE(counted("Guaranteed", true, true));
  EXPECT_TRUE(counted("Guaranteed", true, false));
  EXPECT_TRUE(counted("Guaranteed", false, true));
}
TEST(CountedPodsExclusive, ByName) {
  const Quantities one = {{kCpu, "1"}, {kMemory, "1Gi"}};
  for (const bool shared : {true, false}) {
    NodePods pods(shared);
    TestPod pod = InPhase("pod1", "Running");
    pod.qos = "Guaranteed";
    pod.containers = {{.requests = one, .name = "app"},
                      {.requests = one, .init = true, .name = "init"},
                      {.requests = one, .sidecar = true, .name = "sidecar"},
                      {.requests = {{kFpga, "1"}}, .name = "other"}};
    pods.Set(Read(pod));
    pods.Set(Read(InPhase("pod2", "Pending")));
    EXPECT_THAT(pods.PinnedOn("node1", Listing({})),
                testing::UnorderedElementsAre(HashOfContainer("namespace1", "pod1", "app"),
                                              HashOfContainer("namespace1", "pod1", "sidecar")));
    EXPECT_EQ(pods.PinnedOn("node1", Listing({kFpga})).size(), 3u);
    EXPECT_THAT(pods.PinnedOn("node2", Listing({})), testing::IsEmpty());
  }
}

}  // namespace
}  // namespace plugins::node_topology
