#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <berth/testing/plugin_under_test.hpp>

#include "berth/entry.h"

namespace {

using namespace berth::sdk::testing;  // NOLINT: tests use the fake host's names
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kClaims = "v1/persistentvolumeclaims";
constexpr const char* kVolumes = "v1/persistentvolumes";
constexpr const char* kClasses = "storage.k8s.io/v1/storageclasses";
constexpr const char* kDrivers = "storage.k8s.io/v1/csidrivers";
constexpr const char* kCapacities = "storage.k8s.io/v1/csistoragecapacities";

const Outcome kFits;
Outcome Never(Texts reasons) { return {BERTH_UNRESOLVABLE, std::move(reasons)}; }
const char* const kAffinity = "node(s) didn't match PersistentVolume's node affinity";
const char* const kNoVolume = "node(s) didn't find available persistent volumes to bind";
const char* const kNoRoom = "node(s) did not have enough free storage";
const char* const kGone = "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)";

// A claim of 5Gi of class wait.
FakeObject Claim(const char* name, const std::string& size = "5Gi", const std::string& more = "") {
  return FakeObject(name, "default")
      .Spec(R"({"storageClassName":"wait","accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":")" +
            size + R"("}})" + more + "}");
}
FakeObject Bound(const char* name, const char* volume) {
  return FakeObject(name, "default")
      .Spec(std::string(R"({"storageClassName":"wait","volumeName":")") + volume + R"("})")
      .Annotation("pv.kubernetes.io/bind-completed", "yes");
}
std::string InZone(const std::string& zone) {
  return R"("nodeAffinity":{"required":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"zone","operator":"In","values":[")" +
         zone + R"("]}]}]}})";
}
FakeObject Volume(const char* name, const std::string& size = "10Gi", const std::string& zone = "",
                  const std::string& more = "") {
  return FakeObject(name)
      .Spec(R"({"storageClassName":"wait","accessModes":["ReadWriteOnce","ReadOnlyMany"],"capacity":{"storage":")" +
            size + "\"}" + (zone.empty() ? "" : "," + InZone(zone)) + more + "}")
      .Status(R"({"phase":"Available"})");
}
FakePod User(const char* claim = "claim") { return FakePod("p").ClaimVolume(claim); }

class VolumeBinding : public testing::Test {
 protected:
  VolumeBinding() {
    plugin_.cluster().Add(FakeNode("a").Label("zone", "a")).Add(FakeNode("b").Label("zone", "b"));
    plugin_
        .Put(kClasses, FakeObject("wait")
                           .Set("volumeBindingMode", "WaitForFirstConsumer")
                           .Set("provisioner", "kubernetes.io/no-provisioner"))
        .Put(kClasses, FakeObject("now").Set("volumeBindingMode", "Immediate").Set("provisioner", "example.org/disk"))
        .Put(kClasses, FakeObject("nomode").Set("provisioner", "example.org/disk"))
        .Put(
            kClasses,
            FakeObject("make").Set("volumeBindingMode", "WaitForFirstConsumer").Set("provisioner", "example.org/disk"));
  }
  void Start() { ASSERT_TRUE(plugin_.Start().ok()); }
  std::map<std::string, Outcome> Filter(const FakePod& pod) {
    auto attempt = plugin_.Try(pod);
    EXPECT_TRUE(attempt->PreFilter().ok());
    return attempt->Filter().nodes;
  }
  Outcome PreFilter(const FakePod& pod) { return plugin_.Try(pod)->PreFilter(); }

  PluginUnderTest plugin_{berth_entry_v1, "VolumeBinding"};
};

// ---- PreFilter: TestVolumeBinding's cases and podHasPVCs.

TEST_F(VolumeBinding, APodWithoutClaimsIsSkipped) {
  Start();
  EXPECT_EQ(PreFilter(FakePod("p")).code, BERTH_SKIP);
  auto attempt = plugin_.Try(FakePod("p"));
  EXPECT_EQ(attempt->PreFilter().code, BERTH_SKIP);
  EXPECT_TRUE(attempt->Reserve("a").ok());
  EXPECT_EQ(attempt->PreFlight("a").code, BERTH_SKIP);
}

