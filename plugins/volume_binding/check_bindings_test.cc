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
        Check{.name = "binding-bound",
              .volumes = {kNode1a},
              .claims = {kUnbound},
              .volumes2 = {kNode1aBound},
              .claims2 = {Bound(kUnbound, "pv-node1a")},
              .end = End::kBound},
        Check{.name = "binding-prebound",
              .volumes = {kNode1a},
              .claims = {kUnbound},
              .volumes2 = {kNode1aBound},
              .claims2 = {Prebound(kUnbound, "pv-node1a")},
              .end = End::kWaits},
        Check{.name = "binding-unbound",
              .volumes = {kNode1a},
              .claims = {kUnbound},
              .volumes2 = {kNode1aBound},
              .claims2 = {kUnbound},
              .end = End::kWaits},
        Check{.name = "binding-pvc-not-exists",
              .volumes = {kNode1a},
              .claims = {kUnbound},
              .volumes2 = {kNode1aBound},
              .gone = {"testns/unbound-pvc"},
              .end = End::kFails,
              .why = "failed to check binding: persistentvolumeclaim \"unbound-pvc\" not found"},
        Check{.name = "binding-pv-not-exists",
              .volumes = {kNode1a},
              .claims = {kUnbound},
              .gone = {"pv-node1a"},
              .end = End::kFails,
              .why = "failed to check binding: persistentvolume \"pv-node1a\" not found"},
        Check{.name = "binding-claimref-nil",
              .volumes = {kNode1a},
              .claims = {kUnbound},
              .volumes2 = {kNode1a},
              .end = End::kFails,
              .why = kReset},
        Check{.name = "binding-claimref-uid-empty",
              .volumes = {kNode1a},
              .claims = {kUnbound},
              .volumes2 = {BoundTo(kNode1a, "unbound-pvc", "")},
              .end = End::kFails,
              .why = kReset},
        Check{.name = "binding-one-bound,one-unbound",
              .volumes = {kNode1a, kNode1b},
              .claims = {kUnbound, kUnbound2},
              .volumes2 = {kNode1aBound, BoundTo(kNode1b, "unbound-pvc2")},
              .claims2 = {Bound(kUnbound, "pv-node1a"), kUnbound2},
              .end = End::kWaits},
        Check{.name = "provisioning-pvc-bound",
              .claims = {Provisioned()},
              .volumes2 = {kPvBound},
              .claims2 = {Bound(Selected(Provisioned()), "pv-bound")},
              .end = End::kBound},
        Check{.name = "provisioning-pvc-unbound",
              .claims = {Provisioned()},
              .claims2 = {Selected(Provisioned())},
              .end = End::kWaits},
        Check{.name = "provisioning-pvc-not-exists",
              .claims = {Provisioned()},
              .gone = {"testns/provisioned-pvc"},
              .end = End::kFails,
              .why = "failed to check provisioning pvc: persistentvolumeclaim \"provisioned-pvc\" not found"},
        Check{.name = "provisioning-pvc-annotations-nil",
              .claims = {Provisioned()},
              .claims2 = {Provisioned()},
              .end = End::kFails,
              .why = "selectedNode annotation reset for PVC \"provisioned-pvc\""},
        Check{.name = "provisioning-pvc-selected-node-dropped",
              .claims = {Provisioned()},
              .claims2 = {Provisioned().Merge(R"({"metadata":{"annotations":{}}})")},
              .end = End::kFails,
              .why = kGivenUp},
        Check{.name = "provisioning-pvc-selected-node-wrong-node",
              .claims = {Provisioned()},
              .claims2 = {Selected(Provisioned(), "wrong-node")},
              .end = End::kFails,
              .why = kGivenUp},
        Check{.name = "binding-bound-provisioning-unbound",
              .volumes = {kNode1a},
              .claims = {kUnbound, Provisioned()},
              .volumes2 = {kNode1aBound},
              .claims2 = {Bound(kUnbound, "pv-node1a"), Selected(Provisioned())},
              .end = End::kWaits},
        Check{.name = "tolerate-provisioning-pvc-bound-pv-not-found",
              .claims = {Provisioned()},
              .claims2 = {Bound(Selected(Provisioned()), "pv-bound")},
              .end = End::kWaits},
        Check{.name = "what comes after a claim that is not bound is not looked at",
              .volumes = {kNode1a},
              .claims = {kUnbound, Provisioned()},
              .volumes2 = {kNode1aBound},
              .claims2 = {Provisioned()},
              .end = End::kWaits},
        // TestBindPodVolumes
        Check{.name = "already-bound",
              .volumes = {kNode1aBound},
              .claims = {kUnbound},
              .claims2 = {Bound(kUnbound, "pv-node1a")},
              .end = End::kBound},
        Check{.name = "binding-static-pv-succeeds-after-time",
              .volumes = {kNode1a},
              .claims = {kUnbound},
              .claims2 = {Bound(kUnbound, "pv-node1a")},
              .end = End::kBound},
        Check{.name = "binding-dynamic-pv-succeeds-after-time",
              .claims = {Provisioned()},
              .volumes2 = {BoundTo(Volume("dynamic-pv", "node1", "1G"), "provisioned-pvc")},
              .claims2 = {Bound(Selected(Provisioned()), "dynamic-pv")},
              .end = End::kBound},
        Check{.name = "binding-times-out", .volumes = {kNode1a}, .claims = {kUnbound}, .end = End::kWaits},
        Check{.name = "binding-fails", .volumes = {kNode1b}, .claims = {kUnbound2}, .end = End::kWaits},
        Check{.name = "check-fails",
              .volumes = {kNode1a},
              .claims = {kUnbound},
              .gone = {"testns/unbound-pvc"},
              .end = End::kFails,
              .why = "failed to check binding: persistentvolumeclaim \"unbound-pvc\" not found"},
        Check{.name = "node-affinity-fails-dynamic-provisioning",
              .volumes = {kNode2},
              .claims = {Provisioned()},
              .claims2 = {Bound(Selected(Provisioned()), "pv-node2")},
              .end = End::kFails,
              .why = "pv \"pv-node2\" node affinity doesn't match node \"node1\": no matching NodeSelectorTerms"}),
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
  EXPECT_EQ(rig.Errors("bind"), 0);
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
  EXPECT_EQ(rig.Errors("bind"), 1);
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

