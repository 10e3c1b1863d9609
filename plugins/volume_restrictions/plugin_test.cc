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
  return {BERTH_VOLUME_RBD, image, read_only, pool, std::move(monitors)};
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
    testing::Values(DiskCase{"GceSame", Gce("foo"), Gce("foo"), kDisk},
                    DiskCase{"GceOther", Gce("bar"), Gce("foo"), kFits},
                    DiskCase{"GceBothRead", Gce("foo", true), Gce("foo", true), kFits},
                    DiskCase{"GceOneReads", Gce("foo", true), Gce("foo"), kDisk},
                    DiskCase{"EbsSame", Ebs("foo"), Ebs("foo"), kDisk},
                    DiskCase{"EbsOther", Ebs("bar"), Ebs("foo"), kFits},
                    DiskCase{"EbsBothRead", Ebs("foo", true), Ebs("foo", true), kDisk},
                    DiskCase{"IscsiSame", Iscsi("iqn.2016"), Iscsi("iqn.2016"), kDisk},
                    DiskCase{"IscsiOther", Iscsi("iqn.2017"), Iscsi("iqn.2016"), kFits},
                    DiskCase{"RbdSame", Rbd("test", {"a", "b"}), Rbd("test", {"b", "c"}), kDisk},
                    DiskCase{"RbdOtherMonitors", Rbd("test", {"a"}), Rbd("test", {"b"}), kFits},
                    DiskCase{"RbdOtherPool", Rbd("test", {"a"}, false, "x"), Rbd("test", {"a"}), kFits},
                    DiskCase{"RbdOtherImage", Rbd("other", {"a"}), Rbd("test", {"a"}), kFits},
                    DiskCase{"RbdBothRead", Rbd("test", {"a"}, true), Rbd("test", {"a"}, true), kFits},
                    DiskCase{"OtherKindOfTheSameName", Gce("foo"), Ebs("foo"), kFits}),
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
