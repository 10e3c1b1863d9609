// AddPod and RemovePod, and properties of terms that upstream's tables do not cover.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "test_pods.h"

namespace plugins::inter_pod::test {
namespace {

using testing::IsEmpty;

const Sel kSelectsFooBar = In("foo", {"bar"}), kFoo = In("foo", {"bar", "buzz"});
const Sel kNoService = NotIn("service", {"bar", "security", "test"});
FakePod Labelled(const char* name) { return FakePod(name).Label("foo", "bar"); }
FakePod AwayComplex(FakePod pod) { return Away(Away(std::move(pod), {"region", kFoo}), {"zone", kNoService}); }
FakePod NearComplex(FakePod pod) { return Near(Near(std::move(pod), {"region", kFoo}), {"zone", kNoService}); }

std::vector<FakeNode> Nodes() {
  return {FakeNode("nodeA").Label("region", "r1").Label("zone", "z11"),
          FakeNode("nodeB").Label("region", "r1").Label("zone", "z12"),
          FakeNode("nodeC").Label("region", "r2").Label("zone", "z21")};
}

struct TrialCase {
  const char* name;
  FakePod pending, added;  // added: Node() says where
  std::vector<FakePod> existing;
};

class Trials : public testing::TestWithParam<TrialCase> {
 protected:
  std::map<std::string, Outcome> Verdicts(const std::vector<FakePod>& existing) const {
    World world;
    Fill(world, existing);
    auto attempt = world.plugin.Try(GetParam().pending);
    return attempt->PreFilter().ok() ? attempt->Filter().nodes : std::map<std::string, Outcome>();
  }
  static void Fill(World& world, const std::vector<FakePod>& existing) {
    for (const FakeNode& node : Nodes()) world.plugin.cluster().Add(node);
    for (const FakePod& pod : existing) world.Run(pod, pod.node());
    world.Start();
  }
};

// TestPreFilterStateAddRemovePod: a trial gives the result of a cycle with or without the pod.
TEST_P(Trials, AddAndRemove) {
  const TrialCase& test = GetParam();
  std::vector<FakePod> with = test.existing;
  with.push_back(test.added);
  const auto before = Verdicts(test.existing), after = Verdicts(with);

  World world;
  Fill(world, test.existing);
  auto attempt = world.plugin.Try(test.pending);
  ASSERT_TRUE(attempt->PreFilter().ok());
  {
    auto trial = attempt->Trial();
    ASSERT_TRUE(trial->AddPod(test.added, test.added.node()).ok());
    EXPECT_EQ(trial->Filter().nodes, after);
    EXPECT_EQ(attempt->Filter().nodes, before) << "a clone has its own changes";
    ASSERT_TRUE(trial->RemovePod(test.added, test.added.node()).ok());
    EXPECT_EQ(trial->Filter().nodes, before);
  }
  World full;
  Fill(full, with);
  auto other = full.plugin.Try(test.pending);
  ASSERT_TRUE(other->PreFilter().ok());
  auto trial = other->Trial();
  ASSERT_TRUE(trial->RemovePod(test.added, test.added.node()).ok());
  EXPECT_EQ(trial->Filter().nodes, before);
}

INSTANTIATE_TEST_SUITE_P(
    Upstream, Trials,
    testing::Values(
        TrialCase{
            .name = "AntiAffinity",
            .pending = Away(Labelled("pending"), {"region", kSelectsFooBar}),
            .added = Away(Labelled("added"), {"region", kSelectsFooBar}).Node("nodeB"),
            .existing = {Labelled("p1").Node("nodeA"), Away(FakePod("p2"), {"region", kSelectsFooBar}).Node("nodeC")}},
        TrialCase{
            .name = "AntiAffinityComplex",
            .pending = AwayComplex(Labelled("pending")),
            .added = AwayComplex(Labelled("added")).Node("nodeA"),
            .existing = {Labelled("p1").Node("nodeA"), Away(FakePod("p2"), {"region", kSelectsFooBar}).Node("nodeC")}},
        TrialCase{.name = "AffinityComplex",
                  .pending = NearComplex(Labelled("pending")),
                  .added = AwayComplex(Labelled("added")).Node("nodeA"),
                  .existing = {Labelled("p1").Node("nodeA"),
                               Away(NearComplex(FakePod("p2")), {"region", kSelectsFooBar}).Node("nodeC")}},
        // Not upstream's: an added pod brings keys that PreFilter did not see, or a removed one empties its counts.
        TrialCase{.name = "ExistingTermOfANewKey",
                  .pending = Away(Labelled("pending"), {"region", In("foo", {"nobody"})}),
                  .added = Away(FakePod("added"), {"zone", kSelectsFooBar}).Node("nodeB")},
        TrialCase{.name = "FirstOfAGroup",
                  .pending = Near(Labelled("pending"), {"zone", kSelectsFooBar}),
                  .added = Labelled("added").Node("nodeC")},
        TrialCase{.name = "OwnAntiAffinityWithoutPods",
                  .pending = Away(Labelled("pending"), {"zone", kSelectsFooBar}),
                  .added = Labelled("added").Node("nodeB")}),
    [](const auto& info) { return std::string(info.param.name); });

// After SKIP, the host does not call AddPod, so the anti-affinity of nominated pods is not checked. If AddPod is called
// without PreFilter, the plugin returns upstream's error.
TEST(InterPodAffinity, WithoutPreFilterThereIsNothingToChange) {
  World world;
  world.plugin.cluster().Add(FakeNode("n").Label("zone", "z"));
  world.Start();
  auto attempt = world.plugin.Try(FakePod("p"));
  EXPECT_EQ(attempt->PreFilter().code, BERTH_SKIP);
  const Outcome error{BERTH_ERROR, {"error reading \"PreFilterInterPodAffinity\" from cycleState: not found"}};
  EXPECT_EQ(static_cast<const Outcome&>(attempt->Filter()), error);  // TestPreFilterDisabled
  EXPECT_EQ(attempt->Trial()->AddPod(Away(FakePod("e"), {"zone", Sel{}}), "n"), error);
}

// ---- the namespace selector's by-value quirk

struct Quirk {
  const char* name;
  Sel namespaces;
  const char* where;  // the existing pod's namespace
  bool matches;
};
class NamespaceSelectorQuirk : public testing::TestWithParam<Quirk> {};

TEST_P(NamespaceSelectorQuirk, OfTheIncomingPod) {
  World world;
  world.plugin.cluster().Add(FakeNode("n").Label("zone", "z"));
  world.Run(Labelled("e").Namespace(GetParam().where), "n");
  world.Start();
  auto attempt =
      world.plugin.Try(Away(FakePod("p").Namespace("own"),
                            {.key = "zone", .selector = kSelectsFooBar, .namespace_selector = GetParam().namespaces}));
  ASSERT_TRUE(attempt->PreFilter().ok());
  EXPECT_EQ(attempt->Filter().nodes.at("n"), GetParam().matches ? kAntiAffinityRefusal : Outcome{});
}

INSTANTIATE_TEST_SUITE_P(
    Cases, NamespaceSelectorQuirk,
    testing::Values(
        Quirk{.name = "Selected", .namespaces = In("team", {"team1"}), .where = "subteam1.team1", .matches = true},
        Quirk{.name = "NotSelected", .namespaces = In("team", {"team1"}), .where = "subteam1.team2", .matches = false},
        Quirk{.name = "OwnIsNotAdded", .namespaces = In("team", {"team1"}), .where = "own", .matches = false},
        // Intended for namespaces of other teams, but matches all.
        Quirk{.name = "NegativeStandsForAll",
              .namespaces = NotIn("team", {"team1"}),
              .where = "subteam1.team1",
              .matches = true},
        Quirk{.name = "AbsentStandsForAll",
              .namespaces = DoesNotExist("team"),
              .where = "subteam1.team1",
              .matches = true},
        Quirk{.name = "UnknownNamespace", .namespaces = DoesNotExist("team"), .where = "nowhere", .matches = true},
        Quirk{.name = "NegativeAndPositive",
              .namespaces = And(NotIn("team", {"team2"}), Exists("team")),
              .where = "subteam1.team2",
              .matches = false},
        Quirk{.name = "EmptyIsEvery", .namespaces = Sel{}, .where = "subteam1.team2", .matches = true}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(InterPodAffinity, ListedAndSelectedNamespaces) {
  for (const auto& [where, matches] : std::map<const char*, bool>{
           {"listed", true}, {"subteam1.team1", true}, {"subteam1.team2", false}, {"own", false}}) {
    World world;
    world.plugin.cluster().Add(FakeNode("n").Label("zone", "z"));
    world.Run(Labelled("e").Namespace(where), "n");
    world.Start();
    auto attempt = world.plugin.Try(Away(FakePod("p").Namespace("own"), {.key = "zone",
                                                                         .selector = kSelectsFooBar,
                                                                         .namespaces = {"listed"},
                                                                         .namespace_selector = In("team", {"team1"})}));
    ASSERT_TRUE(attempt->PreFilter().ok());
    EXPECT_EQ(attempt->Filter().nodes.at("n"), matches ? kAntiAffinityRefusal : Outcome{}) << where;
  }
}

// Existing pods' terms see the labels of the incoming pod's namespace.
TEST(InterPodAffinity, ExistingTermsSeeTheIncomingPodsNamespace) {
  World world;
  world.plugin.cluster().Add(FakeNode("n").Label("zone", "z"));
  world.Run(Away(FakePod("e").Namespace("own"),
                 {.key = "zone", .selector = kSelectsFooBar, .namespace_selector = NotIn("team", {"team1"})}),
            "n");
  world.Start();
  const auto refused = [&](const char* ns) {
    return world.plugin.Try(Labelled("p").Namespace(ns))->PreFilter().code != BERTH_SKIP;
  };
  EXPECT_FALSE(refused("subteam1.team1"));
  EXPECT_TRUE(refused("subteam1.team2"));
  EXPECT_TRUE(refused("nowhere")) << "an unknown namespace has no labels";
  world.plugin.Put("v1/namespaces", FakeObject("subteam1.team1").Label("team", "another"));
  EXPECT_TRUE(refused("subteam1.team1")) << "its labels have changed";
}

TEST(InterPodAffinity, ChangedNamespacesAreSelectedAgain) {
  World world;
  world.plugin.cluster().Add(FakeNode("n").Label("zone", "z"));
  world.Run(Labelled("e").Namespace("late"), "n");
  world.Start();
  const auto verdict = [&] {
    auto attempt = world.plugin.Try(
        Away(FakePod("p"), {.key = "zone", .selector = kSelectsFooBar, .namespace_selector = In("team", {"team1"})}));
    EXPECT_TRUE(attempt->PreFilter().ok());
    return attempt->Filter().nodes.at("n");
  };
  EXPECT_EQ(verdict(), Outcome{});
  world.plugin.Put("v1/namespaces", FakeObject("late").Label("team", "team1"));
  EXPECT_EQ(verdict(), kAntiAffinityRefusal);
  world.plugin.Delete("v1/namespaces", "late");
  EXPECT_EQ(verdict(), Outcome{});
}

// A nil selector matches nothing; an empty one matches everything.
TEST(InterPodAffinity, NilAndEmptySelectors) {
  World world;
  world.plugin.cluster().Add(FakeNode("n").Label("zone", "z"));
  world.Run(Labelled("e"), "n");
  world.Start();
  const auto verdict = [&](const Sel& selector) {
    auto attempt = world.plugin.Try(Away(FakePod("p"), {"zone", selector}));
    EXPECT_TRUE(attempt->PreFilter().ok());
    return attempt->Filter().nodes.at("n");
  };
  EXPECT_EQ(verdict(Sel::Nil()), Outcome{});
  EXPECT_EQ(verdict(Sel{}), kAntiAffinityRefusal);
}

// A pod on a node without the key leaves the counts empty.
TEST(InterPodAffinity, FirstOfAGroupDespiteAPodOutsideOfTheTopology) {
  World world;
  world.plugin.cluster().Add(FakeNode("in").Label("zone", "z")).Add(FakeNode("out"));
  world.Run(Labelled("e"), "out");
  world.Start();
  auto attempt = world.plugin.Try(Near(Labelled("p"), {"zone", kSelectsFooBar}));
  ASSERT_TRUE(attempt->PreFilter().ok());
  EXPECT_EQ(attempt->Filter().nodes, (std::map<std::string, Outcome>{{"in", {}}, {"out", kAffinityRefusal}}));
  auto stranger = world.plugin.Try(Near(FakePod("q"), {"zone", kSelectsFooBar}));
  ASSERT_TRUE(stranger->PreFilter().ok());
  EXPECT_EQ(stranger->Filter().nodes.at("in"), kAffinityRefusal) << "it does not match its own terms";
}

// Pods on nodes without the key have no effect on those nodes.
TEST(InterPodAffinity, PodsOutsideOfTheTopology) {
  World world;
  world.plugin.cluster().Add(FakeNode("in").Label("zone", "z")).Add(FakeNode("out"));
  world.Run(Away(Labelled("e"), {"zone", kSelectsFooBar}), "out");
  world.Start();
  EXPECT_EQ(world.plugin.Try(Labelled("p"))->PreFilter().code, BERTH_SKIP);
  auto away = world.plugin.Try(Away(FakePod("p"), {"zone", kSelectsFooBar}));
  ASSERT_TRUE(away->PreFilter().ok());
  EXPECT_EQ(away->Filter().nodes, (std::map<std::string, Outcome>{{"in", {}}, {"out", {}}}));
  world.plugin.cluster().Add(Labelled("f"), "in");
  auto near = world.plugin.Try(Near(FakePod("p"), {"zone", kSelectsFooBar}));
  ASSERT_TRUE(near->PreFilter().ok());
  EXPECT_EQ(near->Filter().nodes, (std::map<std::string, Outcome>{{"in", {}}, {"out", kAffinityRefusal}}));
}

// Pods that are being deleted count like all others.
TEST(InterPodAffinity, TerminatingPodsCount) {
  World world;
  world.plugin.cluster().Add(FakeNode("n").Label("zone", "z"));
  world.Run(Labelled("e").Terminating(), "n");
  world.Start();
  auto attempt = world.plugin.Try(Away(FakePod("p"), {"zone", kSelectsFooBar}));
  ASSERT_TRUE(attempt->PreFilter().ok());
  EXPECT_EQ(attempt->Filter().nodes.at("n"), kAntiAffinityRefusal);
}

TEST(InterPodAffinity, ErrorsOfSeveralListsAreJoined) {
  World world;
  world.Start();
  const Sel bad_operator = One("a", "Has");
  auto outcome =
      world.plugin.Try(AwayIfPossible(Near(FakePod("p"), {"zone", bad_operator}), 1, {"zone", bad_operator}))
          ->PreFilter();
  EXPECT_EQ(static_cast<const Outcome&>(outcome),
            (Outcome{BERTH_UNRESOLVABLE,
                     {"parsing pod: [requiredAffinityTerms: \"Has\" is not a valid label selector operator, "
                      "preferredAntiAffinityTerms: \"Has\" is not a valid label selector operator]"}}));
}

}  // namespace
}  // namespace plugins::inter_pod::test