INSTANTIATE_TEST_SUITE_P(Upstream, CheckBindingsWithCSIMigration,
                         testing::Values(Migration{.name = "provisioning-pvc-bound",
                                                   .zone = kHere,
                                                   .plugins = kGce,
                                                   .volume = MigrationVolume("pvc-migration-bound"),
                                                   .claim = kToProvision,
                                                   .later = Bound(Selected(kToProvision), "pv-migration-bound"),
                                                   .end = End::kBound},
                                         Migration{.name = "binding-node-pv-same-zone",
                                                   .zone = kHere,
                                                   .plugins = kGce,
                                                   .volume = MigrationVolume("unbound-pvc"),
                                                   .claim = kUnbound,
                                                   .later = kUnbound,
                                                   .end = End::kWaits},
                                         Migration{.name = "binding-without-csinode",
                                                   .zone = kHere,
                                                   .plugins = nullptr,
                                                   .volume = MigrationVolume("unbound-pvc"),
                                                   .claim = kUnbound,
                                                   .later = kUnbound,
                                                   .end = End::kWaits},
                                         Migration{.name = "binding-non-migrated-plugin",
                                                   .zone = kHere,
                                                   .plugins = "",
                                                   .volume = MigrationVolume("unbound-pvc"),
                                                   .claim = kUnbound,
                                                   .later = kUnbound,
                                                   .end = End::kWaits},
                                         Migration{.name = "binding-node-pv-in-different-zones",
                                                   .zone = kElsewhere,
                                                   .plugins = kGce,
                                                   .volume = MigrationVolume("unbound-pvc"),
                                                   .claim = kUnbound,
                                                   .later = kUnbound,
                                                   .end = End::kFails},
                                         Migration{.name = "binding-node-pv-different-zones-migration-off",
                                                   .zone = kElsewhere,
                                                   .plugins = kGce,
                                                   .volume = MigrationVolume("unbound-pvc", false),
                                                   .claim = kUnbound,
                                                   .later = kUnbound,
                                                   .end = End::kWaits}),
                         [](const auto& info) { return TestNameOf(info.param.name); });

}  // namespace
}  // namespace volume_binding_test