TEST_F(VolumeBinding, ClaimsThatKeepThePodFromEveryNode) {
  plugin_.Put(kClaims, FakeObject("now", "default").Spec(R"({"storageClassName":"now"})"))
      .Put(kClaims, FakeObject("none", "default").Spec("{}"))
      .Put(kClaims, FakeObject("nomode", "default").Spec(R"({"storageClassName":"nomode"})"))
      .Put(kClaims, FakeObject("half", "default").Spec(R"({"storageClassName":"wait","volumeName":"v"})"))
      .Put(kClaims, Bound("lost", "v").Status(R"({"phase":"Lost"})"))
      .Put(kClaims, Claim("going").Merge(R"({"metadata":{"deletionTimestamp":"2026-01-01T00:00:00Z"}})"))
      .Put(kClaims, Claim("p-scratch"));
  Start();
  EXPECT_EQ(PreFilter(User("x")), Never({"persistentvolumeclaim \"x\" not found"}));
  EXPECT_EQ(PreFilter(User("now")), Never({"pod has unbound immediate PersistentVolumeClaims"}));
  EXPECT_EQ(PreFilter(User("none")), Never({"pod has unbound immediate PersistentVolumeClaims"}));
  EXPECT_EQ(PreFilter(User("half")), Never({"pod has unbound immediate PersistentVolumeClaims"}));
  EXPECT_EQ(PreFilter(User("nomode")),
            (Outcome{BERTH_ERROR, {"VolumeBindingMode not set for StorageClass \"nomode\""}}));
  EXPECT_EQ(PreFilter(User("lost")),
            Never({"persistentvolumeclaim \"lost\" bound to non-existent persistentvolume \"v\""}));
  EXPECT_EQ(PreFilter(User("going")), Never({"persistentvolumeclaim \"going\" is being deleted"}));
  EXPECT_EQ(PreFilter(FakePod("p").Volume({BERTH_VOLUME_EPHEMERAL, "other"})),
            Never({"waiting for ephemeral volume controller to create the persistentvolumeclaim \"p-other\""}));
  EXPECT_EQ(PreFilter(FakePod("p").Volume({BERTH_VOLUME_EPHEMERAL, "scratch"})),
            Never({"PVC default/p-scratch was not created for pod default/p (pod is not owner)"}));
}

// ---- Filter

TEST_F(VolumeBinding, BoundVolumesReachTheirNodesOnly) {
  plugin_.Put(kVolumes, Volume("in-a", "10Gi", "a"))
      .Put(kVolumes, Volume("anywhere"))
      .Put(kClaims, Bound("claim", "in-a"))
      .Put(kClaims, Bound("free", "anywhere"))
      .Put(kClaims, Bound("gone", "x"));
  Start();
  EXPECT_EQ(Filter(User()), (std::map<std::string, Outcome>{{"a", kFits}, {"b", Never({kAffinity})}}));
  EXPECT_EQ(Filter(User("free")), (std::map<std::string, Outcome>{{"a", kFits}, {"b", kFits}}));
  EXPECT_EQ(Filter(User("gone")), (std::map<std::string, Outcome>{{"a", Never({kGone})}, {"b", Never({kGone})}}));
}

TEST_F(VolumeBinding, AWaitingClaimNeedsAVolumeThatFits) {
  plugin_.Put(kVolumes, Volume("in-a", "10Gi", "a"))
      .Put(kVolumes, Volume("small", "1Gi", "b"))
      .Put(kClaims, Claim("claim"))
      .Put(kClaims, Claim("large", "20Gi"))
      .Put(kClaims, Claim("block", "1Gi", R"(,"volumeMode":"Block")"))
      .Put(kClaims, Claim("picky", "1Gi", R"(,"selector":{"matchLabels":{"speed":"high"}})"));
  Start();
  const std::map<std::string, Outcome> nowhere = {{"a", Never({kNoVolume})}, {"b", Never({kNoVolume})}};
  EXPECT_EQ(Filter(User()), (std::map<std::string, Outcome>{{"a", kFits}, {"b", Never({kNoVolume})}}));
  EXPECT_EQ(Filter(User("large")), nowhere);
  EXPECT_EQ(Filter(User("block")), nowhere);
  EXPECT_EQ(Filter(User("picky")), nowhere);
}

