// The score, with the values and case names of upstream's
// pkg/scheduler/framework/plugins/podtopologyspread/scoring_test.go.
#include <gtest/gtest.h>

#include "spreading.h"

namespace {

using namespace spreading;  // NOLINT: the names are made for this

const char* const kFourHosts = "a host=node-a; b host=node-b; c host=node-c; d host=node-d";

struct ScoreCase {
  const char* name;
  Spreading pod;
  const char* feasible;
  const char* others;
  const char* pods;
  const char* want;
};

class SpreadScore : public testing::TestWithParam<ScoreCase> {};

// The normalized scores of the feasible nodes.
Scores ScoresOf(Plugin& plugin, const FakePod& pod, const std::string& feasible) {
  Texts nodes;
  for (const std::string& line : Lines(feasible)) nodes.push_back(Words(line)[0].first);
  auto attempt = plugin.Try(pod);
  EXPECT_TRUE(attempt->PreScore(nodes).ok());
  return attempt->Normalize(attempt->Score(nodes).nodes).nodes;
}

Scores ReadScores(const std::string& text) {
  Scores scores;
  for (const auto& [node, score] : Words(text)) scores[node] = std::stoi(score);
  return scores;
}

// TestPodTopologySpreadScore
TEST_P(SpreadScore, Score) {
  const ScoreCase& c = GetParam();
  Plugin plugin(std::string(c.feasible) + (*c.others == 0 ? "" : "; ") + c.others, c.pods, std::nullopt);
  if (c.pod.constraints.empty()) {
    plugin.Put("v1/services", FakeObject("service", "default").Spec(R"({"selector": {"foo": ""}})"));
  }
  ASSERT_TRUE(plugin.Start().ok());
  EXPECT_EQ(ScoresOf(plugin, c.pod.Build(), c.feasible), ReadScores(c.want));
}

const ScoreCase kScores[] = {
    {.name = "one constraint on node, no existing pods",
     .pod = Spreading("foo", {Soft(1, kHost, kFoo)}),
     .feasible = "a host=node-a; b host=node-b",
     .others = "",
     .pods = "",
     .want = "a=100 b=100"},
    {.name = "one constraint on node, only one node is candidate",
     .pod = Spreading("foo", {Soft(1, kHost, kFoo)}),
     .feasible = "a host=node-a",
     .others = "b host=node-b",
     .pods = "a foo; a foo; b foo",
     .want = "a=100"},
    {.name = "one constraint on node, all nodes have the same number of matching pods",
     .pod = Spreading("foo", {Soft(1, kHost, kFoo)}),
     .feasible = "a host=node-a; b host=node-b",
     .others = "",
     .pods = "a foo; b foo",
     .want = "a=100 b=100"},
    {.name = "one constraint on node, all 4 nodes are candidates",
     .pod = Spreading("foo", {Soft(1, kHost, kFoo)}),
     .feasible = kFourHosts,
     .others = "",
     .pods = "a foo; a foo; b foo; d foo; d foo; d foo",
     .want = "a=20 b=60 c=100 d=0"},
    {.name = "one constraint on node, null selector",
     .pod = Spreading("foo", {Soft(1, kHost, kNil)}),
     .feasible = kFourHosts,
     .others = "",
     .pods = "a foo; a foo; b foo; d foo; d foo; d foo",
     .want = "a=100 b=100 c=100 d=100"},
    {.name = "one constraint on node, all 4 nodes are candidates, maxSkew=2",
     .pod = Spreading("foo", {Soft(2, kHost, kFoo)}),
     .feasible = kFourHosts,
     .others = "",
     .pods = "a foo; a foo; b foo; d foo; d foo; d foo",
     .want = "a=33 b=66 c=100 d=16"},
    {.name = "one constraint on node, all 4 nodes are candidates, maxSkew=3",
     .pod = Spreading("foo", {Soft(3, kHost, kFoo)}),
     .feasible = kFourHosts,
     .others = "",
     .pods = "a foo; a foo; a foo; a foo; b foo; b foo; b foo; c foo; c foo; d foo",
     .want = "a=44 b=66 c=77 d=100"},
    {.name = "system defaulting, nodes don't have zone, pods match service",
     .pod = Spreading("foo", {}),
     .feasible = kFourHosts,
     .others = "",
     .pods = "a foo; a foo; a foo; a foo; b foo; b foo; b foo; c foo; c foo; d foo",
     .want = "a=44 b=66 c=77 d=100"},
    {.name = "one constraint on node, 3 out of 4 nodes are candidates",
     .pod = Spreading("foo", {Soft(1, kHost, kFoo)}),
     .feasible = "a host=node-a; b host=node-b; x host=node-x",
     .others = "y host=node-y",
     .pods = "a foo; a foo; a foo; a foo; b foo; b foo; x foo; y foo; y foo; y foo",
     .want = "a=33 b=83 x=100"},
    {.name = "one constraint on node, 3 out of 4 nodes are candidates, one node doesn't match topology key",
     .pod = Spreading("foo", {Soft(1, kHost, kFoo)}),
     .feasible = "a host=node-a; b n=node-b; x host=node-x",
     .others = "y host=node-y",
     .pods = "a foo; a foo; a foo; a foo; b foo; b foo; x foo; y foo; y foo; y foo",
     .want = "a=16 b=0 x=100"},
    {.name = "one constraint on zone, 3 out of 4 nodes are candidates",
     .pod = Spreading("foo", {Soft(1, "zone", kFoo)}),
     .feasible = "a zone=zone1 host=node-a; b zone=zone1 host=node-b; x zone=zone2 host=node-x",
     .others = "y zone=zone2 host=node-y",
     .pods = "a foo; a foo; a foo; a foo; b foo; b foo; x foo; y foo; y foo; y foo",
     .want = "a=75 b=75 x=100"},
    {.name = "two Constraints on zone and node, 2 out of 4 nodes are candidates",
     .pod = Spreading("foo", {Soft(1, "zone", kFoo), Soft(1, kHost, kFoo)}),
     .feasible = "a zone=zone1 host=node-a; x zone=zone2 host=node-x",
     .others = "b zone=zone1 host=node-b; y zone=zone2 host=node-y",
     .pods = "a foo; a foo; b foo; x foo; x foo; y foo; y foo; y foo; y foo",
     .want = "a=100 x=63"},
    {.name = "two Constraints on zone, 2 out of 4 nodes are candidates",
     .pod = Spreading("foo bar", {Soft(1, "zone", kFoo), Soft(1, "zone", kBar)}),
     .feasible = "a zone=zone1; x zone=zone2",
     .others = "b zone=zone1; y zone=zone2",
     .pods = "a foo bar; a foo; b foo bar; y foo; y foo bar; y foo",
     .want = "a=85 x=100"},
    {.name = "two Constraints on zone and node, with different labelSelectors",
     .pod = Spreading("foo bar", {Soft(1, "zone", kFoo), Soft(1, kHost, kBar)}),
     .feasible =
         "a zone=zone1 host=node-a; b zone=zone1 host=node-b; x zone=zone2 host=node-x; y zone=zone2 host=node-y",
     .others = "",
     .pods = "a foo; b foo bar; y foo; y bar",
     .want = "a=60 b=20 x=100 y=60"},
    {.name = "two Constraints on zone and node, with different labelSelectors, some nodes have 0 pods",
     .pod = Spreading("foo bar", {Soft(1, "zone", kFoo), Soft(1, kHost, kBar)}),
     .feasible =
         "a zone=zone1 host=node-a; b zone=zone1 host=node-b; x zone=zone2 host=node-x; y zone=zone2 host=node-y",
     .others = "",
     .pods = "b bar; x foo; y foo bar",
     .want = "a=100 b=60 x=40 y=0"},
    {.name = "two Constraints on zone and node, with different labelSelectors, 3 out of 4 nodes are candidates",
     .pod = Spreading("foo bar", {Soft(1, "zone", kFoo), Soft(1, kHost, kBar)}),
     .feasible = "a zone=zone1 host=node-a; b zone=zone1 host=node-b; x zone=zone2 host=node-x",
     .others = "y zone=zone2 host=node-y",
     .pods = "a foo; b foo bar; y foo; y bar",
     .want = "a=50 b=25 x=100"},
    {.name = "existing pods in a different namespace do not count",
     .pod = Spreading("foo", {Soft(1, kHost, kFoo)}),
     .feasible = "a host=node-a; b host=node-b",
     .others = "",
     .pods = "a ns:ns1 foo; a foo; b foo; b foo",
     .want = "a=100 b=33"},
    {.name = "terminating Pods should be excluded",
     .pod = Spreading("foo", {Soft(1, kHost, kFoo)}),
     .feasible = "a host=node-a; b host=node-b",
     .others = "",
     .pods = "a foo terminating; b foo",
     .want = "a=100 b=0"},
    {.name = "minDomains has no effect when ScheduleAnyway",
     .pod = Spreading("foo", {Soft(2, "node", kFoo).MinDomains(10)}),
     .feasible = "a node=node-a; b node=node-b; c node=node-c",
     .others = "",
     .pods = "a foo; a foo; b foo; b foo; c foo",
     .want = "a=75 b=75 c=100"},
    {.name = "NodeAffinityPolicy honoed with labelSelectors",
     .pod = Spreading("foo", {Soft(1, "node", kFoo)}).NodeSelector("foo", ""),
     .feasible = "a node=node-a foo; b node=node-b foo; c node=node-c",
     .others = "",
     .pods = "a foo; a foo; b foo; c foo",
     .want = "a=0 b=33 c=100"},
    {.name = "NodeAffinityPolicy ignored with labelSelectors",
     .pod = Spreading("foo", {Soft(1, "node", kFoo).Affinity("Ignore")}).NodeSelector("foo", ""),
     .feasible = "a node=node-a foo; b node=node-b foo; c node=node-c",
     .others = "",
     .pods = "a foo; a foo; b foo; c foo",
     .want = "a=66 b=100 c=100"},
    {.name = "NodeAffinityPolicy honoed with nodeAffinity",
     .pod = Spreading("foo", {Soft(1, "node", kFoo)}).NodeAffinityIn("foo", {""}),
     .feasible = "a node=node-a foo; b node=node-b foo; c node=node-c",
     .others = "",
     .pods = "a foo; a foo; b foo; c foo",
     .want = "a=0 b=33 c=100"},
    {.name = "NodeAffinityPolicy ignored with nodeAffinity",
     .pod = Spreading("foo", {Soft(1, "node", kFoo).Affinity("Ignore")}).NodeAffinityIn("foo", {""}),
     .feasible = "a node=node-a foo; b node=node-b foo; c node=node-c",
     .others = "",
     .pods = "a foo; a foo; b foo; c foo",
     .want = "a=66 b=100 c=100"},
    {.name = "NodeTaintsPolicy honored",
     .pod = Spreading("foo", {Soft(1, "node", kFoo).Taints("Honor")}),
     .feasible = "a node=node-a; b node=node-b; c node=node-c tainted",
     .others = "",
     .pods = "a foo; a foo; b foo; c foo",
     .want = "a=0 b=33 c=100"},
    {.name = "NodeTaintsPolicy ignored",
     .pod = Spreading("foo", {Soft(1, "node", kFoo)}),
     .feasible = "a node=node-a; b node=node-b; c node=node-c tainted",
     .others = "",
     .pods = "a foo; a foo; b foo; c foo",
     .want = "a=66 b=100 c=100"},
    {.name = "matchLabelKeys ANDed with LabelSelector when LabelSelector is empty",
     .pod =
         Spreading("foo bar", {Soft(1, "zone", kEverything).Keys({"foo"}), Soft(1, kHost, kEverything).Keys({"bar"})}),
     .feasible =
         "a zone=zone1 host=node-a; b zone=zone1 host=node-b; c zone=zone2 host=node-c; d zone=zone2 host=node-d",
     .others = "",
     .pods = "a foo; b foo bar; c foo; c bar",
     .want = "a=60 b=20 c=60 d=100"},
    {.name = "matchLabelKeys ANDed with LabelSelector when LabelSelector isn't empty",
     .pod = Spreading("foo bar baz", {Soft(1, "zone", kFoo), Soft(1, kHost, kBar).Keys({"baz"})}),
     .feasible =
         "a zone=zone1 host=node-a; b zone=zone1 host=node-b; c zone=zone2 host=node-c; d zone=zone2 host=node-d",
     .others = "",
     .pods = "a foo; b foo bar baz; c foo; c bar; c bar baz",
     .want = "a=60 b=20 c=60 d=100"},
};

INSTANTIATE_TEST_SUITE_P(Upstream, SpreadScore, testing::ValuesIn(kScores),
                         [](const auto& info) { return CaseName(info.param.name); });

}  // namespace
