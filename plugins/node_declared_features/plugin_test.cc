// Cases have the names of nodedeclaredfeatures_test.go, with the features of 1.36 instead of mocks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <berth/testing/names.hpp>
#include <berth/testing/plugin_under_test.hpp>

#include "berth/entry.h"
#include "features.h"

namespace {

using namespace berth::sdk::testing;  // NOLINT: tests use the fake host's names
using plugins::node_declared_features::DeclaredIn;
using plugins::node_declared_features::kKnown;
using testing::ElementsAre;

const Outcome kRefused{BERTH_UNRESOLVABLE, {"node(s) didn't match Pod's required features"}};
const std::string kRestart = "RestartAllContainersOnContainerExits", kUsers = "UserNamespacesHostNetworkSupport";

FakePod Ordinary() { return FakePod("p"); }
FakePod Restarter() { return FakePod("p").Has(BERTH_POD_HAS_RESTART_ALL); }
FakePod OwnUsers() { return FakePod("p").Has(BERTH_POD_HAS_HOST_NETWORK | BERTH_POD_HAS_NO_HOST_USERS); }
FakePod Both() { return OwnUsers().Has(BERTH_POD_HAS_RESTART_ALL); }

struct Fixture : PluginUnderTest {
  explicit Fixture(const Texts& declared = {}) : PluginUnderTest(berth_entry_v1, "NodeDeclaredFeatures") {
    FakeNode node("n");
    for (const std::string& feature : declared) node.Feature(feature);
    cluster().Add(FakeNode("other")).Add(node);
    EXPECT_TRUE(Start().ok());
  }
};

TEST(PreFilter, PodWithNoRequirementsIsSkipped) {
  SCOPED_TRACE("Pod with no requirements");
  Fixture rig;
  EXPECT_EQ(rig.Try(Ordinary())->PreFilter().code, BERTH_SKIP);
  EXPECT_EQ(rig.Try(Ordinary().Has(BERTH_POD_HAS_HOST_NETWORK))->PreFilter().code, BERTH_SKIP) << "hostUsers is nil";
  EXPECT_EQ(rig.Try(Ordinary().Has(BERTH_POD_HAS_NO_HOST_USERS))->PreFilter().code, BERTH_SKIP);
  EXPECT_EQ(rig.Try(Ordinary().Has(BERTH_POD_HAS_PREEMPTED | BERTH_POD_HAS_PRIORITY))->PreFilter().code, BERTH_SKIP);
}

TEST(PreFilter, PodWithFeatureRequirements) {
  Fixture rig;
  EXPECT_TRUE(rig.Try(Restarter())->PreFilter().ok()) << "Pod with feature requirements";
  EXPECT_TRUE(rig.Try(OwnUsers())->PreFilter().ok());
  EXPECT_TRUE(rig.Try(Both())->PreFilter().ok()) << "Pod with multiple feature requirements";
}

struct Case {
  const char* name;
  FakePod pod;
  Texts declared;
  bool fits;
};

class Filter : public testing::TestWithParam<Case> {};

TEST_P(Filter, Upstream) {
  Fixture rig(GetParam().declared);
  const auto outcome = rig.Try(GetParam().pod)->Filter();
  EXPECT_EQ(outcome.nodes.at("n"), GetParam().fits ? Outcome{} : kRefused);
  EXPECT_EQ(outcome.nodes.at("other"), kRefused);
}

INSTANTIATE_TEST_SUITE_P(
    Upstream, Filter,
    testing::Values(
        Case{.name = "Node matches requirements", .pod = Restarter(), .declared = {kRestart, kUsers}, .fits = true},
        Case{.name = "Node does not match requirements", .pod = Restarter(), .declared = {kUsers}, .fits = false},
        Case{.name = "Node with multiple features, pod requires subset",
             .pod = Both(),
             .declared = {"ExtendWebSocketsToKubelet", kRestart, kUsers},
             .fits = true},
        Case{.name = "Node has no declared features", .pod = OwnUsers(), .fits = false},
        Case{.name = "Node with some but not all required features",
             .pod = Both(),
             .declared = {kRestart},
             .fits = false},
        Case{.name = "unknown features are ignored",
             .pod = OwnUsers(),
             .declared = {"A", "S", kUsers, "Z"},
             .fits = true},
        Case{.name = "a feature out of order is overlooked",
             .pod = Restarter(),
             .declared = {kUsers, kRestart},
             .fits = false}),
    [](const auto& info) { return TestNameOf(info.param.name); });

TEST(Features, KnownOnesAreSortedAndEachIsFound) {
  for (uint32_t i = 0; i < kKnown.size(); ++i) {
    if (i > 0) {
      EXPECT_LT(kKnown[i - 1], kKnown[i]);
    }
    EXPECT_EQ(DeclaredIn(1, [i](uint32_t) { return kKnown[i]; }), 1u << i);
  }
  EXPECT_EQ(DeclaredIn(kKnown.size(), [](uint32_t i) { return kKnown[i]; }), (1u << kKnown.size()) - 1);
}

TEST(Events, Interests) {
  Fixture rig;
  EXPECT_THAT(rig.Interests(),
              ElementsAre(InterestOutcome{"Node", BERTH_ACTION_ADD | BERTH_ACTION_UPDATE_NODE_DECLARED_FEATURE, true},
                          InterestOutcome{"Pod", BERTH_ACTION_UPDATE, true}));
}

// TestEnqueueExtensionsNodeUpdate
TEST(Events, NodesWakeWhenTheirFeaturesChange) {
  Fixture rig;
  const auto hint = [&](std::optional<FakeNode> before, const FakeNode& after) -> bool {
    return rig.Hints({.resource = "Node", .interest = 0, .old_node = std::move(before), .new_node = after}, {Both()})
        .queue.at(0);
  };
  const FakeNode bare("n"), able = FakeNode("n").Feature("FeatureA");
  EXPECT_TRUE(hint(std::nullopt, able)) << "Node Add with feature";
  EXPECT_TRUE(hint(bare, able)) << "Node Update (Features Added)";
  EXPECT_TRUE(hint(able, bare));
  EXPECT_FALSE(hint(able, able)) << "Node Update (Features Unchanged)";
  EXPECT_TRUE(hint(able, FakeNode("n").Feature("FeatureA").Feature("FeatureB")));
}

// TestEnqueueExtensionsPodUpdate
TEST(Events, ThePodItselfWakesWhenItNeedsSomethingElse) {
  Fixture rig;
  const auto hint = [&](const FakePod& before, const FakePod& after, const FakePod& waiting) -> bool {
    return rig.Hints({.resource = "Pod", .interest = 1, .old_pod = before, .new_pod = after}, {waiting}).queue.at(0);
  };
  EXPECT_TRUE(hint(Ordinary(), Restarter(), Both())) << "Pod Update adds requirement";
  EXPECT_TRUE(hint(Restarter(), Ordinary(), Both())) << "Pod Update removes requirement";
  EXPECT_FALSE(hint(Both(), Both(), Both())) << "Pod Update with no change in requirements";
  EXPECT_FALSE(hint(Ordinary(), Both(), FakePod("another"))) << "Updated pod not the same as target pod";
}

}  // namespace
