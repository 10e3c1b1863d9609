// PreScore, Score, and Normalize. Cases have the names and numbers of
// pkg/scheduler/framework/plugins/interpodaffinity/scoring_test.go.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "test_pods.h"

namespace plugins::inter_pod::test {
namespace {

const std::map<std::string, FakeNode> kPlaces = {
    {"china", FakeNode().Label("region", "China")},
    {"india", FakeNode().Label("region", "India")},
    {"az1", FakeNode().Label("az", "az1")},
    {"az2", FakeNode().Label("az", "az2")},
    {"china+az1", FakeNode().Label("region", "China").Label("az", "az1")},
};
const Sel kS1 = In("security", {"S1"}), kS2 = In("security", {"S2"}), kTeam1 = In("team", {"team1"});

FakePod S1(FakePod pod = FakePod("p")) { return pod.Label("security", "S1"); }
FakePod S2(FakePod pod = FakePod("p")) { return pod.Label("security", "S2"); }
FakePod WithS1InRegion(FakePod pod) { return NearIfPossible(std::move(pod), 5, {"region", kS1}); }
FakePod WithS2InRegion(FakePod pod) { return NearIfPossible(std::move(pod), 6, {"region", kS2}); }
FakePod Affinity3(FakePod pod) {
  pod = NearIfPossible(std::move(pod), 8, {"region", And(NotIn("security", {"S1"}), kS2)});
  return NearIfPossible(std::move(pod), 2, {"region", And(Exists("security"), DoesNotExist("wrongkey"))});
}
FakePod Hard(FakePod pod) {
  pod = Near(std::move(pod), {"region", In("security", {"S1", "value2"})});
  return Near(std::move(pod), {"region", And(Exists("security"), DoesNotExist("wrongkey"))});
}
FakePod AwayFromS1InAz(FakePod pod) { return AwayIfPossible(std::move(pod), 5, {"az", kS1}); }
FakePod AwayFromS2InAz(FakePod pod) { return AwayIfPossible(std::move(pod), 5, {"az", kS2}); }
FakePod WithS1AwayFromS2(FakePod pod) { return AwayFromS2InAz(NearIfPossible(std::move(pod), 8, {"region", kS1})); }
FakePod NearTeam1(FakePod pod) {
  return NearIfPossible(
      std::move(pod), 5,
      {.key = "region", .selector = kS1, .namespaces = {"subteam2.team2"}, .namespace_selector = kTeam1});
}
FakePod AwayFromTeam1(FakePod pod) {
  return AwayIfPossible(
      std::move(pod), 5,
      {.key = "region", .selector = kS1, .namespaces = {"subteam2.team2"}, .namespace_selector = kTeam1});
}
FakePod In1(FakePod pod) { return pod.Namespace("subteam1.team1"); }

// An existing pod, and the number of its node.
struct Existing {
  int node;
  FakePod pod;
};

struct ScoringCase {
  const char* name;
  FakePod pod;
  std::vector<Existing> existing;
  std::vector<const char*> nodes;   // places of node1, node2, ...
  std::vector<int64_t> normalized;  // empty: PreScore skips
  bool ignore_existing = false;
  int hard_weight = 1;
};

class Scoring : public testing::TestWithParam<ScoringCase> {};

TEST_P(Scoring, Normalized) {
  const ScoringCase& test = GetParam();
  World world(FakeValue::Object(
      {{"hardPodAffinityWeight", test.hard_weight}, {"ignorePreferredTermsOfExistingPods", test.ignore_existing}}));
  int n = 0;
  for (const char* place : test.nodes) {
    world.plugin.cluster().Add(FakeNode(kPlaces.at(place)).Name("node" + std::to_string(++n)));
  }
  for (const Existing& one : test.existing) world.Run(one.pod, "node" + std::to_string(one.node));
  world.Start();
  auto attempt = world.plugin.Try(test.pod);
  const Outcome pre_score = attempt->PreScore();
  if (test.normalized.empty()) {
    EXPECT_EQ(pre_score, kSkip);
    return;
  }
  ASSERT_EQ(pre_score, Outcome{});
  Scores expected;
  for (const int64_t score : test.normalized) expected["node" + std::to_string(expected.size() + 1)] = score;
  EXPECT_EQ(attempt->Normalize(attempt->Score().nodes).nodes, expected);
}

// TestPreferredAffinity, in its order; the two invalid ones are below.
INSTANTIATE_TEST_SUITE_P(
    PreferredAffinity, Scoring,
    testing::Values(
        ScoringCase{.name = "AffinityIsNil", .pod = S1(), .nodes = {"china", "india", "az1"}},
        ScoringCase{.name = "MatchesKeyAndPods",
                    .pod = WithS1InRegion(S1()),
                    .existing = {{1, S1()}, {2, S2()}, {3, S1()}},
                    .nodes = {"china", "india", "az1"},
                    .normalized = {100, 0, 0}},
        ScoringCase{.name = "SameDomainSameScore",
                    .pod = WithS1InRegion(FakePod("p")),
                    .existing = {{1, S1()}},
                    .nodes = {"china", "china+az1", "india"},
                    .normalized = {100, 100, 0}},
        ScoringCase{.name = "RegionWithMoreMatchingPods",
                    .pod = WithS2InRegion(S1()),
                    .existing = {{1, S2()}, {1, S2()}, {2, S2()}, {3, S2()}, {4, S2()}, {5, S2()}},
                    .nodes = {"china", "india", "china", "china", "india"},
                    .normalized = {100, 0, 100, 100, 0}},
        ScoringCase{.name = "DifferentOperators",
                    .pod = Affinity3(S1()),
                    .existing = {{1, S1()}, {2, S2()}, {3, S1()}},
                    .nodes = {"china", "india", "az1"},
                    .normalized = {20, 100, 0}},
        ScoringCase{.name = "Symmetry",
                    .pod = S2(),
                    .existing = {{1, WithS1InRegion(S1())}, {2, WithS2InRegion(S2())}},
                    .nodes = {"china", "india", "az1"},
                    .normalized = {0, 100, 0}},
        ScoringCase{.name = "SymmetryWithNamespaceSelector",
                    .pod = In1(S1()),
                    .existing = {{1, NearTeam1(S1())}, {2, WithS2InRegion(S2())}},
                    .nodes = {"china", "india", "az1"},
                    .normalized = {100, 0, 0}},
        ScoringCase{.name = "AntiSymmetryWithNamespaceSelector",
                    .pod = In1(S1()),
                    .existing = {{1, AwayFromTeam1(S1())}, {2, WithS2InRegion(S2())}},
                    .nodes = {"china", "india", "az1"},
                    .normalized = {0, 100, 100}},
        ScoringCase{.name = "RequiredSymmetry",
                    .pod = S1(),
                    .existing = {{1, Hard(S1())}, {2, Hard(S2())}},
                    .nodes = {"china", "india", "az1"},
                    .normalized = {100, 100, 0}},
        ScoringCase{.name = "AntiAffinity",
                    .pod = AwayFromS1InAz(S1()),
                    .existing = {{1, S1()}, {2, S2()}},
                    .nodes = {"az1", "china"},
                    .normalized = {0, 100}},
        ScoringCase{.name = "AntiAffinityKeyMissing",
                    .pod = AwayFromS1InAz(S1()),
                    .existing = {{1, S1()}, {2, S1()}},
                    .nodes = {"az1", "china"},
                    .normalized = {0, 100}},
        ScoringCase{.name = "AntiAffinityMoreMatches",
                    .pod = AwayFromS1InAz(S1()),
                    .existing = {{1, S1()}, {1, S1()}, {2, S2()}},
                    .nodes = {"az1", "india"},
                    .normalized = {0, 100}},
        ScoringCase{.name = "AntiAffinitySymmetry",
                    .pod = S2(),
                    .existing = {{1, AwayFromS2InAz(S1())}, {2, AwayFromS1InAz(S2())}},
                    .nodes = {"az1", "az2"},
                    .normalized = {0, 100}},
        ScoringCase{.name = "AffinityAndAntiAffinity",
                    .pod = WithS1AwayFromS2(S1()),
                    .existing = {{1, S1()}, {2, S1()}},
                    .nodes = {"china", "az1"},
                    .normalized = {100, 0}},
        ScoringCase{.name = "SameLabels",
                    .pod = WithS1AwayFromS2(S1()),
                    .existing = {{1, S1()}, {1, S1()}, {2, S1()}, {3, S1()}, {3, S1()}, {4, S1()}, {5, S1()}},
                    .nodes = {"china+az1", "india", "china", "china", "india"},
                    .normalized = {100, 0, 100, 100, 0}},
        ScoringCase{
            .name = "AffinityAntiAffinityAndSymmetry",
            .pod = WithS1AwayFromS2(S1()),
            .existing = {{1, S1()}, {2, S2()}, {3, WithS1AwayFromS2(FakePod())}, {4, AwayFromS1InAz(FakePod())}},
            .nodes = {"china", "az1", "india", "az2"},
            .normalized = {100, 0, 100, 0}},
        ScoringCase{.name = "PartOfADomainHasAffinityPods",
                    .pod = S1(),
                    .existing = {{1, S1()}, {2, WithS1AwayFromS2(FakePod())}},
                    .nodes = {"china", "china"},
                    .normalized = {0, 0}},
        ScoringCase{.name = "NamespaceSelector",
                    .pod = NearTeam1(In1(S1())),
                    .existing = {{1, S1().Namespace("subteam1.team1")},
                                 {1, S1().Namespace("subteam1.team1")},
                                 {1, S1().Namespace("subteam1.team2")},
                                 {2, S1().Namespace("subteam2.team1")}},
                    .nodes = {"china", "india"},
                    .normalized = {100, 0}},
        ScoringCase{.name = "NamespaceSelectorAndNamespaces",
                    .pod = NearTeam1(In1(S1())),
                    .existing = {{1, S1().Namespace("subteam1.team1")},
                                 {1, S1().Namespace("subteam1.team1")},
                                 {1, S1().Namespace("subteam2.team2")},
                                 {2, S1().Namespace("subteam2.team1")}},
                    .nodes = {"china", "india"},
                    .normalized = {100, 0}},
        ScoringCase{.name = "AntiNamespaceSelector",
                    .pod = AwayFromTeam1(In1(S1())),
                    .existing = {{1, S1().Namespace("subteam1.team1")},
                                 {1, S1().Namespace("subteam1.team1")},
                                 {1, S1().Namespace("subteam1.team2")},
                                 {2, S1().Namespace("subteam2.team1")}},
                    .nodes = {"china", "india"},
                    .normalized = {0, 100}},
        ScoringCase{.name = "AntiNamespaceSelectorAndNamespaces",
                    .pod = AwayFromTeam1(In1(S1())),
                    .existing = {{1, S1().Namespace("subteam1.team1")},
                                 {1, S1().Namespace("subteam1.team1")},
                                 {1, S1().Namespace("subteam2.team2")},
                                 {2, S1().Namespace("subteam2.team1")}},
                    .nodes = {"china", "india"},
                    .normalized = {0, 100}},
        ScoringCase{.name = "IgnorePreferredTermsOfExistingPods",
                    .pod = S2(),
                    .existing = {{1, WithS1AwayFromS2(S1())}, {2, WithS2InRegion(S2())}},
                    .nodes = {"china", "india"},
                    .ignore_existing = true},
        ScoringCase{.name = "DoNotIgnorePreferredTermsOfExistingPods",
                    .pod = S2(),
                    .existing = {{1, WithS1AwayFromS2(S1())}, {2, WithS2InRegion(S2())}},
                    .nodes = {"china", "india"},
                    .normalized = {0, 100}},
        ScoringCase{.name = "NoNodes", .pod = S2()}),
    [](const auto& info) { return std::string(info.param.name); });

FakePod HardTeam1() {
  return Near(FakePod("e"), {.key = "region",
                             .selector = In("service", {"S1"}),
                             .namespaces = {"default", "subteam2.team2"},
                             .namespace_selector = kTeam1});
}
FakePod ServiceIn(const char* ns) { return FakePod("p").Label("service", "S1").Namespace(ns); }
const std::vector<const char*> kThree = {"china", "india", "az1"};

// TestPreferredAffinityWithHardPodAffinitySymmetricWeight.
INSTANTIATE_TEST_SUITE_P(HardWeight, Scoring,
                         testing::Values(ScoringCase{.name = "Default",
                                                     .pod = ServiceIn("default"),
                                                     .existing = {{1, HardTeam1()}, {2, HardTeam1()}},
                                                     .nodes = kThree,
                                                     .normalized = {100, 100, 0}},
                                         ScoringCase{.name = "Zero",
                                                     .pod = ServiceIn("default"),
                                                     .existing = {{1, HardTeam1()}, {2, HardTeam1()}},
                                                     .nodes = kThree,
                                                     .ignore_existing = false,
                                                     .hard_weight = 0},
                                         ScoringCase{.name = "NoMatchingNamespace",
                                                     .pod = ServiceIn("subteam1.team2"),
                                                     .existing = {{1, HardTeam1()}, {2, HardTeam1()}},
                                                     .nodes = kThree},
                                         ScoringCase{.name = "NamespaceSelector",
                                                     .pod = ServiceIn("subteam1.team1"),
                                                     .existing = {{1, HardTeam1()}, {2, HardTeam1()}},
                                                     .nodes = kThree,
                                                     .normalized = {100, 100, 0}},
                                         ScoringCase{.name = "Namespaces",
                                                     .pod = ServiceIn("subteam2.team2"),
                                                     .existing = {{1, HardTeam1()}, {2, HardTeam1()}},
                                                     .nodes = kThree,
                                                     .normalized = {100, 100, 0}}),
                         [](const auto& info) { return std::string(info.param.name); });

// Cases "invalid Affinity fails PreScore", "invalid AntiAffinity fails PreScore".
TEST(InterPodAffinity, InvalidTermsFailPreScore) {
  World world;
  world.plugin.cluster().Add(FakeNode("n"));
  world.Start();
  const Sel bad = One("security", "Has");
  for (const FakePod& pod :
       {NearIfPossible(FakePod("p"), 8, {"region", bad}), AwayIfPossible(FakePod("p"), 5, {"az", bad})}) {
    const Outcome outcome = world.plugin.Try(pod)->PreScore();
    EXPECT_EQ(outcome.code, BERTH_ERROR);
    EXPECT_THAT(outcome.reasons, testing::ElementsAre(testing::AllOf(
                                     testing::StartsWith("failed to parse pod: preferred"),
                                     testing::HasSubstr("\"Has\" is not a valid label selector operator"))));
  }
}

// The scores before scaling.
TEST(InterPodAffinity, RawScoresAddUpOverKeys) {
  World world(FakeValue::Object({{"hardPodAffinityWeight", 3}}));
  world.plugin.cluster()
      .Add(FakeNode("a").Label("zone", "z1").Label("host", "a"))
      .Add(FakeNode("b").Label("zone", "z1").Label("host", "b"))
      .Add(FakeNode("c").Label("zone", "z2"));
  // Each matching required term counts under its own key.
  world.Run(Near(Near(S1(), {"zone", kS1}), {"host", kS1}), "a");
  world.Run(AwayIfPossible(S1(), 7, {"zone", kS1}), "c");
  world.Start();
  auto attempt = world.plugin.Try(S1());
  ASSERT_TRUE(attempt->PreScore().ok());
  EXPECT_EQ(attempt->Score().nodes, (Scores{{"a", 6}, {"b", 3}, {"c", -7}}));
}

// The division comes before the multiplication, as in scoring.go NormalizeScore.
TEST(InterPodAffinity, NormalizeDividesFirst) {
  World world;
  for (const char* name : {"a", "b", "c", "d", "e"}) world.plugin.cluster().Add(FakeNode(name));
  world.Start();
  auto attempt = world.plugin.Try(FakePod("p"));
  EXPECT_EQ(attempt->Normalize({{"a", -5}, {"b", 0}, {"c", 8}}).nodes, (Scores{{"a", 0}, {"b", 38}, {"c", 100}}));
  EXPECT_EQ(attempt->Normalize({{"a", 0}, {"b", 29}, {"c", 57}, {"d", 58}, {"e", 100}}).nodes,
            (Scores{{"a", 0}, {"b", 28}, {"c", 56}, {"d", 57}, {"e", 100}}));
  EXPECT_EQ(attempt->Normalize({{"a", 4}, {"b", 4}}).nodes, (Scores{{"a", 0}, {"b", 0}}));
}

TEST(InterPodAffinity, SumsOfZeroDoNotSkip) {
  World world;
  world.plugin.cluster().Add(FakeNode("n").Label("region", "China"));
  world.Run(S1(), "n");
  world.Start();
  auto attempt = world.plugin.Try(
      AwayIfPossible(NearIfPossible(FakePod("p"), 5, {"region", kS1}), 5, {"region", Exists("security")}));
  ASSERT_TRUE(attempt->PreScore().ok());
  EXPECT_EQ(attempt->Score().nodes, (Scores{{"n", 0}}));
  EXPECT_EQ(world.plugin.Try(NearIfPossible(FakePod("p"), 5, {"zone", kS1}))->PreScore(), kSkip)
      << "no node has the key";
}

TEST(InterPodAffinity, PodsOutsideOfTheTopologyDoNotCount) {
  World world;
  world.plugin.cluster().Add(FakeNode("in").Label("zone", "z")).Add(FakeNode("out"));
  world.Run(NearIfPossible(S1(), 5, {"zone", kS2}), "out");
  world.Start();
  EXPECT_EQ(world.plugin.Try(S2())->PreScore(), kSkip);
  EXPECT_EQ(world.plugin.Try(NearIfPossible(FakePod("p"), 5, {"zone", kS1}))->PreScore(), kSkip);
}

TEST(InterPodAffinity, ScoreWithoutPreScore) {
  World world;
  world.plugin.cluster().Add(FakeNode("n"));
  world.Start();
  EXPECT_EQ(static_cast<const Outcome&>(world.plugin.Try(FakePod("p"))->Score()),
            (Outcome{BERTH_ERROR, {"failed to read \"PreScoreInterPodAffinity\" from cycleState: not found"}}));
}

TEST(InterPodAffinity, Args) {
  PluginUnderTest plugin(berth_entry_v1, "InterPodAffinity");
  EXPECT_EQ(plugin.Complete(FakeValue::Object()).json,
            R"({"hardPodAffinityWeight":1,"ignorePreferredTermsOfExistingPods":false})");
  EXPECT_EQ(
      plugin.Complete(FakeValue::Object({{"hardPodAffinityWeight", 0}, {"ignorePreferredTermsOfExistingPods", true}}))
          .json,
      R"({"hardPodAffinityWeight":0,"ignorePreferredTermsOfExistingPods":true})");
  const auto errors = [&](int weight) {
    return plugin.Check(FakeValue::Object({{"hardPodAffinityWeight", weight}})).Errors();
  };
  EXPECT_THAT(errors(0), testing::IsEmpty());
  EXPECT_THAT(errors(100), testing::IsEmpty());
  EXPECT_THAT(errors(-1),
              testing::ElementsAre("hardPodAffinityWeight: Invalid value: -1: not in valid range [0, 100]"));
  EXPECT_THAT(errors(101),
              testing::ElementsAre("hardPodAffinityWeight: Invalid value: 101: not in valid range [0, 100]"));
  EXPECT_THAT(plugin.Complete(FakeValue::Object({{"hardPodAffinityweight", 1}})).errors, testing::SizeIs(1));
}

}  // namespace
}  // namespace plugins::inter_pod::test