TEST_F(VolumeBinding, TwoClaimsNeedTwoVolumes) {
  plugin_.Put(kVolumes, Volume("one", "10Gi")).Put(kClaims, Claim("claim")).Put(kClaims, Claim("second"));
  Start();
  EXPECT_EQ(Filter(User().ClaimVolume("second")).at("a"), Never({kNoVolume}));
  plugin_.Put(kVolumes, Volume("two", "5Gi"));
  EXPECT_EQ(Filter(User().ClaimVolume("second")).at("a"), kFits);
}

TEST_F(VolumeBinding, AVolumeThatNamesTheClaimIsTheOnlyOne) {
  plugin_.Put(kVolumes, Volume("in-a", "10Gi", "a", R"(,"claimRef":{"namespace":"default","name":"claim"})"))
      .Put(kVolumes, Volume("in-b", "10Gi", "b"))
      .Put(kVolumes, Volume("theirs", "5Gi", "", R"(,"claimRef":{"namespace":"x","name":"claim"})"))
      .Put(kClaims, Claim("claim"));
  Start();
  EXPECT_EQ(Filter(User()), (std::map<std::string, Outcome>{{"a", kFits}, {"b", Never({kNoVolume})}}));
}

TEST_F(VolumeBinding, AProvisionerMakesVolumesWhereItsClassAllows) {
  plugin_
      .Put(kClasses, FakeObject("zoned")
                         .Set("volumeBindingMode", "WaitForFirstConsumer")
                         .Set("provisioner", "example.org/disk")
                         .Merge(R"({"allowedTopologies":[{"matchLabelExpressions":[{"key":"zone","values":["b"]}]}]})"))
      .Put(kClaims, Claim("claim").Merge(R"({"spec":{"storageClassName":"make"}})"))
      .Put(kClaims, Claim("zoned").Merge(R"({"spec":{"storageClassName":"zoned"}})"))
      .Put(kClaims, Claim("chosen")
                        .Merge(R"({"spec":{"storageClassName":"make"}})")
                        .Annotation("volume.kubernetes.io/selected-node", "b"));
  Start();
  EXPECT_EQ(Filter(User()), (std::map<std::string, Outcome>{{"a", kFits}, {"b", kFits}}));
  EXPECT_EQ(Filter(User("zoned")), (std::map<std::string, Outcome>{{"a", Never({kNoVolume})}, {"b", kFits}}));
  EXPECT_EQ(Filter(User("chosen")), (std::map<std::string, Outcome>{{"a", Never({kNoVolume})}, {"b", kFits}}));
}

TEST_F(VolumeBinding, ADriverWithAReportedCapacityMustHaveEnough) {
  const auto capacity = [](const char* name, const char* zone, const std::string& limit) {
    return FakeObject(name, "kube-system")
        .Set("storageClassName", "make")
        .Merge(R"({"nodeTopology":{"matchLabels":{"zone":")" + std::string(zone) + R"("}},)" + limit + "}");
  };
  plugin_.Put(kDrivers, FakeObject("example.org/disk").Spec(R"({"storageCapacity":true})"))
      .Put(kCapacities, capacity("a", "a", R"("capacity":"50Gi")"))
      .Put(kCapacities, capacity("b", "b", R"("capacity":"50Gi","maximumVolumeSize":"1Gi")"))
      .Put(kClaims, Claim("claim").Merge(R"({"spec":{"storageClassName":"make"}})"));
  Start();
  EXPECT_EQ(Filter(User()), (std::map<std::string, Outcome>{{"a", kFits}, {"b", Never({kNoRoom})}}));
}

// ---- Reserve and PreBind

