#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <berth/testing/plugin_under_test.hpp>

#include "../common/in_tree_volumes.h"
#include "berth/entry.h"

namespace {

using namespace berth::sdk::testing;  // NOLINT: tests use the fake host's names
using testing::ElementsAre;

constexpr const char* kClaims = "v1/persistentvolumeclaims";
constexpr const char* kVolumes = "v1/persistentvolumes";
constexpr const char* kClasses = "storage.k8s.io/v1/storageclasses";
constexpr const char* kNodes = "storage.k8s.io/v1/csinodes";
constexpr const char* kAttachments = "storage.k8s.io/v1/volumeattachments";

const Outcome kFits;
const Outcome kFull{BERTH_UNSCHEDULABLE, {"node(s) exceed max volume count"}};

FakeObject Limit(const std::string& driver, int count) {
  return FakeObject("n").Spec(R"({"drivers":[{"name":")" + driver + R"(","allocatable":{"count":)" +
                              std::to_string(count) + "}}]}");
}
FakePod Uses(const char* name, Texts claims) {
  FakePod pod(name);
  for (std::string& claim : claims) pod.ClaimVolume(std::move(claim));
  return pod;
}

class Limits : public testing::Test {
 protected:
  Limits() {
    plugin_.cluster().Add(FakeNode("n"));
    for (const char* number : {"1", "2", "3", "4"}) {
      const std::string volume = std::string("volume-") + number;
      plugin_.Put(kVolumes, FakeObject(volume).Spec(R"({"csi":{"driver":"d","volumeHandle":")" + volume + R"("}})"))
          .Put(kClaims, FakeObject(number, "default").Spec(R"({"volumeName":")" + volume + R"("})"));
    }
    plugin_.Put(kClasses, FakeObject("class").Set("provisioner", "d"))
        .Put(kClasses, FakeObject("ebs").Set("provisioner", "kubernetes.io/aws-ebs"))
        .Put(kClaims, FakeObject("unbound", "default").Spec(R"({"storageClassName":"class"})"))
        .Put(kClaims, FakeObject("unbound-2", "default").Spec(R"({"storageClassName":"class"})"))
        .Put(kClaims, FakeObject("unbound-ebs", "default").Spec(R"({"storageClassName":"ebs"})"))
        .Put(kClaims, FakeObject("no-class", "default").Spec("{}"));
  }
  Outcome Filter(const FakePod& pod) {
    if (!started_) started_ = plugin_.Start().ok();
    EXPECT_TRUE(started_);
    auto attempt = plugin_.Try(pod);
    EXPECT_TRUE(attempt->PreFilter().ok());
    return attempt->Filter().nodes.at("n");
  }
  void Runs(const FakePod& pod) { plugin_.cluster().Add(pod, "n"); }

