// The SDK's engine in a plugin with its own rules: the result of a dry run on each node, and the number of nodes tried.
// Cases have the names of default_preemption_test.go (TestDryRunPreemption, TestCustomSelection, TestCustomOrdering).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "search_fixture.h"

namespace default_preemption_test {
namespace {

using ::testing::ElementsAre;

// Upstream's expected result for each node: the victims, and the number of PDB violations.
struct Expected {
  Texts victims;  // in any order
  int64_t violations = 0;
};

struct DryRunCase {
  const char* name;
  FakePod pod;
  std::map<std::string, std::vector<FakePod>> nodes;
  std::map<std::string, Expected> candidates;
  size_t filters;                  // over all nodes
  std::string budget_status = {};  // of a budget for app=foo
  FakeTrials::Judge judge = {};
};

class DryRunPreemption : public ::testing::TestWithParam<DryRunCase> {};

TEST_P(DryRunPreemption, Upstream) {
  const DryRunCase& c = GetParam();
  SearchFixture rig;
  Texts nodes;
  for (const auto& [node, pods] : c.nodes) nodes.push_back(node);
  rig.Nodes(nodes);
  for (const auto& [node, pods] : c.nodes) rig.On(node, pods);
  if (!c.budget_status.empty()) {
    rig.Budget("foo", R"({"selector": {"matchLabels": {"app": "foo"}}})", c.budget_status);
  }
  if (c.judge) rig.trials.Rule(c.judge);
  rig.Start();
  for (const std::string& node : nodes) {
    const Found found = rig.Search(c.pod, {node});
    const auto expected = c.candidates.find(node);
    EXPECT_EQ(found.node, expected == c.candidates.end() ? "" : node);
    if (expected == c.candidates.end()) continue;
    EXPECT_THAT(found.victims, ::testing::UnorderedElementsAreArray(expected->second.victims)) << node;
    EXPECT_EQ(found.violations, expected->second.violations) << node;
  }
  EXPECT_EQ(rig.Filters(), c.filters);
  const Found best = rig.Search(c.pod, nodes);
  EXPECT_EQ(c.candidates.contains(best.node), !c.candidates.empty());
}

FakeTrials::Answer Rejected() {
  FakeTrials::Answer answer;
  answer.code = BERTH_UNSCHEDULABLE;
  answer.reasons = {"injecting failure"};
  return answer;
}
FakePod Foo(const char* name) { return Of(name, kMid, Medium()).Label("app", "foo").Started(1); }

INSTANTIATE_TEST_SUITE_P(
    Upstream, DryRunPreemption,
    ::testing::Values(
        DryRunCase{.name = "a pod that does not fit on any node",
                   .pod = FakePod("p").Priority(kHigh),
                   .nodes = {{"node1", {Of("p1", kMid, {})}}, {"node2", {Of("p2", kMid, {})}}},
                   .filters = 2,
                   .judge = [](const auto&) { return Rejected(); }},
        DryRunCase{.name = "a pod that fits with no preemption",
                   .pod = FakePod("p").Priority(kHigh),
                   .nodes = {{"node1", {Of("p1", kMid, {})}}, {"node2", {Of("p2", kMid, {})}}},
                   .filters = 2,
                   .judge = [](const auto&) { return Rejected(); }},
        DryRunCase{.name = "a pod that fits on one node with no preemption",
                   .pod = FakePod("node1").Priority(kHigh),
                   .nodes = {{"node1", {Of("p1", kMid, {})}}, {"node2", {Of("p2", kMid, {})}}},
                   .filters = 2,
                   .judge = [](const auto&) { return Rejected(); }},
        DryRunCase{.name = "a pod that fits on both nodes when lower priority pods are preempted",
                   .pod = Big(),
                   .nodes = {{"node1", {Of("p1", kMid, Large())}}, {"node2", {Of("p2", kMid, Large())}}},
                   .candidates = {{"node1", {{"p1"}}}, {"node2", {{"p2"}}}},
                   .filters = 4},
        DryRunCase{.name = "a pod that would fit on the nodes, but other pods running are higher priority, no "
                           "preemption would happen",
                   .pod = Of("p", kLow, Large()),
                   .nodes = {{"node1", {Of("p1", kMid, Large())}}, {"node2", {Of("p2", kMid, Large())}}},
                   .filters = 0},
        DryRunCase{.name = "medium priority pod is preempted, but lower priority one stays as it is small",
                   .pod = Big(),
                   .nodes = {{"node1", {Of("p1.1", kLow, Small()), Of("p1.2", kMid, Large())}},
                             {"node2", {Of("p2", kMid, Large())}}},
                   .candidates = {{"node1", {{"p1.2"}}}, {"node2", {{"p2"}}}},
                   .filters = 5},
        DryRunCase{.name = "mixed priority pods are preempted",
                   .pod = Big(),
                   .nodes = {{"node1",
                              {Of("p1.1", kMid, Small()).Started(1), Of("p1.2", kLow, Small()),
                               Of("p1.3", kMid, Medium()).Started(2), Of("p1.4", kHigh, Small())}},
                             {"node2", {Of("p2", kHigh, Large())}}},
                   .candidates = {{"node1", {{"p1.3", "p1.2"}}}},
                   .filters = 4},
        DryRunCase{.name = "mixed priority pods are preempted, pick later StartTime one when priorities are equal",
                   .pod = Big(),
                   .nodes = {{"node1",
                              {Of("p1.1", kLow, Small()).Started(5), Of("p1.2", kLow, Small()).Started(4),
                               Of("p1.3", kMid, Medium()).Started(3), Of("p1.4", kHigh, Small()).Started(2)}},
                             {"node2", {Of("p2", kHigh, Large()).Started(1)}}},
                   .candidates = {{"node1", {{"p1.3", "p1.1"}}}},
                   .filters = 4},
        DryRunCase{.name = "pod with anti-affinity is preempted",
                   .pod = Big(Small()),
                   .nodes = {{"node1",
                              {Of("p1.1", kLow, Small()).Label("foo", ""), Of("p1.2", kMid, Small()),
                               Of("p1.3", kHigh, Small())}},
                             {"node2", {Of("p2", kHigh, Small())}}},
                   .candidates = {{"node1", {{"p1.1"}}}},
                   .filters = 3,
                   .judge =
                       [](const FakeTrials::Row& row) {
                         for (const Pod& other : row.pods) {
                           if (!other.labels().empty()) return Rejected();
                         }
                         return FakeTrials::Answer{};
                       }},
        DryRunCase{.name = "get Unschedulable in the preemption phase when the filter plugins filtering the nodes",
                   .pod = Big(),
                   .nodes = {{"node1", {Of("p1", kMid, Large())}}, {"node2", {Of("p2", kMid, Large())}}},
                   .filters = 2,
                   .judge = [](const auto&) { return Rejected(); }},
        DryRunCase{.name = "preemption with violation of same pdb",
                   .pod = Big(VeryLarge()),
                   .nodes = {{"node1", {Foo("p1.1"), Foo("p1.2")}}},
                   .candidates = {{"node1", {{"p1.1", "p1.2"}, 1}}},
                   .filters = 3,
                   .budget_status = R"({"disruptionsAllowed": 1})"},
        DryRunCase{
            .name = "preemption with violation of the pdb with pod whose eviction was processed, the victim doesn't "
                    "belong to DisruptedPods",
            .pod = Big(VeryLarge()),
            .nodes = {{"node1", {Foo("p1.1"), Foo("p1.2")}}},
            .candidates = {{"node1", {{"p1.1", "p1.2"}, 1}}},
            .filters = 3,
            .budget_status = R"({"disruptionsAllowed": 1, "disruptedPods": {"p2": "2026-01-01T00:00:00Z"}})"},
        DryRunCase{
            .name = "preemption with violation of the pdb with pod whose eviction was processed, the victim belongs to "
                    "DisruptedPods",
            .pod = Big(VeryLarge()),
            .nodes = {{"node1", {Foo("p1.1"), Foo("p1.2")}}},
            .candidates = {{"node1", {{"p1.1", "p1.2"}, 0}}},
            .filters = 3,
            .budget_status = R"({"disruptionsAllowed": 1, "disruptedPods": {"p1.2": "2026-01-01T00:00:00Z"}})"},
        DryRunCase{
            .name = "preemption with violation of the pdb with pod whose eviction was processed, the victim which "
                    "belongs to DisruptedPods is treated as 'nonViolating'",
            .pod = Big(VeryLarge()),
            .nodes = {{"node1", {Foo("p1.1"), Foo("p1.2"), Foo("p1.3")}}},
            .candidates = {{"node1", {{"p1.1", "p1.2", "p1.3"}, 1}}},
            .filters = 4,
            .budget_status = R"({"disruptionsAllowed": 1, "disruptedPods": {"p1.3": "2026-01-01T00:00:00Z"}})"}),
    [](const auto& info) { return TestNameOf(info.param.name); });

TEST(DryRun, ReprievesVictimsWithViolatedBudgetsFirst) {
  SearchFixture rig;
  rig.Nodes({"n"}).On("n", {Of("v1", kMid, Medium()).Started(1), Of("v2", kLow, Medium()).Label("app", "foo")});
  rig.Budget("foo", R"({"selector": {"matchLabels": {"app": "foo"}}})", "{}").Start();
  const Found found = rig.Search(Big(), {"n"});
  EXPECT_THAT(found.victims, ElementsAre("v1")) << "though it matters more than v2";
  EXPECT_EQ(found.violations, 0);
}

TEST(DryRun, VictimsOfBothKindsAreSortedTogether) {
  SearchFixture rig;
  rig.Nodes({"n"}).On("n", {Of("low", kLow, Medium()).Label("app", "foo"), Of("mid", kMid, Medium())});
  rig.Budget("foo", R"({"selector": {"matchLabels": {"app": "foo"}}})", "{}").Start();
  const Found found = rig.Search(Big(VeryLarge()), {"n"});
  EXPECT_THAT(found.victims, ElementsAre("mid", "low"));
  EXPECT_EQ(found.violations, 1);
}

TEST(DryRun, AFilterThatFailsAtAReprieveCountsAsOneThatRejects) {
  SearchFixture rig;
  rig.Nodes({"n"}).On("n", {Of("a", kLow, Small())});
  rig.trials.Rule([](const FakeTrials::Row& row) {
    FakeTrials::Answer answer;
    if (!row.pods.empty()) answer.code = BERTH_ERROR, answer.reasons = {"broken"};
    return answer;
  });
  rig.Start();
  EXPECT_THAT(rig.Search(Big(), {"n"}).victims, ElementsAre("a"));
}

TEST(DryRun, StepsOfOneNode) {
  SearchFixture rig;
  rig.Nodes({"n"}).On("n", {Of("a", kLow, Large()).Started(1), Of("b", kLow, Small()).Started(2)}).Start();
  rig.Search(Big(), {"n"});
  EXPECT_THAT(rig.trials.steps(),
              ElementsAre("remove a", "remove b", "filter", "add a", "filter", "remove a", "add b", "filter"));
  EXPECT_EQ(rig.trials.open(), 0u);
}

TEST(Budgets, AreReadAgainWhenTheyChange) {
  SearchFixture rig;
  rig.Nodes({"n"}).On("n", {Foo("a")});
  rig.Budget("foo", R"({"selector": {"matchLabels": {"app": "foo"}}})", R"({"disruptionsAllowed": 1})").Start();
  EXPECT_EQ(rig.Search(Big(VeryLarge()), {"n"}).violations, 0);
  rig.Budget("foo", R"({"selector": {"matchLabels": {"app": "foo"}}})", R"({"disruptionsAllowed": 0})");
  EXPECT_EQ(rig.Search(Big(VeryLarge()), {"n"}).violations, 1);
  rig.Budget("foo", R"({"selector": {}})", R"({"disruptionsAllowed": 0})");  // an empty selector protects no pod
  EXPECT_EQ(rig.Search(Big(VeryLarge()), {"n"}).violations, 0);
  rig.Budget("foo", R"({"maxUnavailable": 1})", R"({"disruptionsAllowed": 0})");  // nor does a nil one
  EXPECT_EQ(rig.Search(Big(VeryLarge()), {"n"}).violations, 0);
  EXPECT_EQ(rig.plugin.host().matching().kept(), 1u);
  rig.plugin.Delete("policy/v1/poddisruptionbudgets", "foo", "default");
  EXPECT_EQ(rig.Search(Big(VeryLarge()), {"n"}).violations, 0);
  EXPECT_EQ(rig.plugin.host().matching().kept(), 0u);
}

// ---- the extent of the search: offset and number of candidates
uint64_t SeedFor(uint32_t offset, uint32_t n) {
  uint64_t seed = 0;
  while (preemption::OffsetOf(seed, n) != offset) ++seed;
  return seed;
}

struct OffsetFixture : SearchFixture {
  // Five nodes; pods of these priorities fill them.
  explicit OffsetFixture(const std::vector<int32_t>& priorities = {kMid, kMid, kMid, kMid, kMid}) {
    Nodes(kNodes);
    for (size_t i = 0; i < kNodes.size(); ++i) {
      On(kNodes[i], {Of("p" + std::to_string(i + 1), priorities[i], Large())});
    }
  }
  Texts Opened(uint32_t offset) {
    plugin.host().Seed(SeedFor(offset, 5));
    const size_t before = trials.opened().size();
    Search(Big(), kNodes);
    return {trials.opened().begin() + static_cast<std::ptrdiff_t>(before), trials.opened().end()};
  }
  inline static const Texts kNodes = {"node1", "node2", "node3", "node4", "node5"};
};

TEST(Offset, AllNodesArePossibleCandidatesButArgsLimitTo2) {
  SCOPED_TRACE("all nodes are possible candidates, but DefaultPreemptionArgs limits to 2");
  OffsetFixture rig;
  rig.Start();
  Searcher::rules.min_candidates_percentage = 40;
  Searcher::rules.min_candidates = 1;
  EXPECT_THAT(rig.Opened(4), ElementsAre("node5", "node1"));
  EXPECT_EQ(rig.Filters(), 4u);
  SCOPED_TRACE("preemption offset across multiple scheduling cycles and wrap around");
  EXPECT_THAT(rig.Opened(1), ElementsAre("node2", "node3"));
  EXPECT_THAT(rig.Opened(3), ElementsAre("node4", "node5"));
}

TEST(Offset, SomeNodesAreNotPossibleCandidatesArgsLimitTo2) {
  SCOPED_TRACE("some nodes are not possible candidates, DefaultPreemptionArgs limits to 2");
  OffsetFixture rig({kMid, kVeryHigh, kMid, kMid, kVeryHigh});
  rig.Start();
  Searcher::rules.min_candidates_percentage = 40;
  Searcher::rules.min_candidates = 1;
  EXPECT_THAT(rig.Opened(4), ElementsAre("node1", "node3"));
  EXPECT_EQ(rig.Filters(), 4u);
}

TEST(Offset, LooksPastNumCandidatesUntilANonPdbViolatingNodeIsFound) {
  SCOPED_TRACE("preemption looks past numCandidates until a non-PDB violating node is found");
  SearchFixture rig;
  rig.Nodes(OffsetFixture::kNodes);
  for (const std::string i : {"1", "2", "3", "4", "5"}) {
    FakePod pod = Of("p" + i, kMid, Large());
    if (i != "3" && i != "4") pod.Label("app", "foo");
    rig.On("node" + i, {pod});
  }
  rig.Budget("foo", R"({"selector": {"matchLabels": {"app": "foo"}}})", "{}").Start();
  Searcher::rules.min_candidates_percentage = 40;
  Searcher::rules.min_candidates = 2;
  rig.plugin.host().Seed(SeedFor(4, 5));
  const Found found = rig.Search(Big(), OffsetFixture::kNodes);
  EXPECT_EQ(found.node, "node3");
  EXPECT_THAT(rig.trials.opened(), ElementsAre("node5", "node1", "node2", "node3"));
  EXPECT_EQ(rig.Filters(), 8u);
}

TEST(Offset, IsSpreadEvenly) {
  std::map<uint32_t, int> seen;
  for (uint64_t seed = 0; seed < 6000; ++seed) ++seen[preemption::OffsetOf(seed, 6)];
  EXPECT_EQ(seen.size(), 6u);
  for (const auto& [offset, times] : seen) EXPECT_NEAR(times, 1000, 150) << offset;
  EXPECT_EQ(preemption::OffsetOf(7, 1), 0u);
}

// ---- TestCustomSelection
struct Selection {
  const char* name;
  std::function<bool(const Pod&, const Pod&)> may_leave;
  int32_t priority;
  std::map<std::string, std::vector<FakePod>> nodes;
  std::map<std::string, Texts> expected;
};

class CustomSelection : public ::testing::TestWithParam<Selection> {};

TEST_P(CustomSelection, Upstream) {
  SearchFixture rig;
  for (const auto& [node, pods] : GetParam().nodes) rig.Nodes({node}).On(node, pods);
  rig.Start();
  Searcher::rules.may_leave = GetParam().may_leave;
  for (const auto& [node, pods] : GetParam().nodes) {
    const Found found = rig.Search(Of("p", GetParam().priority, Large()), {node});
    const auto expected = GetParam().expected.find(node);
    EXPECT_EQ(found.victims, expected == GetParam().expected.end() ? Texts() : expected->second) << node;
  }
}

bool IsPreemptible(const Pod& victim, const Pod&) { return victim.labels().Get(IdOf("preemptible")) == IdOf("yes"); }
bool IsOnNode1(const Pod& victim, const Pod&) { return victim->node_name == IdOf("node1"); }
bool MayPreempt(const Pod&, const Pod& preemptor) { return preemptor.priority() >= kHigh; }
bool IsModest(const Pod& victim, const Pod&) { return victim.priority() <= kMid; }

const std::map<std::string, std::vector<FakePod>> kLabelled = {
    {"node1", {Of("v1", kMid, Large()).Label("preemptible", "no")}},
    {"node2", {Of("v2", kMid, Large()).Label("preemptible", "yes")}},
    {"node3", {Of("v3", kLow, Large()).Label("preemptible", "yes")}},
    {"node4", {Of("v4", kLow, Large())}}};
// first: the requests of the pod with the same importance as the most important preemptor.
std::map<std::string, std::vector<FakePod>> Mixed(const Amounts& first) {
  const auto on = [](const char* node, FakePod pod) { return pod.Node(node); };
  return {{"node1",
           {on("node1", Of("v1", kHigh, first)), on("node1", Of("v2", kMid, Small())),
            on("node1", Of("v3", kLow, Small()))}},
          {"node2", {on("node2", Of("v4", kMid, Large()))}},
          {"node3", {on("node3", Of("v5", kLow, Large()))}}};
}
const std::map<std::string, std::vector<FakePod>> kGraded = {
    {"node1", {Of("v1", kHigh, Large())}}, {"node2", {Of("v2", kMid, Large())}}, {"node3", {Of("v3", kLow, Large())}}};

INSTANTIATE_TEST_SUITE_P(
    Upstream, CustomSelection,
    ::testing::Values(Selection{.name = "filter for matching pod label: high priority",
                                .may_leave = &IsPreemptible,
                                .priority = kHigh,
                                .nodes = kLabelled,
                                .expected = {{"node2", {"v2"}}, {"node3", {"v3"}}}},
                      Selection{.name = "filter for matching pod label: mid priority",
                                .may_leave = &IsPreemptible,
                                .priority = kMid,
                                .nodes = kLabelled,
                                .expected = {{"node3", {"v3"}}}},
                      Selection{.name = "filter for matching pod label: low priority",
                                .may_leave = &IsPreemptible,
                                .priority = kLow,
                                .nodes = kLabelled},
                      Selection{.name = "filter for matching victim node: high priority",
                                .may_leave = &IsOnNode1,
                                .priority = kHigh,
                                .nodes = Mixed(Medium()),
                                .expected = {{"node1", {"v2", "v3"}}}},
                      Selection{.name = "filter for matching victim node: mid priority",
                                .may_leave = &IsOnNode1,
                                .priority = kMid,
                                .nodes = Mixed(Small()),
                                .expected = {{"node1", {"v3"}}}},
                      Selection{.name = "filter for matching victim node: low priority",
                                .may_leave = &IsOnNode1,
                                .priority = kLow,
                                .nodes = Mixed(Small())},
                      Selection{.name = "only pods at or above specified priority can preempted: high priority",
                                .may_leave = &MayPreempt,
                                .priority = kHigh,
                                .nodes = kGraded,
                                .expected = {{"node2", {"v2"}}, {"node3", {"v3"}}}},
                      Selection{.name = "only pods at or above specified priority can preempted: mid priority",
                                .may_leave = &MayPreempt,
                                .priority = kMid,
                                .nodes = kGraded},
                      Selection{.name = "only pods at or below specified priority can be preempted: high priority",
                                .may_leave = &IsModest,
                                .priority = kHigh,
                                .nodes = kGraded,
                                .expected = {{"node2", {"v2"}}, {"node3", {"v3"}}}}),
    [](const auto& info) { return TestNameOf(info.param.name); });

// ---- TestDryRunPreemption of framework/preemption. Its rules count violations freely; here a budget causes them.
TEST(DryRun, ReportsViolationsOnEachNode) {
  for (const int64_t violations : {0, 1}) {
    SCOPED_TRACE(violations == 0 ? "no pdb violation" : "pdb violation on each node");
    SearchFixture rig;
    rig.Nodes({"node1", "node2"}).On("node1", {Foo("p1")}).On("node2", {Foo("p2")});
    rig.Budget("foo", R"({"selector": {"matchLabels": {"app": "foo"}}})",
               R"({"disruptionsAllowed": )" + std::to_string(1 - violations) + "}");
    rig.Start();
    for (const char* number : {"1", "2"}) {
      const Found found = rig.Search(Big(VeryLarge()), {std::string("node") + number});
      EXPECT_THAT(found.victims, ElementsAre(std::string("p") + number));
      EXPECT_EQ(found.violations, violations);
    }
  }
}

// ---- TestCustomOrdering
TEST(CustomOrdering, SelectNewestPods) {
  SCOPED_TRACE("select newest pods");
  SearchFixture rig;
  rig.Nodes({"node1"}).On("node1", {Of("v1", kLow, Medium()).Started(2), Of("v2", kLow, Medium()).Started(0),
                                    Of("v3", kMid, Medium()).Started(1)});
  rig.Start();
  Searcher::rules.more_important = [](const auto& a, const auto& b) { return a.start < b.start; };
  EXPECT_THAT(rig.Search(Big(), {"node1"}).victims, ElementsAre("v3", "v1"));
}

TEST(CustomOrdering, SelectAlphabeticallyLastPods) {
  SCOPED_TRACE("select alphabetically-last pods");
  SearchFixture rig;
  rig.Nodes({"node1"}).On("node1", {Of("foo", kLow, Medium()), Of("bar", kLow, Medium()), Of("baz", kMid, Medium())});
  rig.Start();
  Searcher::rules.more_important = [](const auto& a, const auto& b) { return a.pod.name() < b.pod.name(); };
  EXPECT_THAT(rig.Search(Big(), {"node1"}).victims, ElementsAre("baz", "foo"));
}

TEST(Search, StopsWhenTheAttemptIsCancelled) {
  SearchFixture rig;
  Texts nodes;
  for (int i = 0; i < 200; ++i) nodes.push_back("n" + std::to_string(i));
  rig.Nodes(nodes).Start();
  auto attempt = rig.plugin.Try(Big());
  attempt->Cancel();
  std::map<std::string, berth_status> verdicts;
  for (const std::string& node : nodes) verdicts[node] = BERTH_UNSCHEDULABLE;
  attempt->PostFilter(verdicts);
  EXPECT_THAT(Searcher::found.explanation, ::testing::HasSubstr("63 No preemption victims found for incoming pod"));
}

}  // namespace
}  // namespace default_preemption_test
