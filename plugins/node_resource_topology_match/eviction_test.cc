// Evictions in trials: facts of pkg/noderesourcetopology/{preemption/preemption,filter_preemption,prefilter}_test.go
// and of test/integration/noderesourcetopology_preemption_test.go.
#include "eviction.h"

#include <chrono>
#include <optional>

#include "cache_fixture.h"
#include "placement_fixture.h"

namespace plugins::node_topology {
namespace {

using std::chrono::seconds;

constexpr auto kA = "example-device.com/deviceA", kB = "example-device.com/deviceB";
constexpr auto kNobodyPlaced =
    "eviction simulation in NRT is not possible:no resources to add, cannot process eviction simulation";
constexpr auto kTooMuch =
    "eviction simulation in NRT is not possible:resource release request exceeds NUMA allocatable";

// Ten containers in two zones, without the one at 2.
std::vector<Affinity> TenContainers() {
  return {{"ns-a", "pod-0", "c0", 0},   {"ns-a", "pod-0", "c1", 0},   {"ns-a", "pod-0", "c3", 0},
          {"ns-a", "pod-a-1", "c0", 0}, {"ns-a", "pod-a-2", "c0", 0}, {"ns-b", "pod-0", "c0", 1},
          {"ns-b", "pod-0", "c1", 1},   {"ns-b", "pod-0", "c3", 1},   {"ns-b", "pod-1", "c0", 1},
          {"ns-b", "pod-2", "c0", 1}};
}

struct Leaving {
  FakePod pod;
  QosClass qos;
};
struct EvictionCase {
  const char* name;
  std::vector<Leaving> victims;
  bool placed = true;
  Misfit want = Misfit::kNone;
  std::vector<int64_t> zones = {1000, 100 * kMi, 1, kUnlisted, 1000, 100 * kMi, kUnlisted, 2};  // cpu, memory, A, B
};

class Evictions : public testing::TestWithParam<EvictionCase> {};

struct TwoDeviceZones {
  FakeHost fake;
  berth::sdk::Host host{fake.raw()};
  std::unique_ptr<Board> board;