TEST_F(VolumeBinding, AVolumeIsAssumedWrittenAndWaitedFor) {
  plugin_.Put(kVolumes, Volume("large", "10Gi").Version("7"))
      .Put(kVolumes, Volume("snug", "6Gi").Version("8"))
      .Put(kClaims, Claim("claim").Uid("claim-uid").Version("9"));
  Start();
  auto attempt = plugin_.Try(User());
  ASSERT_TRUE(attempt->PreFilter().ok());
  ASSERT_TRUE(attempt->Filter().ok());
  ASSERT_TRUE(attempt->Reserve("a").ok());
  // The smaller volume is not available to the next pod with its own claim.
  plugin_.Put(kClaims, Claim("next"));
  EXPECT_EQ(Filter(User("next")).at("a"), kFits);
  ASSERT_TRUE(attempt->PreFlight("a").ok());
  plugin_.host().api().AnswersBy([](const FakeRequest&) { return FakeReply{}; });
  const auto call = attempt->StartPreBind("a");
  plugin_.host().api().Deliver();
  plugin_.host().tasks().Advance();
  ASSERT_FALSE(call.ended());
  const auto requests = plugin_.host().api().requests();
  ASSERT_EQ(requests.size(), 1u);
  EXPECT_EQ(requests[0].Line(), "PATCH persistentvolumes/snug");
  EXPECT_THAT(requests[0].body, HasSubstr(R"("resourceVersion":"8")"));
  EXPECT_THAT(requests[0].body, HasSubstr(R"("pv.kubernetes.io/bound-by-controller":"yes")"));
  EXPECT_THAT(requests[0].body, HasSubstr(R"("uid":"claim-uid")"));
  plugin_.Put(kClaims, Bound("claim", "snug").Uid("claim-uid").Version("10"));
  plugin_.host().tasks().Advance();
  ASSERT_TRUE(call.ended());
  EXPECT_EQ(call.outcome(), Outcome{});
}

TEST_F(VolumeBinding, WaitsForAProvisionedClaimUntilTheTimeout) {
  plugin_.Args(FakeValue::Object({{"bindTimeoutSeconds", 30}}));
  plugin_.Put(kClaims, Claim("claim").Merge(R"({"spec":{"storageClassName":"make"}})").Version("9"));
  Start();
  auto attempt = plugin_.Try(User());
  ASSERT_TRUE(attempt->PreFilter().ok());
  ASSERT_TRUE(attempt->Reserve("b").ok());
  // The assumption is visible to other pods: another pod with the claim fits only on b.
  EXPECT_EQ(Filter(User()), (std::map<std::string, Outcome>{{"a", Never({kNoVolume})}, {"b", kFits}}));
  plugin_.host().api().AnswersBy([](const FakeRequest&) { return FakeReply{}; });
  const auto call = attempt->StartPreBind("b");
  plugin_.host().api().Deliver();
  plugin_.host().tasks().Advance(std::chrono::seconds(29));
  EXPECT_FALSE(call.ended());
  plugin_.host().tasks().Advance(std::chrono::seconds(2));
  ASSERT_TRUE(call.ended());
  EXPECT_EQ(call.outcome(), (Outcome{BERTH_ERROR, {"binding volumes: context deadline exceeded"}}));
  attempt->Unreserve("b");
  // The server has the same state of the claim.
  EXPECT_EQ(Filter(User()), (std::map<std::string, Outcome>{{"a", Never({kNoVolume})}, {"b", kFits}}));
}

TEST_F(VolumeBinding, AProvisionerThatGivesUpEndsTheWait) {
  plugin_.Put(kClaims, Claim("claim").Merge(R"({"spec":{"storageClassName":"make"}})").Version("9"));
  Start();
  auto attempt = plugin_.Try(User());
  ASSERT_TRUE(attempt->PreFilter().ok());
  ASSERT_TRUE(attempt->Reserve("b").ok());
  plugin_.host().api().AnswersBy([](const FakeRequest&) { return FakeReply{}; });
  const auto call = attempt->StartPreBind("b");
  plugin_.host().api().Deliver();
  plugin_.host().tasks().Advance();
  ASSERT_FALSE(call.ended());
  plugin_.Put(kClaims,
              Claim("claim").Merge(R"({"spec":{"storageClassName":"make"}})").Annotation("x", "y").Version("11"));
  ASSERT_TRUE(call.ended());
  EXPECT_EQ(call.outcome(), (Outcome{BERTH_ERROR, {"binding volumes: provisioning failed for PVC \"claim\""}}));
}

