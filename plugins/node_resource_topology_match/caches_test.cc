// The plugin with its caches: facts of pkg/noderesourcetopology/cache/{passthrough,discardreserved}_test.go, and the
// way of pods through the extension points.
#include <chrono>

#include "cache_fixture.h"

namespace plugins::node_topology {
namespace {

using std::chrono::seconds;

constexpr auto kInvalid = "invalid node topology data";
constexpr auto kPods = "v1/pods";

FakeValue Discarding() { return FakeValue::Object({{"discardReservedNodes", true}, {"cacheResyncPeriodSeconds", 5}}); }
FakeValue Reserving() { return FakeValue::Object({{"cacheResyncPeriodSeconds", 5}}); }
FakePod Sixteen(const char* name) { return Limited({{{kCpu, 16000}, {kMemory, kGi}}}).Name(name).Uid(name); }

std::vector<TestNode> OneNode() { return {TwoZones("node1")}; }

// checkGetCachedNRTCopy with passthrough, and TestDiscardReservedNodesGetCachedNRTCopy.
TEST(CachePassthrough, KeepsNothing) {
  Fixture fixture(OneNode());
  EXPECT_TRUE(fixture.plugin.Try(Sixteen("a"))->Reserve("node1").ok());
  EXPECT_EQ(fixture.Filter(Sixteen("b"), "node1"), Outcome{});
  EXPECT_EQ(fixture.plugin.Save(), "");
  fixture.plugin.Try(Sixteen("a"))->Unreserve("node1");
  fixture.plugin.Try(Sixteen("a"))->PostBind("node1");
  EXPECT_EQ(fixture.plugin.host().tasks().pending(), 0u);
}

// TestDiscardReservedNodesReserveNodeResources, ...GetNRTCopyFails, ...RemoveReservationForNode.
TEST(CacheDiscardReserved, ANodeWithTravelersIsStale) {
  Fixture fixture(OneNode(), Discarding());
  EXPECT_EQ(fixture.Filter(Sixteen("c"), "node1"), Outcome{});
  fixture.plugin.Try(Sixteen("a"))->Reserve("node1");
  fixture.plugin.Try(Sixteen("b"))->Reserve("node1");
  EXPECT_EQ(fixture.Filter(Sixteen("c"), "node1"), Refused(kInvalid));
  EXPECT_EQ(fixture.Score(Sixteen("c")).at("node1"), 0);
  EXPECT_EQ(fixture.Filter(FakePod("best-effort"), "node1"), Outcome{});
  fixture.plugin.Try(Sixteen("a"))->Unreserve("node1");
  fixture.plugin.host().tasks().Advance();
  EXPECT_EQ(fixture.Filter(Sixteen("c"), "node1"), Refused(kInvalid));
  fixture.plugin.Try(Sixteen("b"))->PostBind("node1");
  fixture.plugin.host().tasks().Advance();
  EXPECT_EQ(fixture.Filter(Sixteen("c"), "node1"), Outcome{});
}

TEST(CacheDiscardReserved, AlsoWithoutTopology) {
  Fixture fixture(std::vector<TestNode>{{.name = "node1", .reported = false}}, Discarding());
  fixture.plugin.Try(Sixteen("a"))->Reserve("node1");
  EXPECT_EQ(fixture.Filter(Sixteen("b"), "node1"), Refused(kInvalid));
}

TEST(CacheDiscardReserved, AnotherInstanceAdoptsTravelers) {
  Fixture fixture(OneNode(), Discarding());
  fixture.plugin.Adopt(Sixteen("a"), "node1", "");
  EXPECT_EQ(fixture.Filter(Sixteen("b"), "node1"), Refused(kInvalid));
  fixture.plugin.Settle(Sixteen("a"), true);
  EXPECT_EQ(fixture.Filter(Sixteen("b"), "node1"), Outcome{});
}

TEST(CacheOverReserve, CountsReservedPodsInEachZone) {
  Fixture fixture(OneNode(), Reserving());
  fixture.plugin.Try(Sixteen("a"))->Reserve("node1");
  EXPECT_EQ(fixture.Filter(Sixteen("b"), "node1"), Refused(kNoContainer));
  fixture.plugin.Try(Sixteen("a"))->PostBind("node1");
  fixture.plugin.host().tasks().Advance();
  EXPECT_EQ(fixture.Filter(Sixteen("b"), "node1"), Refused(kNoContainer));
  fixture.plugin.Try(Sixteen("a"))->Unreserve("node1");
  fixture.plugin.host().tasks().Advance();
  EXPECT_EQ(fixture.Filter(Sixteen("b"), "node1"), Outcome{});
}

TEST(CacheOverReserve, ResyncsRegularly) {
  Fixture fixture(OneNode(), Reserving());
  fixture.plugin.Try(Sixteen("a"))->Reserve("node1");
  EXPECT_EQ(fixture.Filter(Sixteen("b"), "node1"), Refused(kNoContainer));  // marks the node
  const std::string profile = "default-scheduler";                          // of the fake host
  fixture.plugin.Put(kPods, ObjectOf({.name = "a", .node = "node1", .scheduler = profile, .uid = "a"}));
  fixture.Report(TwoZones("node1", {{kFingerprint, FingerprintOf({{"default", "a"}})}}));
  fixture.plugin.host().tasks().Advance(seconds(4));
  EXPECT_EQ(fixture.Filter(Sixteen("b"), "node1"), Refused(kNoContainer));
  fixture.plugin.host().tasks().Advance(seconds(1));
  EXPECT_EQ(fixture.Filter(Sixteen("b"), "node1"), Outcome{});
  fixture.plugin.Put(kPods, ObjectOf({.name = "foreign", .node = "node1"}));
  EXPECT_EQ(fixture.Filter(Sixteen("b"), "node1"), Refused(kInvalid));
  fixture.Report(TwoZones("node1", {{kFingerprint, FingerprintOf({{"default", "a"}, {"default", "foreign"}})}}));
  fixture.plugin.host().tasks().Advance(seconds(5));
  EXPECT_EQ(fixture.Filter(Sixteen("b"), "node1"), Outcome{});
}

TEST(CacheOverReserve, AnotherInstanceContinues) {
  Fixture old(OneNode(), Reserving()), next(OneNode(), Reserving());
  old.plugin.Try(Sixteen("a"))->Reserve("node1");
  ASSERT_TRUE(next.plugin.LoadState("1.0.0", old.plugin.Save()).ok());
  next.plugin.Adopt(Sixteen("a"), "node1", "");
  EXPECT_EQ(next.Filter(Sixteen("b"), "node1"), Refused(kNoContainer));
  next.plugin.Settle(Sixteen("unknown"), false);
  next.plugin.Settle(Sixteen("a"), false);
  EXPECT_EQ(next.Filter(Sixteen("b"), "node1"), Outcome{});
}

TEST(CacheOverReserve, ABoundPodStaysReservedAfterAHandover) {
  Fixture fixture(OneNode(), Reserving());
  fixture.plugin.Adopt(Sixteen("a"), "node1", "");
  fixture.plugin.Settle(Sixteen("a"), true);
  EXPECT_EQ(fixture.Filter(Sixteen("b"), "node1"), Refused(kNoContainer));
}

// In the original they wait for the next event, or for five minutes.
TEST(CacheOverReserve, RejectedPodsAreTriedAgainWhenAReportComesIntoUse) {
  Fixture fixture(OneNode(), Reserving());
  auto& tasks = fixture.plugin.host().tasks();
  fixture.plugin.Put(kPods, ObjectOf({.name = "foreign", .node = "node1"}));
  for (const char* name : {"a", "b", "c", "d"}) EXPECT_EQ(fixture.Filter(Sixteen(name), "node1"), Refused(kInvalid));
  EXPECT_EQ(fixture.Filter(FakePod("best-effort"), "node1"), Outcome{});
  fixture.plugin.Try(Sixteen("b"))->Reserve("node2");
  fixture.plugin.Put(kPods, ObjectOf({.name = "c", .uid = "c"}));
  fixture.plugin.Delete(kPods, "c", "default");
  tasks.Advance(seconds(5));
  EXPECT_THAT(tasks.activated(), testing::IsEmpty());
  fixture.Report(TwoZones("node1", {{kFingerprint, FingerprintOf({{"default", "foreign"}})}}));
  tasks.Advance(seconds(5));
  EXPECT_THAT(tasks.activated(), testing::UnorderedElementsAre("a", "d"));
  tasks.Advance(seconds(5));
  EXPECT_EQ(tasks.activated().size(), 2u);
}

// If the cache requeued pods for a report that is in use already, the attempts would never end.
TEST(CacheOverReserve, WithoutChangesNothingIsDue) {
  Fixture fixture(OneNode(), Reserving());
  auto& tasks = fixture.plugin.host().tasks();
  fixture.Report(TwoZones("node1", {{kFingerprint, FingerprintOf({})}}));
  tasks.Advance(seconds(5));
  EXPECT_EQ(tasks.pending(), 0u);
  const FakePod large = Limited({{{kCpu, 99000}, {kMemory, kGi}}}).Name("large").Uid("large");
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(fixture.Filter(large, "node1"), Refused(kNoContainer));
    EXPECT_EQ(tasks.pending(), 1u);
    tasks.Advance(seconds(5));
    EXPECT_EQ(tasks.pending(), 0u);
    EXPECT_THAT(tasks.activated(), testing::IsEmpty());
  }
}

// TestGetForeignPodsDetectMode, TestGetCacheResyncMethod: nothing means All and Autodetect; other modes are kept.
TEST(CacheArgsRead, ModesAndTheirDefaults) {
  PluginUnderTest plugin(berth_entry_v1, "NodeResourceTopologyMatch");
  const auto mode = [&plugin](const char* key, const char* value) {
    FakeValue cache = FakeValue::Object({});
    if (value != nullptr) cache.Set(key, value);
    const std::string json = plugin.Complete(FakeValue::Object({{"cache", cache}})).json;
    const size_t start = json.find(std::string("\"") + key + "\":\"") + std::string(key).size() + 4;
    return json.substr(start, json.find('"', start) - start);
  };
  EXPECT_EQ(mode("foreignPodsDetect", nullptr), "All");
  for (const char* value : {"All", "None", "OnlyExclusiveResources"})
    EXPECT_EQ(mode("foreignPodsDetect", value), value);
  EXPECT_EQ(mode("resyncMethod", nullptr), "Autodetect");
  for (const char* value : {"All", "Autodetect", "OnlyExclusiveResources"})
    EXPECT_EQ(mode("resyncMethod", value), value);
  EXPECT_EQ(mode("informerMode", nullptr), "Dedicated");
}

}  // namespace
}  // namespace plugins::node_topology
