// The wait for bound volumes. Cases have the names of binder_test.go.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <berth/testing/names.hpp>

#include "test_fixture.h"

namespace volume_binding_test {
namespace {

// ---- TestCheckBindings, TestCheckBindingsWithCSIMigration, TestBindPodVolumes: after the writes something happens.
enum class End : uint8_t { kBound, kWaits, kFails };

struct Check {
  const char* name;
  std::vector<FakeObject> volumes, claims;    // as the pod is scheduled
  std::vector<FakeObject> volumes2, claims2;  // as they are seen later
  Texts gone;                                 // "volume" or "testns/claim"
  End end;
  const char* why = "";  // of kFails
};

void Happen(Fixture& rig, const Check& c) {
  for (const std::string& name : c.gone) {
    const size_t slash = name.find('/');
    slash == std::string::npos ? rig.plugin.Delete(kVolumes, name)
                               : rig.plugin.Delete(kClaims, name.substr(slash + 1), "testns");
  }
  for (const FakeObject& one : c.volumes2) rig.plugin.Put(kVolumes, one);
  for (const FakeObject& one : c.claims2) rig.plugin.Put(kClaims, one);
  rig.plugin.host().tasks().Advance();
}

void ExpectEnd(Fixture& rig, const StartedCall& call, const Check& c) {
  ASSERT_EQ(call.ended(), c.end != End::kWaits);
  if (c.end == End::kWaits) {
    rig.plugin.host().tasks().Advance(std::chrono::seconds(11));
    EXPECT_EQ(call.outcome(), (Outcome{BERTH_ERROR, {"binding volumes: context deadline exceeded"}}));
  } else if (c.end == End::kBound) {
    EXPECT_EQ(call.outcome(), Outcome{});
  } else {
    EXPECT_EQ(call.outcome(), (Outcome{BERTH_ERROR, {std::string("binding volumes: ") + c.why}}));
  }
}

class CheckBindings : public testing::TestWithParam<Check> {};

TEST_P(CheckBindings, Upstream) {
  Fixture rig;
  rig.Volumes(GetParam().volumes).Claims(GetParam().claims).Reserve();
  const StartedCall call = rig.Bind();
  ASSERT_FALSE(call.ended());
  Happen(rig, GetParam());
  ExpectEnd(rig, call, GetParam());
}

const char* const kReset = "ClaimRef got reset for pv \"pv-node1a\"";
const char* const kGivenUp = "provisioning failed for PVC \"provisioned-pvc\"";

INSTANTIATE_TEST_SUITE_P(
    Upstream, CheckBindings,
    testing::Values(
        Check{"binding-bound", {kNode1a}, {kUnbound}, {kNode1aBound}, {Bound(kUnbound, "pv-node1a")}, {}, End::kBound},
        Check{"binding-prebound",
              {kNode1a},
              {kUnbound},
              {kNode1aBound},
              {Prebound(kUnbound, "pv-node1a")},
              {},
              End::kWaits},
        Check{"binding-unbound", {kNode1a}, {kUnbound}, {kNode1aBound}, {kUnbound}, {}, End::kWaits},
        Check{"binding-pvc-not-exists",
              {kNode1a},
              {kUnbound},
              {kNode1aBound},
              {},
              {"testns/unbound-pvc"},
              End::kFails,
              "failed to check binding: persistentvolumeclaim \"unbound-pvc\" not found"},
        Check{"binding-pv-not-exists",
              {kNode1a},
              {kUnbound},
              {},
              {},
              {"pv-node1a"},
              End::kFails,
              "failed to check binding: persistentvolume \"pv-node1a\" not found"},
        Check{"binding-claimref-nil", {kNode1a}, {kUnbound}, {kNode1a}, {}, {}, End::kFails, kReset},
        Check{"binding-claimref-uid-empty",
              {kNode1a},
              {kUnbound},
              {BoundTo(kNode1a, "unbound-pvc", "")},
              {},
              {},
              End::kFails,
              kReset},
        Check{"binding-one-bound,one-unbound",
              {kNode1a, kNode1b},
              {kUnbound, kUnbound2},
              {kNode1aBound, BoundTo(kNode1b, "unbound-pvc2")},
              {Bound(kUnbound, "pv-node1a"), kUnbound2},
              {},
              End::kWaits},
        Check{"provisioning-pvc-bound",
              {},
              {Provisioned()},
              {kPvBound},
              {Bound(Selected(Provisioned()), "pv-bound")},
              {},
              End::kBound},
        Check{"provisioning-pvc-unbound", {}, {Provisioned()}, {}, {Selected(Provisioned())}, {}, End::kWaits},
        Check{"provisioning-pvc-not-exists",
              {},
              {Provisioned()},
              {},
              {},
              {"testns/provisioned-pvc"},
              End::kFails,
              "failed to check provisioning pvc: persistentvolumeclaim \"provisioned-pvc\" not found"},
        Check{"provisioning-pvc-annotations-nil",
              {},
              {Provisioned()},
              {},
              {Provisioned()},
              {},
              End::kFails,
              "selectedNode annotation reset for PVC \"provisioned-pvc\""},
        Check{"provisioning-pvc-selected-node-dropped",
              {},
              {Provisioned()},
              {},
              {Provisioned().Merge(R"({"metadata":{"annotations":{}}})")},
              {},
              End::kFails,
              kGivenUp},
        Check{"provisioning-pvc-selected-node-wrong-node",
              {},
              {Provisioned()},
              {},
              {Selected(Provisioned(), "wrong-node")},
              {},
              End::kFails,
              kGivenUp},
        Check{"binding-bound-provisioning-unbound",
              {kNode1a},
              {kUnbound, Provisioned()},
              {kNode1aBound},
              {Bound(kUnbound, "pv-node1a"), Selected(Provisioned())},
              {},
              End::kWaits},
        Check{"tolerate-provisioning-pvc-bound-pv-not-found",
              {},
              {Provisioned()},
              {},
              {Bound(Selected(Provisioned()), "pv-bound")},
              {},
              End::kWaits},
        Check{"what comes after a claim that is not bound is not looked at",
              {kNode1a},
              {kUnbound, Provisioned()},
              {kNode1aBound},
              {Provisioned()},
              {},
              End::kWaits},
        // TestBindPodVolumes
        Check{"already-bound", {kNode1aBound}, {kUnbound}, {}, {Bound(kUnbound, "pv-node1a")}, {}, End::kBound},
        Check{"binding-static-pv-succeeds-after-time",
              {kNode1a},
              {kUnbound},
              {},
              {Bound(kUnbound, "pv-node1a")},
              {},
              End::kBound},
        Check{"binding-dynamic-pv-succeeds-after-time",
              {},
              {Provisioned()},
              {BoundTo(Volume("dynamic-pv", "node1", "1G"), "provisioned-pvc")},
              {Bound(Selected(Provisioned()), "dynamic-pv")},
              {},
              End::kBound},
        Check{"binding-times-out", {kNode1a}, {kUnbound}, {}, {}, {}, End::kWaits},
        Check{"binding-fails", {kNode1b}, {kUnbound2}, {}, {}, {}, End::kWaits},
        Check{"check-fails",
              {kNode1a},
              {kUnbound},
              {},
              {},
              {"testns/unbound-pvc"},
              End::kFails,
              "failed to check binding: persistentvolumeclaim \"unbound-pvc\" not found"},
        Check{"node-affinity-fails-dynamic-provisioning",
              {kNode2},
              {Provisioned()},
              {},
              {Bound(Selected(Provisioned()), "pv-node2")},
              {},
              End::kFails,
              "pv \"pv-node2\" node affinity doesn't match node \"node1\": no matching NodeSelectorTerms"}),
    [](const auto& info) { return TestNameOf(info.param.name); });

TEST(CheckBindings, ALateEventOfAVolumeEndsTheWait) {
  Fixture rig;
  rig.Claims({Provisioned()}).Reserve();
  const StartedCall call = rig.Bind();
  rig.plugin.Put(kClaims, Bound(Selected(Provisioned()), "pv-bound"));
  ASSERT_FALSE(call.ended());
  rig.plugin.Put(kVolumes, kPvBound);
  ASSERT_TRUE(call.ended());
  EXPECT_EQ(call.outcome(), Outcome{});
}

TEST(BindPodVolumes, DoesNotOverwriteTheControllersBinding) {
  SCOPED_TRACE("bound-by-pv-controller-before-bind");
  Fixture rig;
  rig.Volumes({kNode1a}).Claims({kUnbound}).Reserve();
  rig.Volumes({kNode1aBound}).plugin.Put(kClaims, Bound(kUnbound, "pv-node1a"));
  const StartedCall call = rig.Bind("pv-node1a");  // the patch names the version that was read
  ASSERT_TRUE(call.ended());
  EXPECT_EQ(call.outcome().code, BERTH_ERROR);
}

// Upstream cancels the context, which ends the polls and prevents further writes.
TEST(BindPodVolumes, OfAPodThatIsGivenUpTheWaitEnds) {
  Fixture rig;
  rig.Claims({Provisioned()}).Reserve();
  const StartedCall call = rig.Bind();
  ASSERT_FALSE(call.ended());
  rig.attempt->Cancel();
  rig.attempt->Unreserve("node1");
  rig.plugin.host().tasks().Advance();
  ASSERT_TRUE(call.ended());
  EXPECT_EQ(call.outcome(), (Outcome{BERTH_ERROR, {"binding volumes: context canceled"}}));
  // no operation waits for it
  rig.plugin.Put(kClaims, Bound(Selected(Provisioned()), "pv-bound")).Put(kVolumes, kPvBound);
}

TEST(BindPodVolumes, OfAPodThatIsGivenUpNoMoreIsWritten) {
  Fixture rig;
  rig.Volumes({kNode1a}).Claims({kUnbound, Provisioned()}).Reserve();
  const StartedCall call = rig.attempt->StartPreBind("node1");
  ASSERT_EQ(rig.Writes().size(), 1u);
  rig.attempt->Cancel();
  rig.attempt->Unreserve("node1");
  rig.plugin.host().api().AnswersBy([](const FakeRequest&) { return FakeReply(); }).Deliver();
  EXPECT_EQ(rig.Writes().size(), 1u);
  ASSERT_TRUE(call.ended());
  EXPECT_EQ(call.outcome().code, BERTH_ERROR);
}

TEST(BindPodVolumes, WithoutAnythingToBindItIsDone) {
  SCOPED_TRACE("nothing-to-bind-empty");
  Fixture rig;
  rig.Volumes({kPvBound}).Claims({Bound(Claim("bound-pvc"), "pv-bound")}).Choose();
  EXPECT_EQ(rig.attempt->PreBind("node1"), Outcome{});
}

struct Migration {
  const char* name;
  const char* zone;     // of the node, in the CSI driver's label
  const char* plugins;  // the migrated ones; null: the node has no CSINode
  FakeObject volume, claim;
  FakeObject later;  // the claim after the writes
  End end;
};

class CheckBindingsWithCSIMigration : public testing::TestWithParam<Migration> {};

TEST_P(CheckBindingsWithCSIMigration, Upstream) {
  const Migration& c = GetParam();
  Fixture rig(FakeNode("node1").Label("topology.gke.io/zone", c.zone));
  if (c.plugins != nullptr) {
    rig.plugin.Put(kCsiNodes,
                   FakeObject("node1").Annotation("storage.alpha.kubernetes.io/migrated-plugins", c.plugins));
  }
  rig.Volumes({c.volume}).Claims({c.claim}).Reserve();
  const StartedCall call = rig.Bind();
  rig.plugin.Put(kClaims, c.later);
  ExpectEnd(rig, call,
            {.end = c.end,
             .why = "pv \"pv-migration-bound\" node affinity doesn't match node \"node1\": no matching "
                    "NodeSelectorTerms"});
}

const FakeObject kToProvision = Claim("pvc-migration-provisioned", "1Gi", "waitClassWithProvisioner");
constexpr const char *kHere = "us-east-1", *kElsewhere = "us-east-2", *kGce = "kubernetes.io/gce-pd";

INSTANTIATE_TEST_SUITE_P(
    Upstream, CheckBindingsWithCSIMigration,
    testing::Values(Migration{"provisioning-pvc-bound", kHere, kGce, MigrationVolume("pvc-migration-bound"),
                              kToProvision, Bound(Selected(kToProvision), "pv-migration-bound"), End::kBound},
                    Migration{"binding-node-pv-same-zone", kHere, kGce, MigrationVolume("unbound-pvc"), kUnbound,
                              kUnbound, End::kWaits},
                    Migration{"binding-without-csinode", kHere, nullptr, MigrationVolume("unbound-pvc"), kUnbound,
                              kUnbound, End::kWaits},
                    Migration{"binding-non-migrated-plugin", kHere, "", MigrationVolume("unbound-pvc"), kUnbound,
                              kUnbound, End::kWaits},
                    Migration{"binding-node-pv-in-different-zones", kElsewhere, kGce, MigrationVolume("unbound-pvc"),
                              kUnbound, kUnbound, End::kFails},
                    Migration{"binding-node-pv-different-zones-migration-off", kElsewhere, kGce,
                              MigrationVolume("unbound-pvc", false), kUnbound, kUnbound, End::kWaits}),
    [](const auto& info) { return TestNameOf(info.param.name); });

}  // namespace
}  // namespace volume_binding_test