TEST_F(VolumeBinding, ARefusedWriteRevertsTheAssumptions) {
  plugin_.Put(kVolumes, Volume("v", "10Gi", "a").Version("7")).Put(kClaims, Claim("claim").Version("9"));
  Start();
  auto attempt = plugin_.Try(User());
  ASSERT_TRUE(attempt->PreFilter().ok());
  ASSERT_TRUE(attempt->Reserve("a").ok());
  plugin_.host().api().AnswersBy(
      [](const FakeRequest&) { return FakeReply::Conflict("the object has been modified"); });
  EXPECT_EQ(attempt->PreBind("a"), (Outcome{BERTH_ERROR, {"the object has been modified"}}));
  attempt->Unreserve("a");
  plugin_.Put(kClaims, Claim("next"));
  EXPECT_EQ(Filter(User("next")).at("a"), kFits);
}

// ---- hints: TestIsSchedulableAfter*

TEST_F(VolumeBinding, Hints) {
  Start();
  const std::vector<FakePod> pods = {User(), FakePod("q").Volume({BERTH_VOLUME_EPHEMERAL, "scratch"}),
                                     FakePod("r").Volume({BERTH_VOLUME_CSI, "driver"})};
  const auto hints = [&](uint32_t interest, std::optional<FakeObject> before, FakeObject now) {
    FakeEvent event{.resource = "x", .interest = interest, .new_value = now.document()};
    if (before) event.old_value = before->document();
    return plugin_.Hints(event, pods).queue;
  };
  const auto all = ElementsAre(true, true, true), none = ElementsAre(false, false, false);
  const auto merged = [](const char* json) { return FakeObject("driver").Merge(json); };
  const auto zoned = merged(R"({"allowedTopologies":[{"matchLabelExpressions":[{"key":"zone","values":["b"]}]}]})");
  EXPECT_THAT(hints(0, {}, FakeObject("c")), all);
  EXPECT_THAT(hints(0, FakeObject("c"), zoned), all);
  EXPECT_THAT(hints(0, zoned, zoned), none);
  EXPECT_THAT(hints(1, {}, FakeObject("claim", "default")), ElementsAre(true, false, false));
  EXPECT_THAT(hints(1, {}, FakeObject("q-scratch", "default")), ElementsAre(false, true, false));
  EXPECT_THAT(hints(1, {}, FakeObject("claim", "elsewhere")), none);
  const auto migrated = merged(
      R"({"metadata":{"annotations":{"storage.alpha.kubernetes.io/migrated-plugins":"kubernetes.io/aws-ebs"}}})");
  EXPECT_THAT(hints(4, {}, FakeObject("n")), all);
  EXPECT_THAT(hints(4, FakeObject("driver"), migrated), all);
  EXPECT_THAT(hints(4, migrated, migrated), none);
  const auto counts = merged(R"({"spec":{"storageCapacity":true}})"),
             stops = merged(R"({"spec":{"storageCapacity":false}})");
  EXPECT_THAT(hints(5, counts, stops), ElementsAre(false, false, true));
  EXPECT_THAT(hints(5, stops, counts), none);
  const auto small = merged(R"({"capacity":"1Gi"})"), large = merged(R"({"capacity":"2Gi"})");
  EXPECT_THAT(hints(6, {}, small), all);
  EXPECT_THAT(hints(6, small, large), all);
  EXPECT_THAT(hints(6, FakeObject("x"), small), all);
  EXPECT_THAT(hints(6, large, small), none);
}

}  // namespace
