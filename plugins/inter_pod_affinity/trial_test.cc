// AddPod and RemovePod, and the quirks of terms that upstream's tables do not show.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "test_pods.h"

namespace plugins::inter_pod::test {
namespace {

using testing::IsEmpty;

const Sel kFooBar = In("foo", {"bar"}), kFoo = In("foo", {"bar", "buzz"});
const Sel kNoService = NotIn("service", {"bar", "security", "test"});
FakePod Labelled(const char* name) { return FakePod(name).Label("foo", "bar"); }
FakePod AwayComplex(FakePod pod) { return Away(Away(std::move(pod), {"region", kFoo}), {"zone", kNoService}); }
FakePod NearComplex(FakePod pod) { return Near(Near(std::move(pod), {"region", kFoo}), {"zone", kNoService}); }

std::vector<FakeNode> Nodes() {
  return {FakeNode("nodeA").Label("region", "r1").Label("zone", "z11"),
          FakeNode("nodeB").Label("region", "r1").Label("zone", "z12"),
          FakeNode("nodeC").Label("region", "r2").Label("zone", "z21")};
}

struct Case {
  const char* name;
  FakePod pending, added;  // added: Node() says where
  std::vector<FakePod> existing;
};

class Trials : public testing::TestWithParam<Case> {
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

// TestPreFilterStateAddRemovePod: a trial answers as a cycle would in which the pod were there, or were not.
TEST_P(Trials, AddAndRemove) {
  const Case& test = GetParam();
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
        Case{"AntiAffinity",
             Away(Labelled("pending"), {"region", kFooBar}),
             Away(Labelled("added"), {"region", kFooBar}).Node("nodeB"),
             {Labelled("p1").Node("nodeA"), Away(FakePod("p2"), {"region", kFooBar}).Node("nodeC")}},
        Case{"AntiAffinityComplex",
             AwayComplex(Labelled("pending")),
             AwayComplex(Labelled("added")).Node("nodeA"),
             {Labelled("p1").Node("nodeA"), Away(FakePod("p2"), {"region", kFooBar}).Node("nodeC")}},
        Case{"AffinityComplex",
             NearComplex(Labelled("pending")),
             AwayComplex(Labelled("added")).Node("nodeA"),
             {Labelled("p1").Node("nodeA"), Away(NearComplex(FakePod("p2")), {"region", kFooBar}).Node("nodeC")}},
        // Not upstream's: what is added brings keys that PreFilter never met, or empties what it found.
        Case{"ExistingTermOfANewKey",
             Away(Labelled("pending"), {"region", In("foo", {"nobody"})}),
             Away(FakePod("added"), {"zone", kFooBar}).Node("nodeB"),
             {}},
        Case{"FirstOfAGroup", Near(Labelled("pending"), {"zone", kFooBar}), Labelled("added").Node("nodeC"), {}},
        Case{"OwnAntiAffinityWithoutPods",
             Away(Labelled("pending"), {"zone", kFooBar}),
             Labelled("added").Node("nodeB"),
             {}}),
    [](const auto& info) { return std::string(info.param.name); });

// Trap 9: after SKIP nominated pods' anti-affinity is not asked about; the host does not call AddPod then. A plugin
// that is asked all the same says what upstream does.
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
  auto attempt = world.plugin.Try(Away(FakePod("p").Namespace("own"), {"zone", kFooBar, {}, GetParam().namespaces}));
  ASSERT_TRUE(attempt->PreFilter().ok());
  EXPECT_EQ(attempt->Filter().nodes.at("n"), GetParam().matches ? kAntiAffinityRefusal : Outcome{});
}

INSTANTIATE_TEST_SUITE_P(Cases, NamespaceSelectorQuirk,
                         testing::Values(Quirk{"Selected", In("team", {"team1"}), "subteam1.team1", true},
                                         Quirk{"NotSelected", In("team", {"team1"}), "subteam1.team2", false},
                                         Quirk{"OwnIsNotAdded", In("team", {"team1"}), "own", false},
                                         // Meant for namespaces of other teams; holds for every one.
                                         Quirk{"NegativeStandsForAll", NotIn("team", {"team1"}), "subteam1.team1",
                                               true},
                                         Quirk{"AbsentStandsForAll", DoesNotExist("team"), "subteam1.team1", true},
                                         Quirk{"UnknownNamespace", DoesNotExist("team"), "nowhere", true},
                                         Quirk{"NegativeAndPositive", And(NotIn("team", {"team2"}), Exists("team")),
                                               "subteam1.team2", false},
                                         Quirk{"EmptyIsEvery", Sel{}, "subteam1.team2", true}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(InterPodAffinity, ListedAndSelectedNamespaces) {
  for (const auto& [where, matches] : std::map<const char*, bool>{
           {"listed", true}, {"subteam1.team1", true}, {"subteam1.team2", false}, {"own", false}}) {
    World world;
    world.plugin.cluster().Add(FakeNode("n").Label("zone", "z"));
    world.Run(Labelled("e").Namespace(where), "n");
    world.Start();
    auto attempt =
        world.plugin.Try(Away(FakePod("p").Namespace("own"), {"zone", kFooBar, {"listed"}, In("team", {"team1"})}));
    ASSERT_TRUE(attempt->PreFilter().ok());
    EXPECT_EQ(attempt->Filter().nodes.at("n"), matches ? kAntiAffinityRefusal : Outcome{}) << where;
  }
}

// Existing pods' terms see the labels of the incoming pod's namespace.
TEST(InterPodAffinity, ExistingTermsSeeTheIncomingPodsNamespace) {
  World world;
  world.plugin.cluster().Add(FakeNode("n").Label("zone", "z"));
  world.Run(Away(FakePod("e").Namespace("own"), {"zone", kFooBar, {}, NotIn("team", {"team1"})}), "n");
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

TEST(InterPodAffinity, NamespacesThatChangeAreSelectedAnew) {
  World world;
  world.plugin.cluster().Add(FakeNode("n").Label("zone", "z"));
  world.Run(Labelled("e").Namespace("late"), "n");
  world.Start();
  const auto verdict = [&] {
    auto attempt = world.plugin.Try(Away(FakePod("p"), {"zone", kFooBar, {}, In("team", {"team1"})}));
    EXPECT_TRUE(attempt->PreFilter().ok());
    return attempt->Filter().nodes.at("n");
  };
  EXPECT_EQ(verdict(), Outcome{});
  world.plugin.Put("v1/namespaces", FakeObject("late").Label("team", "team1"));
  EXPECT_EQ(verdict(), kAntiAffinityRefusal);
  world.plugin.Delete("v1/namespaces", "late");
  EXPECT_EQ(verdict(), Outcome{});
}

// A nil selector matches nothing; an empty one everything.
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

// Example 1 of in-tree-plugins.md 2.12: the pod on a node without the key leaves the counts empty.
TEST(InterPodAffinity, FirstOfAGroupDespiteAPodOutsideOfTheTopology) {
  World world;
  world.plugin.cluster().Add(FakeNode("in").Label("zone", "z")).Add(FakeNode("out"));
  world.Run(Labelled("e"), "out");
  world.Start();
  auto attempt = world.plugin.Try(Near(Labelled("p"), {"zone", kFooBar}));
  ASSERT_TRUE(attempt->PreFilter().ok());
  EXPECT_EQ(attempt->Filter().nodes, (std::map<std::string, Outcome>{{"in", {}}, {"out", kAffinityRefusal}}));
  auto stranger = world.plugin.Try(Near(FakePod("q"), {"zone", kFooBar}));
  ASSERT_TRUE(stranger->PreFilter().ok());
  EXPECT_EQ(stranger->Filter().nodes.at("in"), kAffinityRefusal) << "it does not match its own terms";
}

// Pods on nodes without the key neither close those nodes nor open them.
TEST(InterPodAffinity, PodsOutsideOfTheTopology) {
  World world;
  world.plugin.cluster().Add(FakeNode("in").Label("zone", "z")).Add(FakeNode("out"));
  world.Run(Away(Labelled("e"), {"zone", kFooBar}), "out");
  world.Start();
  EXPECT_EQ(world.plugin.Try(Labelled("p"))->PreFilter().code, BERTH_SKIP);
  auto away = world.plugin.Try(Away(FakePod("p"), {"zone", kFooBar}));
  ASSERT_TRUE(away->PreFilter().ok());
  EXPECT_EQ(away->Filter().nodes, (std::map<std::string, Outcome>{{"in", {}}, {"out", {}}}));
  world.plugin.cluster().Add(Labelled("f"), "in");
  auto near = world.plugin.Try(Near(FakePod("p"), {"zone", kFooBar}));
  ASSERT_TRUE(near->PreFilter().ok());
  EXPECT_EQ(near->Filter().nodes, (std::map<std::string, Outcome>{{"in", {}}, {"out", kAffinityRefusal}}));
}

// Pods that are being deleted count like any other.
TEST(InterPodAffinity, TerminatingPodsCount) {
  World world;
  world.plugin.cluster().Add(FakeNode("n").Label("zone", "z"));
  world.Run(Labelled("e").Terminating(), "n");
  world.Start();
  auto attempt = world.plugin.Try(Away(FakePod("p"), {"zone", kFooBar}));
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
