// The objects that the plugin assumes and writes for a pod's volumes and claims. Cases have the names of
// binder_test.go.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <berth/testing/names.hpp>

#include "test_fixture.h"

namespace volume_binding_test {
namespace {

using testing::IsEmpty;

// ---- TestAssumePodVolumes, TestRevertAssumedPodVolumes, TestFindAssumeVolumes

TEST(AssumePodVolumes, BoundClaimsNeedNothing) {
  SCOPED_TRACE("all-bound");
  Fixture rig;
  rig.Volumes({kPvBound}).Claims({Bound(Claim("bound-pvc"), "pv-bound")}).Reserve();
  EXPECT_FALSE(rig.VolumeAssumed("pv-bound"));
  EXPECT_EQ(rig.attempt->PreFlight("node1").code, BERTH_SKIP) << "all bound";
}

TEST(AssumePodVolumes, VolumesGetTheirClaims) {
  using Named = std::pair<const char*, std::vector<FakeObject>>;
  for (const auto& [name, claims] : {Named{"one-binding", {kUnbound}}, Named{"two-bindings", {kUnbound, kUnbound2}}}) {
    SCOPED_TRACE(name);
    Fixture rig;
    rig.Volumes({kNode1a, kNode1b}).Claims(claims).Reserve();
    EXPECT_EQ(rig.ClaimOf("pv-node1a"), "unbound-pvc");
    EXPECT_EQ(rig.ClaimOf("pv-node1b"), claims.size() == 2 ? "unbound-pvc2" : "");
    EXPECT_EQ(rig.attempt->PreFlight("node1"), Outcome{}) << "volume to be bound";
  }
}

TEST(AssumePodVolumes, AVolumeThatHasTheClaimKeepsIt) {
  SCOPED_TRACE("pv-already-bound");
  Fixture rig;
  rig.Volumes({kNode1aBound, kNode1b}).Claims({kUnbound}).Reserve();
  EXPECT_EQ(rig.ClaimOf("pv-node1a"), "unbound-pvc");
  EXPECT_EQ(rig.ClaimOf("pv-node1b"), "");
}

TEST(AssumePodVolumes, AClaimToProvisionGetsTheNode) {
  SCOPED_TRACE("one-binding, one-pvc-provisioned");
  Fixture rig;
  rig.Volumes({kNode1a}).Claims({kUnbound, Provisioned()}).Reserve();
  EXPECT_EQ(rig.ClaimOf("pv-node1a"), "unbound-pvc");
  EXPECT_EQ(rig.NodeOf("provisioned-pvc"), "node1");
}

TEST(RevertAssumedPodVolumes, RemovesTheAssumptions) {
  SCOPED_TRACE("TestRevertAssumedPodVolumes");
  Fixture rig;
  rig.Volumes({kNode1a}).Claims({kUnbound, Provisioned()}).Reserve();
  rig.attempt->Unreserve("node1");
  EXPECT_EQ(rig.ClaimOf("pv-node1a"), "");
  EXPECT_EQ(rig.NodeOf("provisioned-pvc"), "");
}

TEST(RevertAssumedPodVolumes, KeepsLaterAssumptionsOfOtherPods) {
  SCOPED_TRACE("TestConcurrentAssume");
  Fixture rig;
  rig.Volumes({kNode1a}).Claims({kUnbound}).Reserve();
  rig.plugin.Put(kVolumes, kNode1a).Put(kClaims, kUnbound2);  // the server has a newer version of it
  auto other = rig.plugin.Try(FakePod("other").Namespace("testns").ClaimVolume("unbound-pvc2"));
  ASSERT_TRUE(other->PreFilter().ok());
  ASSERT_TRUE(other->Reserve("node1").ok());
  rig.attempt->Unreserve("node1");
  EXPECT_EQ(rig.ClaimOf("pv-node1a"), "unbound-pvc2");
  other->Unreserve("node1");
  EXPECT_EQ(rig.ClaimOf("pv-node1a"), "");
}

TEST(FindAssumeVolumes, TheVolumeThatWasChosenIsChosenAgain) {
  SCOPED_TRACE("TestFindAssumeVolumes");
  Fixture rig;
  rig.Volumes({kNode2, kNode1a, Volume("pv-node1b", "node1", "5G")}).Claims({kUnbound}).Reserve();
  const bool first = rig.ClaimOf("pv-node1a") == "unbound-pvc";
  const char *chosen = first ? "pv-node1a" : "pv-node1b", *not_chosen = first ? "pv-node1b" : "pv-node1a";
  for (int i = 0; i < 50; ++i) {
    rig.Again();
    ASSERT_EQ(rig.attempt->Reserve("node1"), Outcome{});
    EXPECT_EQ(rig.ClaimOf(chosen), "unbound-pvc");
    EXPECT_EQ(rig.ClaimOf(not_chosen), "");
  }
}

// ---- TestBindAPIUpdate
struct Update {
  const char* name;
  std::vector<FakeObject> volumes, claims;
  std::string refused;
  Texts writes;
  Texts stay_assumed, reverted;  // after a refusal, "volume" or "testns/claim"
};

class BindAPIUpdate : public testing::TestWithParam<Update> {};

TEST_P(BindAPIUpdate, Upstream) {
  const Update& c = GetParam();
  Fixture rig;
  rig.Volumes(c.volumes).Claims(c.claims).Reserve();
  const StartedCall call = rig.Bind(c.refused);
  EXPECT_EQ(rig.Writes(), c.writes);
  if (c.refused == "-") {
    EXPECT_FALSE(call.ended()) << "claims are bound by somebody else";
    EXPECT_EQ(rig.Errors("bind"), 0);
    return;
  }
  EXPECT_EQ(rig.Errors("bind"), 1);
  ASSERT_TRUE(call.ended());
  EXPECT_EQ(call.outcome(), (Outcome{BERTH_ERROR, {"the object has been modified"}}));
  rig.attempt->Unreserve("node1");
  const auto assumed = [&rig](const std::string& name) {
    const size_t slash = name.find('/');
    return slash == std::string::npos ? rig.VolumeAssumed(name.c_str()) : rig.ClaimAssumed(name.c_str() + slash + 1);
  };
  for (const std::string& name : c.stay_assumed) EXPECT_TRUE(assumed(name)) << name << ": the server has it";
  for (const std::string& name : c.reverted) EXPECT_FALSE(assumed(name)) << name;
}

const std::string kPatchA = "PATCH persistentvolumes/pv-node1a", kPatchB = "PATCH persistentvolumes/pv-node1b",
                  kPatchClaim = "PATCH persistentvolumeclaims/testns/provisioned-pvc",
                  kPatchClaim2 = "PATCH persistentvolumeclaims/testns/provisioned-pvc2";

INSTANTIATE_TEST_SUITE_P(
    Upstream, BindAPIUpdate,
    testing::Values(
        Update{.name = "one-binding", .volumes = {kNode1a}, .claims = {kUnbound}, .refused = "-", .writes = {kPatchA}},
        Update{.name = "two-bindings",
               .volumes = {kNode1a, kNode1b},
               .claims = {kUnbound, kUnbound2},
               .refused = "-",
               .writes = {kPatchA, kPatchB}},
        Update{.name = "api-already-updated",
               .volumes = {kNode1aBound},
               .claims = {kUnbound},
               .refused = "-",
               .writes = {kPatchA}},
        Update{.name = "api-update-failed",
               .volumes = {kNode1a, kNode1b},
               .claims = {kUnbound, kUnbound2},
               .refused = "pv-node1b",
               .writes = {kPatchA, kPatchB},
               .stay_assumed = {"pv-node1a"},
               .reverted = {"pv-node1b"}},
        Update{.name = "one-provisioned-pvc", .claims = {Provisioned()}, .refused = "-", .writes = {kPatchClaim}},
        Update{.name = "provision-api-update-failed",
               .claims = {Provisioned(), Provisioned("provisioned-pvc2")},
               .refused = "provisioned-pvc2",
               .writes = {kPatchClaim, kPatchClaim2},
               .stay_assumed = {"testns/provisioned-pvc"},
               .reverted = {"testns/provisioned-pvc2"}},
        Update{.name = "binding-succeed, provision-api-update-failed",
               .volumes = {kNode1a},
               .claims = {kUnbound, Provisioned(), Provisioned("provisioned-pvc2")},
               .refused = "provisioned-pvc2",
               .writes = {kPatchA, kPatchClaim, kPatchClaim2},
               .stay_assumed = {"pv-node1a", "testns/provisioned-pvc"},
               .reverted = {"testns/provisioned-pvc2"}}),
    [](const auto& info) { return TestNameOf(info.param.name); });

TEST(BindAPIUpdate, WithoutAnythingToBindNothingIsWritten) {
  for (const char* name : {"nothing-to-bind-empty", "nothing-to-bind"}) {  // ... and TestCheckBindings
    SCOPED_TRACE(name);
    Fixture rig;
    rig.Volumes({kPvBound}).Claims({Bound(Claim("bound-pvc"), "pv-bound")}).Reserve();
    const StartedCall call = rig.Bind();
    ASSERT_TRUE(call.ended());
    EXPECT_EQ(call.outcome(), Outcome{});
    EXPECT_THAT(rig.Writes(), IsEmpty());
  }
}

}  // namespace
}  // namespace volume_binding_test
