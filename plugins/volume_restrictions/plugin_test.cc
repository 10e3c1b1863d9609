#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <berth/testing/plugin_under_test.hpp>

#include "berth/entry.h"

namespace {

using namespace berth::sdk::testing;  // NOLINT: tests use the fake host's names
using testing::ElementsAre;

constexpr const char* kClaims = "v1/persistentvolumeclaims";
const Outcome kFits;
const Outcome kDisk{BERTH_UNSCHEDULABLE, {"node(s) had no available disk"}};
const Outcome kOnce{BERTH_UNSCHEDULABLE,
                    {"node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already "
                     "in-use by another pod"}};

FakeVolume Gce(const char* name, bool read_only = false) { return {BERTH_VOLUME_GCE_PD, name, read_only}; }
FakeVolume Ebs(const char* id, bool read_only = false) { return {BERTH_VOLUME_AWS_EBS, id, read_only}; }
FakeVolume Iscsi(const char* iqn, bool read_only = false) { return {BERTH_VOLUME_ISCSI, iqn, read_only}; }
FakeVolume Rbd(const char* image, Texts monitors, bool read_only = false, const char* pool = "bar") {
  return {
      .kind = BERTH_VOLUME_RBD, .handle = image, .read_only = read_only, .pool = pool, .monitors = std::move(monitors)};
}

struct DiskCase {
  const char* name;
  FakeVolume wanted, running;
  Outcome expected;
};

class Disks : public testing::TestWithParam<DiskCase> {};

TEST_P(Disks, Filter) {
  PluginUnderTest plugin(berth_entry_v1, "VolumeRestrictions");
  plugin.cluster().Add(FakeNode("n")).Add(FakePod("running").Volume(GetParam().running), "n");
  ASSERT_TRUE(plugin.Start().ok());
  auto attempt = plugin.Try(FakePod("p").Volume(GetParam().wanted));
  ASSERT_TRUE(attempt->PreFilter().ok());
  EXPECT_EQ(attempt->Filter().nodes.at("n"), GetParam().expected);
}

// TestGCEDiskConflicts, TestAWSDiskConflicts, TestRBDDiskConflicts, TestISCSIDiskConflicts.
INSTANTIATE_TEST_SUITE_P(
    Upstream, Disks,
    testing::Values(
        DiskCase{.name = "GceSame", .wanted = Gce("foo"), .running = Gce("foo"), .expected = kDisk},
        DiskCase{.name = "GceOther", .wanted = Gce("bar"), .running = Gce("foo"), .expected = kFits},
        DiskCase{.name = "GceBothRead", .wanted = Gce("foo", true), .running = Gce("foo", true), .expected = kFits},
        DiskCase{.name = "GceOneReads", .wanted = Gce("foo", true), .running = Gce("foo"), .expected = kDisk},
        DiskCase{.name = "EbsSame", .wanted = Ebs("foo"), .running = Ebs("foo"), .expected = kDisk},
        DiskCase{.name = "EbsOther", .wanted = Ebs("bar"), .running = Ebs("foo"), .expected = kFits},
        DiskCase{.name = "EbsBothRead", .wanted = Ebs("foo", true), .running = Ebs("foo", true), .expected = kDisk},
        DiskCase{.name = "IscsiSame", .wanted = Iscsi("iqn.2016"), .running = Iscsi("iqn.2016"), .expected = kDisk},
        DiskCase{.name = "IscsiOther", .wanted = Iscsi("iqn.2017"), .running = Iscsi("iqn.2016"), .expected = kFits},
        DiskCase{.name = "RbdSame",
                 .wanted = Rbd("test", {"a", "b"}),
                 .running = Rbd("test", {"b", "c"}),
                 .expected = kDisk},
        DiskCase{
            .name = "RbdOtherMonitors", .wanted = Rbd("test", {"a"}), .running = Rbd("test", {"b"}), .expected = kFits},
        DiskCase{.name = "RbdOtherPool",
                 .wanted = Rbd("test", {"a"}, false, "x"),
                 .running = Rbd("test", {"a"}),
                 .expected = kFits},
        DiskCase{
            .name = "RbdOtherImage", .wanted = Rbd("other", {"a"}), .running = Rbd("test", {"a"}), .expected = kFits},
        DiskCase{.name = "RbdBothRead",
                 .wanted = Rbd("test", {"a"}, true),
                 .running = Rbd("test", {"a"}, true),
                 .expected = kFits},
        DiskCase{.name = "OtherKindOfTheSameName", .wanted = Gce("foo"), .running = Ebs("foo"), .expected = kFits}),
    [](const auto& info) { return std::string(info.param.name); });

class OncePod : public testing::Test {
 protected:
  OncePod() {
    plugin_.cluster().Add(FakeNode("n1")).Add(FakeNode("n2")).Add(holder_, "n1");
    plugin_.Put(kClaims, FakeObject("once", "default").Spec(R"({"accessModes":["ReadWriteOncePod"]})"))
        .Put(kClaims, FakeObject("many", "default").Spec(R"({"accessModes":["ReadWriteMany"]})"))
        .Put(kClaims, FakeObject("free", "default").Spec(R"({"accessModes":["ReadWriteOncePod"]})"));
  }
  PluginUnderTest plugin_{berth_entry_v1, "VolumeRestrictions"};
  const FakePod holder_ = FakePod("holder").ClaimVolume("once").ClaimVolume("many");
};

// TestAccessModeConflicts.
TEST_F(OncePod, AClaimInUseRefusesEveryNode) {
  ASSERT_TRUE(plugin_.Start().ok());
  plugin_.SendState();
  auto attempt = plugin_.Try(FakePod("p").ClaimVolume("once"));
  ASSERT_TRUE(attempt->PreFilter().ok());
  const FilterOutcome outcome = attempt->Filter();
  EXPECT_EQ(outcome.nodes.at("n1"), kOnce);
  EXPECT_EQ(outcome.nodes.at("n2"), kOnce);
}

TEST_F(OncePod, OtherClaimsAreSkipped) {
  ASSERT_TRUE(plugin_.Start().ok());
  plugin_.SendState();
  EXPECT_EQ(plugin_.Try(FakePod("p").ClaimVolume("free"))->PreFilter().code, BERTH_SKIP);
  EXPECT_EQ(plugin_.Try(FakePod("p").ClaimVolume("many"))->PreFilter().code, BERTH_SKIP);
  EXPECT_EQ(plugin_.Try(FakePod("p"))->PreFilter().code, BERTH_SKIP);
  EXPECT_EQ(plugin_.Try(FakePod("p").Volume({BERTH_VOLUME_EPHEMERAL, "once"}))->PreFilter().code, BERTH_SKIP);
}

TEST_F(OncePod, AMissingClaimIsUnresolvable) {
  ASSERT_TRUE(plugin_.Start().ok());
  plugin_.SendState();
  const Outcome outcome = plugin_.Try(FakePod("p").ClaimVolume("none"))->PreFilter();
  EXPECT_EQ(outcome, (Outcome{BERTH_UNRESOLVABLE, {"persistentvolumeclaim \"none\" not found"}}));
}

TEST_F(OncePod, TheHolderLeavesInATrial) {
  ASSERT_TRUE(plugin_.Start().ok());
  plugin_.SendState();
  auto attempt = plugin_.Try(FakePod("p").ClaimVolume("once"));
  ASSERT_TRUE(attempt->PreFilter().ok());
  {
    auto trial = attempt->Trial();
    ASSERT_TRUE(trial->RemovePod(holder_, "n1").ok());
    EXPECT_EQ(trial->Filter().nodes.at("n1"), kFits);
    ASSERT_TRUE(trial->AddPod(holder_, "n1").ok());
    EXPECT_EQ(trial->Filter().nodes.at("n1"), kOnce);
  }
  EXPECT_EQ(attempt->Filter().nodes.at("n1"), kOnce);  // only the trial's copy changed
}

TEST_F(OncePod, AClaimIsFreeAgainWhenItsPodIsGone) {
  ASSERT_TRUE(plugin_.Start().ok());
  plugin_.SendState();
  EXPECT_EQ(plugin_.Dump(), "default/many 1\ndefault/once 1\n");
  plugin_.PodRemoved(holder_, 0);
  EXPECT_EQ(plugin_.Dump(), "");
  EXPECT_EQ(plugin_.Try(FakePod("p").ClaimVolume("once"))->PreFilter().code, BERTH_SKIP);
}

TEST_F(OncePod, Hints) {
  ASSERT_TRUE(plugin_.Start().ok());
  plugin_.SendState();
  const std::vector<FakePod> pods = {FakePod("p").ClaimVolume("once"), FakePod("q").Volume(Gce("foo")), FakePod("r")};
  const auto gone = [&](FakePod pod) {
    return plugin_.Hints({.resource = "Pod", .interest = 0, .old_pod = std::move(pod)}, pods).queue;
  };
  EXPECT_THAT(gone(holder_), ElementsAre(true, false, false));
  EXPECT_THAT(gone(FakePod("g").Volume(Gce("foo"))), ElementsAre(false, true, false));
  EXPECT_THAT(gone(FakePod("g").Namespace("elsewhere").Volume(Gce("foo")).ClaimVolume("once")),
              ElementsAre(false, false, false));
  const auto added = [&](const FakeObject& claim) {
    return plugin_.Hints({.resource = "PersistentVolumeClaim", .interest = 2, .new_value = claim.document()}, pods)
        .queue;
  };
  EXPECT_THAT(added(FakeObject("once", "default")), ElementsAre(true, false, false));
  EXPECT_THAT(added(FakeObject("once", "elsewhere")), ElementsAre(false, false, false));
}

}  // namespace