  explicit TwoDeviceZones(bool placed) {
    host.Connect();
    board = std::make_unique<Board>(host, false, true);
    Topology topology;
    topology.zones = {
        {0, {{kCpu, 1000}, {kMemory, 100 * kMi}, {kA, 1}}, {}, {10000, 500 * kMi, 8}},
        {1, {{kCpu, 1000}, {kMemory, 100 * kMi}, {kB, 2}}, {}, {10000, 500 * kMi, 8}},
    };
    for (const Affinity& one : TenContainers()) {
      if (placed) topology.placement.push_back({one.hash(), one.zone});
    }
    std::sort(topology.placement.begin(), topology.placement.end(),
              [](const Placed& a, const Placed& b) { return a.container < b.container; });
    board->Set(3, topology);
  }
};

TEST_P(Evictions, FreeZones) {
  TwoDeviceZones node(GetParam().placed);
  Victims victims;
  std::vector<std::shared_ptr<const PodObject>> kept;
  for (const Leaving& leaving : GetParam().victims) {
    kept.push_back(leaving.pod.Build());
    victims.Add(node.host, kept.back()->raw(), leaving.qos);
  }
  const auto asks = FakePod("all").Req({{kCpu, 1}, {kMemory, 1}, {kA, 1}, {kB, 1}}).Build();
  Demand demand(node.host, asks->raw(), QosClass::kGuaranteed);
  demand.ReadZones(*node.board);
  RowZones zones(*node.board, demand);
  zones.Load(3);
  EXPECT_EQ(Eviction(*node.board, demand, &victims).Apply(3, zones), GetParam().want);
  std::vector<int64_t> cells;
  constexpr uint32_t kByName[] = {0, 3, 1, 2};  // cpu, memory, device A, device B
  for (uint32_t zone = 0; zone < 2; ++zone) {
    for (const uint32_t resource : kByName) cells.push_back(zones.Cells(resource)[zone]);
  }
  if (GetParam().want == Misfit::kNone) {
    EXPECT_EQ(cells, GetParam().zones);
  }
}

FakePod Pod0(const char* ns, const char* name) { return FakePod(name).Namespace(ns).Uid(std::string(ns) + name); }
const Amounts kCoresAndMemory = {{kCpu, 1000}, {kMemory, 100 * kMi}};
Amounts Plus(Amounts amounts, const char* name, int64_t amount) {
  amounts.emplace_back(name, amount);
  return amounts;
}
std::vector<Leaving> Mixed() {
  return {{Pod0("ns-a", "pod-0")
               .Req(Plus(kCoresAndMemory, kA, 1))
               .Req(Plus(kCoresAndMemory, kA, 2))
               .Req(kCoresAndMemory)
               .Req(Plus(kCoresAndMemory, kA, 1)),
           QosClass::kBurstable},
          {Pod0("ns-b", "pod-1").Req({{kB, 3}}), QosClass::kBestEffort},
          {Pod0("ns-b", "pod-2").Req({{kB, 3}, {kCpu, 2000}, {kMemory, 100 * kMi}}), QosClass::kGuaranteed}};
}

// TestGetNRTPostPodsEviction.
INSTANTIATE_TEST_SUITE_P(
    Upstream, Evictions,
    testing::Values(
        EvictionCase{.name = "NoVictims", .victims = {}},
        EvictionCase{.name = "NoPlacement",
                     .victims = {{Pod0("", "pod-0").Req(Plus(kCoresAndMemory, kA, 1)), QosClass::kGuaranteed}},
                     .placed = false},
        EvictionCase{.name = "NothingExclusive",
                     .victims = {{Pod0("", "pod-0").Req({}), QosClass::kBestEffort}},
                     .want = Misfit::kNothingToAdd},
        EvictionCase{.name = "Mixed",
                     .victims = Mixed(),
                     .zones = {1000, 100 * kMi, 5, kUnlisted, 3000, 200 * kMi, kUnlisted, 8}},
        EvictionCase{.name = "UnknownVictim",
                     .victims = {{Pod0("ns-a", "newpod").Req(Plus(kCoresAndMemory, kA, 1)), QosClass::kGuaranteed}},
                     .want = Misfit::kNothingToAdd},
        EvictionCase{.name = "TooMuch",
                     .victims = {{Pod0("ns-a", "pod-0").Req({{kCpu, 15000}, {kMemory, 100 * kMi}, {kA, 20}}),
                                  QosClass::kGuaranteed}},
                     .want = Misfit::kTooMuchToAdd},
        EvictionCase{
            .name = "NoContainersPlaced", .victims = {{Pod0("", "pod-0"), QosClass::kBestEffort}}, .placed = false}),
    [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Own, Evictions,
    testing::Values(
        EvictionCase{.name = "ThePartOfACpuIsShared",
                     .victims = {{Pod0("ns-a", "pod-0").Req({{kCpu, 1500}, {kA, 1}}), QosClass::kGuaranteed}},
                     .zones = {1000, 100 * kMi, 2, kUnlisted, 1000, 100 * kMi, kUnlisted, 2}},
        EvictionCase{.name = "ADeviceThatNoZoneLists",
                     .victims = {{Pod0("ns-a", "pod-0").Req({{"example.com/other", 1}}), QosClass::kBestEffort}},
                     .want = Misfit::kNothingToAdd},
        // The zone of the container does not list the device, but the other one does.
        EvictionCase{.name = "ADeviceOfAnotherZone",
                     .victims = {{Pod0("ns-a", "pod-0").Req({{kB, 1}}), QosClass::kBestEffort}}},
        EvictionCase{.name = "UpToTheLimit",
                     .victims = {{Pod0("ns-a", "pod-0").Req({{kA, 7}}), QosClass::kBestEffort}},
                     .zones = {1000, 100 * kMi, 8, kUnlisted, 1000, 100 * kMi, kUnlisted, 2}},
        EvictionCase{.name = "TogetherTooMuch",
                     .victims = {{Pod0("ns-a", "pod-0").Req({{kA, 4}}).Req({{kA, 4}}), QosClass::kBestEffort}},
                     .want = Misfit::kTooMuchToAdd},
        EvictionCase{
            .name = "HugeAmounts",
            .victims = {{Pod0("ns-a", "pod-0").Req({{kA, INT64_MAX}}).Req({{kA, INT64_MAX}}), QosClass::kBestEffort}},
            .want = Misfit::kTooMuchToAdd},
        EvictionCase{.name = "InitContainersAreOver",
                     .victims = {{Pod0("ns-a", "pod-0").InitReq({{kA, 1}}).Req({{kA, 2}}), QosClass::kBestEffort}},
                     .zones = {1000, 100 * kMi, 3, kUnlisted, 1000, 100 * kMi, kUnlisted, 2}}),
    [](const auto& info) { return std::string(info.param.name); });

// ---- The plugin.

constexpr auto kBusy = "node-preempt";
const FakePod kVictim = Limited({{{kCpu, 4000}, {kMemory, kGi}}}).Name("victim").Uid("victim");
const FakePod kPreemptor = Limited({{{kCpu, 4000}, {kMemory, kGi}}}).Name("preemptor").Uid("preemptor");

FakeValue PreemptionArgs(const char* mode, int period = 5, bool discard = false) {
  return FakeValue::Object(
      {{"cacheResyncPeriodSeconds", period}, {"discardReservedNodes", discard}, {"preemptionMode", mode}});
}

// Its first zone belongs to the victim.
TestNode BusyNode(bool placed) {
  const Quantities allocatable = {{kCpu, "4"}, {kMemory, "8Gi"}};
  TestNode node{.name = kBusy,
                .policy = kContainerSingle,
                .zones = {{.name = "node-0", .available = {{kCpu, "0"}, {kMemory, "7Gi"}}, .allocatable = allocatable},
                          {.name = "node-1", .available = {{kCpu, "2"}, {kMemory, "8Gi"}}, .allocatable = allocatable}},
                .more = {},
                .attributes = {{kFingerprint, FingerprintOf({{"default", "victim"}})}}};
  return placed ? With(node, Encoded(2, {{"default", "victim", "c0", 0}})) : node;
}

struct EvictionRig {
  Fixture fixture;

  explicit EvictionRig(const FakeValue& args, bool placed = true) : fixture({BusyNode(placed)}, args) {
    fixture.plugin.cluster().Add(kVictim, kBusy);
    const Quantities amounts = {{kCpu, "4"}, {kMemory, "1Gi"}};
    fixture.plugin.Put(kPods, ObjectOf({.name = "victim",
                                        .node = kBusy,
                                        .scheduler = "default-scheduler",
                                        .uid = "victim",
                                        .containers = {{.requests = amounts, .limits = amounts, .name = "c0"}}}));
    EXPECT_EQ(fixture.Filter(kPreemptor, kBusy), Refused(kNoContainer));  // the node is looked at again
    fixture.plugin.host().tasks().Advance(seconds(5));
  }
  Outcome Without(const std::vector<FakePod>& victims, const FakePod& pod = kPreemptor, bool pre_filter = true) {
    const auto attempt = fixture.plugin.Try(pod);
    if (pre_filter) attempt->PreFilter();
    const auto trial = attempt->Trial();
    for (const FakePod& victim : victims) trial->RemovePod(victim, kBusy);
    return trial->Filter().nodes.at(kBusy);
  }
  size_t pending() { return fixture.plugin.host().tasks().pending(); }

 private:
  static constexpr auto kPods = "v1/pods";
};

// TestFilter_PreemptionFlow.
TEST(EvictionTrials, OfTheOriginal) {
  EvictionRig rig(PreemptionArgs("Enabled"));
  EXPECT_EQ(rig.pending(), 0u);
  EXPECT_EQ(rig.Without({kVictim}), Outcome{});
  const FakePod unknown = Limited({{{kCpu, 4000}, {kMemory, kGi}}}).Namespace("ns-2").Name("victim2").Uid("victim2");
  EXPECT_EQ(rig.Without({unknown}), Refused(kNobodyPlaced));
  const FakePod large = Limited({{{kCpu, 8000}, {kMemory, kGi}}}).Name("too-large").Uid("too-large");
  EXPECT_EQ(rig.Without({kVictim}, large), Refused(kNoContainer));
  EXPECT_EQ(rig.pending(), 0u);  // a trial does not mark the node
  EXPECT_EQ(rig.Without({}), Refused(kNoContainer));
  EXPECT_EQ(rig.pending(), 1u);
  EXPECT_EQ(EvictionRig(PreemptionArgs("Disabled")).Without({}), Refused(kNoContainer));
  EXPECT_EQ(EvictionRig(PreemptionArgs("Disabled")).Without({kVictim}), Refused(kNoContainer));
  EXPECT_EQ(EvictionRig(PreemptionArgs("Enabled"), false).Without({kVictim}), Refused(kNoContainer));
}

TEST(EvictionTrials, MoreThanTheZoneHas) {
  EvictionRig rig(PreemptionArgs("Enabled"));
  const FakePod larger = Limited({{{kCpu, 5000}, {kMemory, kGi}}}).Name("victim").Uid("victim");
  EXPECT_EQ(rig.Without({larger}), Refused(kTooMuch));
}

struct CacheCase {
  const char* name;
  FakeValue args;
  bool placed = true, pre_filter = true;
  bool want = false;
};

class EvictionCaches : public testing::TestWithParam<CacheCase> {};

TEST_P(EvictionCaches, FreeZones) {
  EvictionRig rig(GetParam().args, GetParam().placed);
  EXPECT_EQ(rig.Without({kVictim}, kPreemptor, GetParam().pre_filter),
            GetParam().want ? Outcome{} : Refused(kNoContainer));
}

// TestTopologyMatchPreemption, without its two cases about priorities, which are not the plugin's.
INSTANTIATE_TEST_SUITE_P(
    Upstream, EvictionCaches,
    testing::Values(CacheCase{.name = "OverReserve", .args = PreemptionArgs("Enabled"), .want = true},
                    CacheCase{.name = "Disabled", .args = PreemptionArgs("Disabled")},
                    CacheCase{.name = "NoPlacement", .args = PreemptionArgs("Enabled"), .placed = false},
                    CacheCase{.name = "NoPreFilter", .args = PreemptionArgs("Enabled"), .pre_filter = false},
                    CacheCase{.name = "Passthrough", .args = PreemptionArgs("Enabled", 0)},
                    CacheCase{.name = "DiscardReserved", .args = PreemptionArgs("Enabled", 5, true)}),
    [](const auto& info) { return std::string(info.param.name); });

// TestClone, TestPreFilter, TestRemovePod, TestAddPod, TestAddPod_EmptyStack, TestGetPods, TestGetVictimPods.
TEST(EvictionVictims, ComeAndGo) {
  EvictionRig rig(PreemptionArgs("Enabled"));
  const FakePod other = FakePod("other").Uid("other").Req({{kCpu, 100}});
  const auto attempt = rig.fixture.plugin.Try(kPreemptor);
  EXPECT_TRUE(attempt->PreFilter().ok());
  const auto trial = attempt->Trial();
  const auto verdict = [&trial] { return trial->Filter().nodes.at(kBusy); };
  EXPECT_TRUE(trial->AddPod(other, kBusy).ok());
  EXPECT_EQ(verdict(), Refused(kNoContainer));
  EXPECT_TRUE(trial->RemovePod(kVictim, kBusy).ok());
  EXPECT_TRUE(trial->RemovePod(other, kBusy).ok());
  EXPECT_EQ(verdict(), Outcome{});
  EXPECT_TRUE(trial->AddPod(kVictim, kBusy).ok());
  EXPECT_EQ(verdict(), Refused(kNobodyPlaced));
  EXPECT_TRUE(trial->AddPod(other, kBusy).ok());
  EXPECT_EQ(verdict(), Refused(kNoContainer));
  EXPECT_EQ(attempt->Filter().nodes.at(kBusy), Refused(kNoContainer));  // trials are copies
}

// TestRemovePod_WithoutPreFilter, TestAddPod_WithoutPreFilter, TestAddRemovePod_PreemptionDisabled.
TEST(EvictionVictims, WithoutPreFilter) {
  EvictionRig on(PreemptionArgs("Enabled")), off(PreemptionArgs("Disabled"));
  const auto attempt = on.fixture.plugin.Try(kPreemptor);
  EXPECT_EQ(attempt->RemovePod(kVictim, kBusy), (Outcome{BERTH_ERROR, {"not found"}}));
  EXPECT_EQ(attempt->AddPod(kVictim, kBusy), (Outcome{BERTH_ERROR, {"not found"}}));
  const auto disabled = off.fixture.plugin.Try(kPreemptor);
  EXPECT_TRUE(disabled->RemovePod(kVictim, kBusy).ok());
  EXPECT_TRUE(disabled->AddPod(kVictim, kBusy).ok());
}

// The placement came to be known, so preemption may help now.
TEST(EvictionVictims, RejectedPodsAreTriedAgainWithThePlacement) {
  EvictionRig rig(PreemptionArgs("Enabled"));
  EXPECT_THAT(rig.fixture.plugin.host().tasks().activated(), testing::ElementsAre("preemptor"));
}

}  // namespace
}  // namespace plugins::node_topology