  PluginUnderTest plugin_{berth_entry_v1, "NodeVolumeLimits"};
  bool started_ = false;
};

// TestCSILimits.
TEST_F(Limits, FitsWhenNodeVolumeLimitIsNotReached) {
  plugin_.Put(kNodes, Limit("d", 3));
  Runs(Uses("a", {"1", "2"}));
  EXPECT_EQ(Filter(Uses("p", {"3"})), kFits);
  EXPECT_EQ(Filter(Uses("p", {"3", "4"})), kFull);
}
TEST_F(Limits, ASharedVolumeCountsOnce) {
  plugin_.Put(kNodes, Limit("d", 3));
  Runs(Uses("a", {"1", "2", "3"}));
  EXPECT_EQ(Filter(Uses("p", {"3"})), kFits);
  EXPECT_EQ(Filter(Uses("p", {"4"})), kFull);
}
TEST_F(Limits, WithoutALimitEverythingFits) {
  Runs(Uses("a", {"1", "2"}));
  EXPECT_EQ(Filter(Uses("p", {"3"})), kFits);
  plugin_.Put(kNodes, FakeObject("n").Spec(R"({"drivers":[{"name":"d"}]})"));
  EXPECT_EQ(Filter(Uses("p", {"3"})), kFits);
  plugin_.Put(kNodes, Limit("other", 0));
  EXPECT_EQ(Filter(Uses("p", {"3"})), kFits);
}
TEST_F(Limits, AVolumeToComeCountsForItsProvisioner) {
  plugin_.Put(kNodes, Limit("d", 1));
  EXPECT_EQ(Filter(Uses("p", {"unbound"})), kFits);
  EXPECT_EQ(Filter(Uses("p", {"unbound", "unbound-2"})), kFull);
  EXPECT_EQ(Filter(Uses("p", {"unbound", "no-class"})), kFits);
}
TEST_F(Limits, AnAttachmentWithoutAPodCounts) {
  plugin_.Put(kNodes, Limit("d", 3))
      .Put(kAttachments,
           FakeObject("stale").Spec(R"({"nodeName":"n","attacher":"d","source":{"persistentVolumeName":"volume-4"}})"))
      .Put(kAttachments,
           FakeObject("used").Spec(R"({"nodeName":"n","attacher":"d","source":{"persistentVolumeName":"volume-1"}})"))
      .Put(kAttachments, FakeObject("elsewhere")
                             .Spec(R"({"nodeName":"m","attacher":"d","source":{"persistentVolumeName":"volume-3"}})"));
  Runs(Uses("a", {"1", "2"}));
  EXPECT_EQ(Filter(Uses("p", {"3"})), kFull);
  plugin_.Delete(kAttachments, "stale");
  EXPECT_EQ(Filter(Uses("p", {"3"})), kFits);
}
TEST_F(Limits, InTreeVolumesCountForTheDriverThatTookOver) {
  plugin_.Put(kNodes, Limit("ebs.csi.aws.com", 2))
      .Put(kVolumes, FakeObject("ebs").Spec(R"({"awsElasticBlockStore":{"volumeID":"aws://zone/vol-1"}})"))
      .Put(kClaims, FakeObject("ebs", "default").Spec(R"({"volumeName":"ebs"})"));
  Runs(FakePod("a").Volume({BERTH_VOLUME_AWS_EBS, "vol-1"}));
  EXPECT_EQ(Filter(Uses("p", {"ebs", "unbound-ebs"})), kFits);  // the first is the existing disk
  Runs(FakePod("b").Volume({BERTH_VOLUME_AWS_EBS, "vol-2"}));
  EXPECT_EQ(Filter(Uses("p", {"unbound-ebs"})), kFull);
  plugin_.Delete(kNodes, "n");
  EXPECT_EQ(Filter(Uses("p", {"unbound-ebs"})), kFits);
}

TEST_F(Limits, ClaimsThatAreNotThere) {
  Runs(Uses("a", {"gone"}));
  plugin_.Put(kNodes, Limit("d", 1));
  EXPECT_EQ(Filter(Uses("p", {"x"})),
            (Outcome{BERTH_UNRESOLVABLE, {"looking up PVC default/x: persistentvolumeclaim \"x\" not found"}}));
  EXPECT_EQ(Filter(Uses("p", {"1"})), kFits);  // those of running pods have no effect
  EXPECT_EQ(plugin_.Try(FakePod("p"))->PreFilter().code, BERTH_SKIP);
  EXPECT_EQ(plugin_.Try(FakePod("p").Volume({BERTH_VOLUME_ISCSI, "iqn"}))->PreFilter().code, BERTH_SKIP);
}
TEST_F(Limits, AnEphemeralClaimMustBeThePods) {
  plugin_.Put(kNodes, Limit("d", 1)).Put(kClaims, FakeObject("p-scratch", "default").Spec("{}"));
  started_ = plugin_.Start().ok();
  auto attempt = plugin_.Try(FakePod("p").Volume({BERTH_VOLUME_EPHEMERAL, "scratch"}));
  ASSERT_TRUE(attempt->PreFilter().ok());
  EXPECT_EQ(attempt->Filter().nodes.at("n"),
            (Outcome{BERTH_ERROR, {"PVC default/p-scratch was not created for pod default/p (pod is not owner)"}}));
}

// TestIsSchedulableAfter*.
TEST_F(Limits, Hints) {
  ASSERT_TRUE(plugin_.Start().ok());
  const std::vector<FakePod> pods = {Uses("p", {"1"}), FakePod("q").Volume({BERTH_VOLUME_AWS_EBS, "vol-1"}),
                                     FakePod("r").Volume({BERTH_VOLUME_EPHEMERAL, "scratch"})};
  const auto all = ElementsAre(true, true, true), none = ElementsAre(false, false, false);
  const auto node = [&](const FakeObject& before, const FakeObject& now) {
    return plugin_
        .Hints({.resource = "storage.k8s.io/CSINode",
                .interest = 1,
                .old_value = before.document(),
                .new_value = now.document()},
               pods)
        .queue;
  };
  EXPECT_THAT(node(Limit("d", 1), Limit("d", 2)), all);
  EXPECT_THAT(node(Limit("d", 2), Limit("d", 1)), none);
  EXPECT_THAT(node(Limit("d", 2), Limit("e", 1)), all);
  const auto gone = [&](const FakePod& pod) {
    return plugin_.Hints({.resource = "Pod", .interest = 2, .old_pod = pod}, pods).queue;
  };
  EXPECT_THAT(gone(Uses("g", {"1"}).Node("n")), all);
  EXPECT_THAT(gone(Uses("g", {"1"})), none);
  EXPECT_THAT(gone(FakePod("g").Node("n")), none);
  const auto claim = [&](const FakeObject& added) {
    return plugin_.Hints({.resource = "PersistentVolumeClaim", .interest = 3, .new_value = added.document()}, pods)
        .queue;
  };
  EXPECT_THAT(claim(FakeObject("1", "default")), ElementsAre(true, false, false));
  EXPECT_THAT(claim(FakeObject("r-scratch", "default")), ElementsAre(false, false, true));
  EXPECT_THAT(claim(FakeObject("1", "elsewhere")), none);
  const auto attachment = [&](const char* driver) {
    const FakeObject object = FakeObject("a").Spec(std::string(R"({"attacher":")") + driver + R"("})");
    return plugin_
        .Hints({.resource = "storage.k8s.io/VolumeAttachment", .interest = 4, .old_value = object.document()}, pods)
        .queue;
  };
  EXPECT_THAT(attachment("ebs.csi.aws.com"), ElementsAre(true, true, false));
  EXPECT_THAT(attachment("d"), ElementsAre(true, false, false));
}

TEST(LegacyLimits, OneDriverCounts) {
  for (const auto& [name, expected] : std::map<std::string, Outcome>{{"EBSLimits", kFull}, {"CinderLimits", kFits}}) {
    PluginUnderTest plugin(berth_entry_v1, name);
    plugin.cluster().Add(FakeNode("n"));
    plugin.Put(kNodes, Limit("ebs.csi.aws.com", 0));
    ASSERT_TRUE(plugin.Start().ok());
    auto attempt = plugin.Try(FakePod("p").Volume({BERTH_VOLUME_AWS_EBS, "vol-1"}));
    ASSERT_TRUE(attempt->PreFilter().ok());
    EXPECT_EQ(attempt->Filter().nodes.at("n"), expected) << name;
  }
}

TEST(InTree, Handles) {
  using plugins::in_tree::HandleOf;
  using plugins::in_tree::InTreeOfKind;
  const auto& ebs = *InTreeOfKind(BERTH_VOLUME_AWS_EBS);
  EXPECT_EQ(HandleOf(ebs, "vol-1", ""), "vol-1");
  EXPECT_EQ(HandleOf(ebs, "aws://us-east-1a/vol-1", ""), "vol-1");
  EXPECT_EQ(HandleOf(ebs, "aws://us-east-1a/disk", ""), std::nullopt);
  const auto& gce = *InTreeOfKind(BERTH_VOLUME_GCE_PD);
  EXPECT_EQ(HandleOf(gce, "pd", ""), "projects/UNSPECIFIED/zones/UNSPECIFIED/disks/pd");
  EXPECT_EQ(HandleOf(gce, "pd", "us-central1-a"), "projects/UNSPECIFIED/zones/us-central1-a/disks/pd");
  EXPECT_EQ(HandleOf(gce, "pd", "us-central1-a__us-central1-b"), "projects/UNSPECIFIED/regions/us-central1/disks/pd");
  EXPECT_EQ(HandleOf(gce, "pd", "us-central1-a__us-west1-b"), std::nullopt);
  EXPECT_EQ(HandleOf(*InTreeOfKind(BERTH_VOLUME_CINDER), "id", ""), "id");
}

}  // namespace
