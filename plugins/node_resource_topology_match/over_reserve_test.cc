// The cache that reserves: facts of pkg/noderesourcetopology/cache/{overreserve,store,attr_watch,cache}_test.go.
#include "over_reserve.h"

#include "cache_fixture.h"

namespace plugins::node_topology {
namespace {

const FakePod kEightCpus = FakePod("pod1").Namespace("namespace1").Req({{kCpu, 8000}, {kMemory, 16 * kGi}});
const FakePod kFourCpus = FakePod("pod2").Namespace("namespace1").Req({{kCpu, 4000}, {kMemory, 8 * kGi}});
const TestPod kRunning = {.name = "pod1", .ns = "namespace1", .node = "node1", .scheduler = "our-profile"};
constexpr auto kFull = "30 cpus, 60 Gi", kLessEight = "22 cpus, 44 Gi";
const std::string kOfRunning = FingerprintOf({{"namespace1", "pod1"}});

ReservingCache& WithNode(ReservingCache& cache) {
  cache.Report(TwoZones("node1"));
  cache.cache->NodeCame("node1", 0);
  return cache;
}
// Less than TwoZones in the second zone: what an agent reports when pod1 runs there.
TestNode Reported(const std::string& fingerprint, const char* cpus = "29") {
  TestNode node = TwoZones("node1", {{kFingerprint, fingerprint}});
  for (TestZone& zone : node.zones) zone.available[0].second = cpus;
  return node;
}
constexpr auto kReported = "29 cpus, 60 Gi";

// TestGetCachedNRTCopyReserve, ...ReleaseNone, ...ReserveRelease.
TEST(OverReserveUpstream, ReserveAndRelease) {
  ReservingCache cache;
  WithNode(cache);
  EXPECT_EQ(cache.Shown(0), kFull);
  cache.Release("node1", kEightCpus);
  EXPECT_EQ(cache.Shown(0), kFull);
  cache.Reserve("node1", kEightCpus);
  EXPECT_EQ(cache.Shown(0), kLessEight);
  cache.Release("node1", kEightCpus);
  EXPECT_EQ(cache.Shown(0), kFull);
}

// TestReserveSkipsWithoutNRT.
TEST(OverReserveUpstream, ANodeWithoutTopologyIsNotReserved) {
  ReservingCache cache;
  WithNode(cache).cache->NodeCame("ghost-node", 1);
  cache.Reserve("ghost-node", kEightCpus);
  EXPECT_FALSE(cache.board->At(1).known);
  EXPECT_EQ(cache.Shown(0), kFull);
  EXPECT_EQ(cache.cache->Save(), "");
}

// TestResourceStoreUpdate: each zone loses what it lists.
TEST(OverReserveUpstream, EachZoneLosesWhatItLists) {
  ReservingCache cache;
  cache.Report(
      {"node",
       kPodSingle,
       {{"node-0", {{kCpu, "20"}, {kMemory, "32Gi"}}}, {"node-1", {{kCpu, "20"}, {kMemory, "32Gi"}, {kNic, "8"}}}}});
  cache.cache->NodeCame("node", 0);
  cache.Reserve(
      "node",
      FakePod("pod-0").Req({{kCpu, 16000}, {kMemory, 4 * kGi}, {kNic, 2}}).Req({{kCpu, 2000}, {kMemory, 2 * kGi}}));
  EXPECT_EQ(cache.board->Dump(), "0 3 1 8, cpu 2000 2000, memory 27917287424 27917287424, vendor/nic1 " +
                                     std::to_string(kUnlisted) + " 6\n");
}

// TestResyncNoPodFingerprint, TestResyncFingerprintMismatchKeepsNodeDirty, TestResyncMatchFingerprint, TestFlush.
TEST(OverReserveUpstream, AReportIsUsedWhenItsFingerprintAgrees) {
  ReservingCache cache;
  WithNode(cache).Reserve("node1", kEightCpus);
  cache.board->Reject(0);
  cache.Put(kRunning);
  for (const std::string& wrong : {std::string(), std::string("pfp0vFFFFdeadbeef000000"), std::string("short")}) {
    cache.Report(Reported(wrong));
    cache.Resync();
    EXPECT_EQ(cache.Shown(0), kLessEight) << wrong;
    EXPECT_TRUE(cache.board->Rejected(0));
  }
  cache.Report(Reported(kOfRunning));
  EXPECT_EQ(cache.Shown(0), kLessEight);  // not before the resync
  cache.Resync();
  EXPECT_EQ(cache.Shown(0), kReported);
  EXPECT_FALSE(cache.board->Rejected(0));
  EXPECT_EQ(cache.cache->Save(), "");
}

// TestDirtyNodesMarkDiscarded, TestGetDesyncedNodesCount: a node that rejected no pod is left alone.
TEST(OverReserveUpstream, ANodeThatRejectsNothingIsLeftAlone) {
  ReservingCache cache;
  WithNode(cache).Reserve("node1", kEightCpus);
  cache.Put(kRunning);
  cache.Report(Reported(kOfRunning));
  cache.Resync();
  EXPECT_EQ(cache.Shown(0), kLessEight);
}

// TestDirtyNodesNotUnmarkedOnReserve, TestResyncReserveInterleaved.
TEST(OverReserveUpstream, AReservationDoesNotEndTheWait) {
  ReservingCache cache;
  WithNode(cache).Reserve("node1", kEightCpus);
  cache.board->Reject(0);
  cache.Put(kRunning);
  cache.Report(Reported("pfp0vFFFFdeadbeef000000"));
  cache.Resync();
  cache.Reserve("node1", kFourCpus);
  EXPECT_TRUE(cache.board->Rejected(0));
  EXPECT_EQ(cache.Shown(0), "18 cpus, 36 Gi");
}

// TestUnknownNodeWithForeignPods, TestNodeWithForeignPods, TestOverreserveGetCachedNRTCopy,
// TestOverresevedGetCachedNRTCopyWithForeignPods.
TEST(OverReserveUpstream, AForeignPodMakesItsNodeStaleUntilAReportAgrees) {
  ReservingCache cache;
  WithNode(cache).Put({.name = "foreign", .node = "node-bogus"});
  EXPECT_EQ(cache.cache->Save(), "");
  const TestPod foreign = {.name = "foreign", .node = "node1"};
  cache.Put(foreign);
  EXPECT_TRUE(cache.stale(0));
  cache.Resync();
  EXPECT_TRUE(cache.stale(0));
  cache.Report(Reported(FingerprintOf({{"default", "foreign"}})));
  EXPECT_TRUE(cache.stale(0));
  cache.Resync();
  EXPECT_FALSE(cache.stale(0));
  EXPECT_EQ(cache.Shown(0), kReported);
  cache.Change(foreign, foreign);
  EXPECT_TRUE(cache.stale(0));
}

// checkGetCachedNRTCopy of cache_test.go.
TEST(OverReserveUpstream, DataOfNodes) {
  ReservingCache cache;
  cache.cache->NodeCame("worker-node-1", 0);
  EXPECT_FALSE(cache.board->At(0).known || cache.stale(0));
  cache.Report(TwoZones("worker-node-1"));
  EXPECT_TRUE(cache.board->At(0).known);
  cache.cache->NodeCame("invalid-node", 1);
  EXPECT_FALSE(cache.board->At(1).known || cache.stale(1));
}

struct WatchCase {
  const char* name;
  TestNode now;
  bool want;  // the report is used without a fingerprint
};

class OverReserveWatch : public testing::TestWithParam<WatchCase> {};

TestNode Configured(const std::string& name, const char* scope, const char* policy, const char* cpus) {
  return {.name = name,
          .zones = {{"node-0", {{kCpu, cpus}, {kMemory, "60Gi"}}}},
          .attributes = {{"topologyManagerScope", scope}, {"topologyManagerPolicy", policy}}};
}

TEST_P(OverReserveWatch, AChangeOfTheKubelet) {
  ReservingCache cache;
  cache.Report(Configured("node-0", "pod", "restricted", "30"));
  cache.cache->NodeCame("node-0", 0);
  cache.Reserve("node-0", kEightCpus);
  cache.Put({.name = "pod1", .ns = "namespace1", .node = "node-0", .scheduler = "our-profile"});
  cache.Report(GetParam().now);
  EXPECT_EQ(cache.Shown(0), kLessEight);
  cache.Resync();
  EXPECT_EQ(cache.Shown(0), GetParam().want ? kReported : kLessEight);
}

// TestWatcherProcessEvent.
INSTANTIATE_TEST_SUITE_P(
    Upstream, OverReserveWatch,
    testing::Values(WatchCase{"AnotherNode", Configured("node-7", "container", "single-numa-node", "29"), false},
                    WatchCase{"Scope", Configured("node-0", "container", "restricted", "29"), true},
                    WatchCase{"Both", Configured("node-0", "container", "single-numa-node", "29"), true}),
    [](const auto& info) { return std::string(info.param.name); });
INSTANTIATE_TEST_SUITE_P(Own, OverReserveWatch,
                         testing::Values(WatchCase{"Nothing", Configured("node-0", "pod", "restricted", "29"), false}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(OverReserveOwn, ScopeOnlyResourcesIgnoresTheKubelet) {
  ReservingCache cache({.resync_scope = "OnlyResources"});
  cache.Report(Configured("node-0", "pod", "restricted", "30"));
  cache.cache->NodeCame("node-0", 0);
  cache.Report(Configured("node-0", "container", "restricted", "29"));
  cache.Resync();
  EXPECT_EQ(cache.Shown(0), kFull);
}

struct FingerprintCase {
  const char* name;
  Texts2 attributes = {};
  const char* annotation = nullptr;
  const char* method = "Autodetect";
  bool all = false, exclusive = false;  // which pods agree with it
};

class OverReserveFingerprint : public testing::TestWithParam<FingerprintCase> {};

const std::string kAll = FingerprintOf({{"default", "core"}, {"default", "plain"}}),
                  kExclusive = FingerprintOf({{"default", "core"}});

// Whether the text is used: with the fingerprint of all pods, and with that of pods with exclusive resources.
bool Used(const FingerprintCase& test, const std::string& fingerprint) {
  ReservingCache cache({.resync_method = test.method});
  WithNode(cache).board->Reject(0);
  cache.Put({.name = "plain", .node = "node1", .scheduler = "our-profile"});
  cache.Put({.name = "core",
             .node = "node1",
             .scheduler = "our-profile",
             .qos = "Guaranteed",
             .containers = {{.requests = {{kCpu, "1"}}}}});
  TestNode node = Reported("");
  node.attributes = test.attributes;
  for (auto& [name, value] : node.attributes) value = value == "right" ? fingerprint : value;
  FakeObject object = TopologyOf(node);
  if (test.annotation != nullptr) {
    const std::string text = test.annotation;
    object.Annotation("topology.node.k8s.io/fingerprint", text == "right" ? fingerprint : text);
  }
  cache.Report(object);
  cache.Resync();
  return cache.Shown(0) == kReported;
}

TEST_P(OverReserveFingerprint, IsRead) {
  EXPECT_EQ(Used(GetParam(), kAll), GetParam().all);
  EXPECT_EQ(Used(GetParam(), kExclusive), GetParam().exclusive);
}

// TestFingerprintFromNRT.
INSTANTIATE_TEST_SUITE_P(
    Upstream, OverReserveFingerprint,
    testing::Values(FingerprintCase{.name = "Nothing"}, FingerprintCase{.name = "NoAnnotation", .attributes = {}},
                    FingerprintCase{.name = "EmptyAnnotation", .annotation = ""},
                    FingerprintCase{.name = "Annotation", .annotation = "right", .all = true},
                    FingerprintCase{.name = "TheAttributeGoesFirst",
                                    .attributes = {{kFingerprint, "right"}},
                                    .annotation = "wrong",
                                    .all = true},
                    FingerprintCase{.name = "Attribute", .attributes = {{kFingerprint, "right"}}, .all = true}),
    [](const auto& info) { return std::string(info.param.name); });

// TestFingerprintMethodFromNRT.
INSTANTIATE_TEST_SUITE_P(
    UpstreamMethod, OverReserveFingerprint,
    testing::Values(
        FingerprintCase{.name = "NoMethod", .attributes = {{kFingerprint, "right"}}, .all = true},
        FingerprintCase{.name = "Unknown", .attributes = {{kFingerprint, "right"}, {kMethod, "foobar"}}, .all = true},
        FingerprintCase{.name = "All", .attributes = {{kFingerprint, "right"}, {kMethod, "all"}}, .all = true},
        FingerprintCase{.name = "Exclusive",
                        .attributes = {{kFingerprint, "right"}, {kMethod, "with-exclusive-resources"}},
                        .exclusive = true}),
    [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Own, OverReserveFingerprint,
    testing::Values(
        FingerprintCase{.name = "MethodAll",
                        .attributes = {{kFingerprint, "right"}, {kMethod, "with-exclusive-resources"}},
                        .method = "All",
                        .all = true},
        FingerprintCase{.name = "MethodExclusive",
                        .attributes = {{kFingerprint, "right"}},
                        .method = "OnlyExclusiveResources",
                        .exclusive = true},
        FingerprintCase{
            .name = "AnnotationsCountAll", .annotation = "right", .method = "OnlyExclusiveResources", .all = true},
        FingerprintCase{
            .name = "AnEmptyAttributeHidesTheAnnotation", .attributes = {{kFingerprint, ""}}, .annotation = "right"}),
    [](const auto& info) { return std::string(info.param.name); });

// ---- What the original does not do.

TEST(OverReserveOwn, ANewTopologyIsUsedAtOnce) {
  ReservingCache cache;
  cache.Put({.name = "foreign", .node = "node2"});
  WithNode(cache).cache->NodeCame("node2", 1);
  cache.Report(TwoZones("node2"));
  EXPECT_EQ(cache.Shown(1), kFull);
  EXPECT_TRUE(cache.stale(1));  // the pod was there first
  EXPECT_FALSE(cache.stale(0));
}

TEST(OverReserveOwn, ADeletedTopologyIsForgotten) {
  ReservingCache cache;
  WithNode(cache).Reserve("node1", kEightCpus);
  cache.Put({.name = "foreign", .node = "node1"});
  cache.Unreport(TwoZones("node1"));
  EXPECT_FALSE(cache.board->At(0).known || cache.stale(0));
  EXPECT_EQ(cache.cache->Save(), "");
}

TEST(OverReserveOwn, ADeletedPodIsNotReservedAnyMore) {
  ReservingCache cache;
  WithNode(cache).Reserve("node1", kEightCpus);
  cache.Put(kRunning);
  TestPod namesake = kRunning;
  namesake.uid = "another";
  cache.Delete(namesake);
  EXPECT_EQ(cache.Shown(0), kLessEight);
  cache.Delete(kRunning);
  EXPECT_EQ(cache.Shown(0), kFull);
}

TEST(OverReserveOwn, ANodeWithoutPodsAgreesWithTheEmptyFingerprint) {
  ReservingCache cache;
  const TestPod foreign = {.name = "foreign", .node = "node1"};
  WithNode(cache).Put(foreign);
  cache.Delete(foreign);
  EXPECT_TRUE(cache.stale(0));
  cache.Report(Reported(FingerprintOf({})));
  cache.Resync();
  EXPECT_FALSE(cache.stale(0));
}

TEST(OverReserveOwn, NothingFallsBelowZero) {
  ReservingCache cache;
  WithNode(cache).Reserve("node1", FakePod("huge").Req({{kCpu, 99000}, {kMemory, kGi}}));
  EXPECT_EQ(cache.Shown(0), "0 cpus, 59 Gi");
  cache.Reserve("node1", kEightCpus);
  cache.Release("node1", FakePod("huge"));
  EXPECT_EQ(cache.Shown(0), kLessEight);
}

TEST(OverReserveOwn, ANodeThatComesBackKeepsItsReservations) {
  ReservingCache cache;
  WithNode(cache).Reserve("node1", kEightCpus);
  cache.cache->NodeLeft("node1");
  EXPECT_FALSE(cache.board->At(0).known);
  cache.cache->NodeCame("node1", 3);
  EXPECT_EQ(cache.Shown(3), kLessEight);
}

// In the original, the report that counts one pod forgets all others.
TEST(OverReserveOwn, APodThatNoReportCountsStaysReserved) {
  ReservingCache cache;
  WithNode(cache).Reserve("node1", kEightCpus);
  cache.Reserve("node1", kFourCpus);
  cache.Put(kRunning);
  TestPod second = {.name = "pod2", .ns = "namespace1", .node = "node1", .scheduler = "our-profile"};
  second.phase = "Pending";
  cache.Put(second);
  cache.board->Reject(0);
  cache.Report(Reported(kOfRunning));
  cache.Resync();
  EXPECT_EQ(cache.Shown(0), "25 cpus, 52 Gi");
  EXPECT_TRUE(cache.cache->TakeImprovement());
  cache.board->Reject(0);
  cache.Resync();
  EXPECT_EQ(cache.Shown(0), "25 cpus, 52 Gi");
  EXPECT_FALSE(cache.cache->TakeImprovement());  // nothing became better
  const TestPod pending = second;
  second.phase = "Running";
  cache.Change(pending, second);
  cache.board->Reject(0);
  cache.Report(Reported(FingerprintOf({{"namespace1", "pod1"}, {"namespace1", "pod2"}})));
  cache.Resync();
  EXPECT_EQ(cache.Shown(0), kReported);
  EXPECT_EQ(cache.cache->Save(), "");
}

TEST(OverReserveOwn, AFinishedPodDoesNotStayReservedForEver) {
  ReservingCache cache({.informer_mode = "Shared"});
  WithNode(cache).Reserve("node1", kEightCpus);
  TestPod finished = kRunning;
  finished.phase = "Succeeded";
  cache.Put(finished);
  cache.board->Reject(0);
  cache.Report(Reported(FingerprintOf({})));
  cache.Resync();
  EXPECT_EQ(cache.Shown(0), kReported);
}

// In the original the names of the report in use count, and no report comes into use any more.
TEST(OverReserveOwn, ANewDeviceIsExclusiveAtOnce) {
  ReservingCache cache;
  const auto report = [&cache](const Quantities& zone, const std::string& fingerprint) {
    cache.Report({.name = "node1",
                  .policy = kPodSingle,
                  .zones = {{"node-0", zone}},
                  .attributes = {{kFingerprint, fingerprint}, {kMethod, "with-exclusive-resources"}}});
  };
  report({{kCpu, "30"}, {kMemory, "60Gi"}}, "");
  cache.cache->NodeCame("node1", 0);
  cache.Put({.name = "pod1",
             .ns = "namespace1",
             .node = "node1",
             .scheduler = "our-profile",
             .containers = {{.requests = {{kNic, "1"}}}}});
  cache.board->Reject(0);
  report({{kCpu, "29"}, {kMemory, "60Gi"}, {kNic, "1"}}, kOfRunning);
  cache.Resync();
  EXPECT_EQ(cache.Shown(0), kReported);
}

TEST(OverReserveOwn, ForeignPodsMayBeIgnored) {
  ReservingCache cache({.foreign_pods = "None"});
  WithNode(cache).Put({.name = "foreign", .node = "node1"});
  EXPECT_FALSE(cache.stale(0));
}

TEST(OverReserveOwn, ManyNodesAreResyncedInParts) {
  ReservingCache cache;
  for (uint32_t row = 0; row < 20; ++row) {
    TestNode node = TwoZones("n" + std::to_string(row), {{kFingerprint, FingerprintOf({})}});
    cache.Report(node);
    cache.cache->NodeCame(node.name, row);
    cache.board->Reject(row);
  }
  int parts = 1;
  while (cache.cache->Resync()) ++parts;
  EXPECT_GT(parts, 2);
  for (uint32_t row = 0; row < 20; ++row) EXPECT_FALSE(cache.board->Rejected(row));
}

TEST(OverReserveOwn, ItsStateIsHandedOver) {
  ReservingCache old, next, other;
  WithNode(old).Reserve("node1", kEightCpus);
  old.Put({.name = "foreign", .node = "node1"});
  old.board->Reject(0);
  EXPECT_EQ(old.cache->Save(), "F node1\nR node1\nP node1 namespace1/pod1 cpu=8000 memory=17179869184\n");
  WithNode(next).cache->Load(old.cache->Save());
  EXPECT_EQ(next.Shown(0), kLessEight);
  EXPECT_TRUE(next.stale(0));
  EXPECT_TRUE(next.board->Rejected(0));
  EXPECT_EQ(next.cache->Save(), old.cache->Save());
  other.cache->Load(old.cache->Save() + "P\nX node1 x\nC node1\n\nP node1 u cpu=1 =\n");  // no node is known
  EXPECT_EQ(other.cache->Save(), "");
}

struct AcceptedForeignPod {
  const TestPod pod = {.name = "foreign", .node = "node1", .containers = {{.requests = {{kNic, "1"}}}}};
  const std::string fingerprint = FingerprintOf({{"default", "foreign"}});
  ReservingCache old;
  std::string state;

  AcceptedForeignPod() {
    WithNode(old).Put(pod);
    old.Report(Reported(fingerprint));
    old.Resync();
    EXPECT_FALSE(old.stale(0));
    state = old.cache->Save();
    EXPECT_EQ(state, "C node1 All\n");
  }
  // As the first sync of an instance: the node, and all pods.
  void Fill(ReservingCache& cache) const {
    WithNode(cache).Put(pod);
    EXPECT_TRUE(cache.stale(0));
  }
};

TEST(OverReserveOwn, ANodeWithAcceptedForeignPodsIsHandedOver) {
  AcceptedForeignPod accepted;
  ReservingCache next;
  accepted.Fill(next);
  next.cache->Load(accepted.state);
  EXPECT_FALSE(next.stale(0));
  EXPECT_EQ(next.cache->Save(), accepted.state);
  next.Report(Reported(accepted.fingerprint));
  next.Resync();
  EXPECT_EQ(next.Shown(0), kFull) << "the node needs no resync";
  next.Put({.name = "another", .node = "node1"});
  EXPECT_TRUE(next.stale(0));
}

// A wait from before the handover, such as for another configuration of the kubelet, goes on.
TEST(OverReserveOwn, AHandoverDoesNotEndTheWaitForAnotherConfiguration) {
  AcceptedForeignPod accepted;
  ReservingCache next;
  accepted.Fill(next);
  TestNode changed = Reported("");
  changed.policy = kPodSingle;
  next.Report(changed);
  next.cache->Load(accepted.state);
  EXPECT_FALSE(next.stale(0));
  next.Resync();
  EXPECT_EQ(next.Shown(0), kReported);
}

TEST(OverReserveOwn, AForeignPodCountsAgainAfterAHandoverThatSaysLess) {
  AcceptedForeignPod accepted;
  struct Case {
    const char* name;
    std::string state;
  };
  for (const Case& c : {Case{.name = "of a version that did not save such nodes", .state = ""},
                        Case{.name = "with fewer foreign pods", .state = "C node1 OnlyExclusiveResources\n"},
                        Case{.name = "of another node", .state = "C node2 All\n"}}) {
    ReservingCache next;
    accepted.Fill(next);
    next.cache->Load(c.state);
    EXPECT_TRUE(next.stale(0)) << c.name;
  }
}

}  // namespace
}  // namespace plugins::node_topology
