// Pure logic over plain structs: the order of victims, budgets, the choice among candidates, and messages. The numbers
// and the names of the cases are those of default_preemption_test.go and preemption_test.go.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <berth/preemption/budgets.hpp>
#include <berth/preemption/candidate.hpp>
#include <berth/preemption/fit_error.hpp>
#include <berth/preemption/requests.hpp>
#include <berth/testing/fake_pod.hpp>
#include <berth/testing/names.hpp>

#include <string>
#include <vector>

namespace victims_test {
namespace {

using namespace berth::sdk;              // NOLINT: the test uses the SDK's names
using namespace berth::sdk::preemption;  // NOLINT
using namespace berth::sdk::testing;     // NOLINT
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr int32_t kNegative = -100, kLow = 0, kMid = 100, kHigh = 1000;

// Keeps the built pods alive while they are used as victims.
class Pods {
 public:
  std::vector<Victim> Add(const std::vector<FakePod>& pods) {
    std::vector<Victim> victims;
    for (const FakePod& pod : pods) {
      pods_.push_back(pod.Build());
      victims.emplace_back(Pod(pods_.back()->raw()), static_cast<uint32_t>(victims.size()));
    }
    return victims;
  }

 private:
  std::vector<std::shared_ptr<const PodObject>> pods_;
};

Texts Names(std::span<const Victim> victims) {
  Texts names;
  for (const Victim& victim : victims) names.emplace_back(victim.pod.name());
  return names;
}

TEST(Importance, PriorityThenAgeThenPlace) {
  Pods pods;
  auto victims = pods.Add({FakePod("new").Priority(kMid).Started(9), FakePod("low").Priority(kLow).Started(1),
                           FakePod("old").Priority(kMid).Started(3), FakePod("waits1").Priority(kMid),
                           FakePod("top").Priority(kHigh), FakePod("waits2").Priority(kMid)});
  SortByImportance(victims, &MoreImportant);
  EXPECT_THAT(Names(victims), ElementsAre("top", "old", "new", "waits2", "waits1", "low"));
}

TEST(Importance, EqualStartsKeepTheirPlaces) {
  Pods pods;
  auto victims = pods.Add({FakePod("a").Started(5), FakePod("b").Started(5), FakePod("c").Started(5)});
  SortByImportance(victims, &MoreImportant);
  EXPECT_THAT(Names(victims), ElementsAre("a", "b", "c"));
  std::swap(victims[0], victims[2]);
  SortAgain(victims, &MoreImportant);
  EXPECT_THAT(Names(victims), ElementsAre("c", "b", "a"));
}

TEST(Candidates, HowManyAreEnough) {
  EXPECT_EQ(NumCandidates(50, 10, 100), 50u);
  EXPECT_EQ(NumCandidates(100, 10, 100), 100u);
  EXPECT_EQ(NumCandidates(900, 10, 100), 100u);
  EXPECT_EQ(NumCandidates(1200, 10, 100), 120u);
  EXPECT_EQ(NumCandidates(5000, 10, 100), 500u);
  EXPECT_EQ(NumCandidates(5, 40, 1), 2u);
  EXPECT_EQ(NumCandidates(0, 10, 100), 0u);
}

// TestMoreImportantVictim, with single pods: groups of pods are not supported.
struct Comparison {
  const char* name;
  FakePod first, second;
  bool first_matters_more;
};

class MoreImportantVictim : public ::testing::TestWithParam<Comparison> {};

TEST_P(MoreImportantVictim, Upstream) {
  Pods pods;
  const auto victims = pods.Add({GetParam().first, GetParam().second});
  EXPECT_EQ(MoreImportant(victims[0], victims[1]), GetParam().first_matters_more);
  EXPECT_EQ(MoreImportant(victims[1], victims[0]), !GetParam().first_matters_more);
}

FakePod Of(int32_t priority, int64_t started) { return FakePod().Priority(priority).Started(started); }

INSTANTIATE_TEST_SUITE_P(
    Upstream, MoreImportantVictim,
    ::testing::Values(
        Comparison{
            .name = "vi1 has higher priority", .first = Of(20, 0), .second = Of(10, 0), .first_matters_more = true},
        Comparison{
            .name = "vi2 has higher priority", .first = Of(10, 0), .second = Of(20, 0), .first_matters_more = false},
        Comparison{
            .name = "both Pods, vi1 older", .first = Of(10, 500), .second = Of(10, 1000), .first_matters_more = true},
        Comparison{
            .name = "both Pods, vi2 older", .first = Of(10, 1000), .second = Of(10, 500), .first_matters_more = false}),
    [](const auto& info) { return TestNameOf(info.param.name); });

// TestSelectBestCandidate: the victims of each node, and the best node.
struct Choice {
  const char* name;
  std::vector<std::vector<FakePod>> nodes;  // victims, most important first
  uint32_t best;                            // kAny: several nodes are equally good
};
constexpr uint32_t kAny = ~0u;

FakePod Mid() { return FakePod("m").Priority(kMid).Started(0); }
FakePod Low() { return FakePod("l").Priority(kLow).Started(0); }
FakePod Neg() { return FakePod("n").Priority(kNegative).Started(0); }
FakePod Started(int64_t at, int32_t priority = kMid) { return FakePod("s").Priority(priority).Started(at); }

class SelectBestCandidate : public ::testing::TestWithParam<Choice> {};

TEST_P(SelectBestCandidate, Upstream) {
  Pods pods;
  const auto& nodes = GetParam().nodes;
  for (uint32_t first = 0; first < nodes.size(); ++first) {  // wherever the search begins
    Candidates candidates;
    candidates.Start(100);
    for (uint32_t k = 0; k < nodes.size(); ++k) {
      const uint32_t row = (first + k) % static_cast<uint32_t>(nodes.size());
      auto victims = pods.Add(nodes[row]);
      candidates.Add(row, victims, 0);
    }
    ASSERT_TRUE(candidates.any());
    const uint32_t best = GetParam().best == kAny ? first : GetParam().best;  // the first of equal candidates
    EXPECT_EQ(candidates.row(), best);
    EXPECT_EQ(candidates.victims().size(), nodes[best].size());
  }
}

INSTANTIATE_TEST_SUITE_P(
    Upstream, SelectBestCandidate,
    ::testing::Values(
        Choice{"a pod that fits on both nodes when lower priority pods are preempted",
               {{FakePod("p1").Priority(kMid).Started(0)}, {FakePod("p2").Priority(kMid).Started(0)}},
               kAny},
        Choice{"node with min highest priority pod is picked", {{Mid(), Mid()}, {Mid(), Low()}, {Low(), Low()}}, 2},
        Choice{"when highest priorities are the same, minimum sum of priorities is picked",
               {{Mid(), Mid()}, {Mid(), Low()}, {Mid(), Mid()}},
               1},
        Choice{"when highest priority and sum are the same, minimum number of pods is picked",
               {{Mid(), Mid(), Neg(), Neg()}, {Mid(), Neg()}, {Mid(), Low(), Neg()}},
               1},
        Choice{"sum of adjusted priorities is considered",
               {{Mid(), Neg(), Neg()}, {Mid(), Neg()}, {Mid(), Low(), Neg()}},
               1},
        Choice{"non-overlapping lowest high priority, sum priorities, and number of pods",
               {{Mid(), Low(), Low()},
                {FakePod("h").Priority(kHigh).Started(0)},
                {Mid(), Low(), Low(), Low()},
                {Mid(), Mid(), Mid(), Neg()}},
               0},
        Choice{"same priority, same number of victims, different start time for each node's pod",
               {{Started(2), Started(2)}, {Started(3), Started(3)}, {Started(1), Started(1)}},
               1},
        Choice{"same priority, same number of victims, different start time for all pods",
               {{Started(2), Started(4)}, {Started(1), Started(5)}, {Started(3), Started(6)}},
               2},
        Choice{"different priority, same number of victims, different start time for all pods",
               {{Started(2), Started(4, kLow)}, {Started(6), Started(1, kLow)}, {Started(5), Started(3, kLow)}},
               1}),
    [](const auto& info) { return TestNameOf(info.param.name); });

TEST(Candidates, ViolationsOutweighEverything) {
  Pods pods;
  Candidates candidates;
  candidates.Start(2);
  auto cheap = pods.Add({FakePod("cheap").Priority(kNegative)});
  auto dear = pods.Add({FakePod("dear").Priority(kHigh), FakePod("dear2").Priority(kHigh)});
  candidates.Add(1, cheap, 1);
  EXPECT_FALSE(candidates.Enough());
  candidates.Add(2, dear, 0);
  EXPECT_TRUE(candidates.Enough());
  EXPECT_EQ(candidates.row(), 2u);
}

TEST(Candidates, LimitsTheNumberOfEachKind) {
  Pods pods;
  Candidates candidates;
  candidates.Start(1);
  auto dear = pods.Add({FakePod("dear").Priority(kHigh)}), cheap = pods.Add({FakePod("cheap").Priority(kLow)});
  candidates.Add(1, dear, 1);
  candidates.Add(2, cheap, 1);
  EXPECT_FALSE(candidates.Enough()) << "none without violations yet";
  EXPECT_EQ(candidates.row(), 1u);
}

TEST(Candidates, FirstOfEqualsAndNewestOfThoseThatNeverStarted) {
  Pods pods;
  Candidates candidates;
  candidates.Start(3);
  auto started = pods.Add({FakePod("a").Started(7)}), one = pods.Add({FakePod("b")}), other = pods.Add({FakePod("c")});
  candidates.Add(1, started, 0);
  candidates.Add(2, one, 0);
  candidates.Add(3, other, 0);
  EXPECT_EQ(candidates.row(), 2u);
}

// filterPodsWithPDBViolation and TestFilterVictimsWithPDBViolation: budgets by app label.
struct Rule {
  std::string label;  // "app=foo"; "": a selector that protects no pod
  int32_t allowed = 0;
  std::vector<std::string> disrupted = {};
  std::string ns = "default";
};

struct BudgetCase {
  const char* name;
  std::vector<FakePod> pods;
  std::vector<Rule> rules;
  Texts violating;
};

FakePod Foo(const std::string& name) { return FakePod(name).Label("app", "foo"); }

Texts Violating(Budgets& budgets, const std::vector<Rule>& rules, std::vector<Victim>& victims, uint32_t& asked) {
  const uint32_t n = budgets.MarkViolating(victims, [&](uint32_t i, const Pod& pod) {
    ++asked;
    const std::string& label = rules[i].label;
    const size_t at = label.find('=');
    if (at == std::string::npos) return false;
    return pod.labels().Get(IdOf(label.substr(0, at))) == IdOf(label.substr(at + 1));
  });
  Texts names;
  for (const Victim& victim : victims) {
    if (victim.violates) names.emplace_back(victim.pod.name());
  }
  EXPECT_EQ(names.size(), n);
  return names;
}

Budgets Made(const std::vector<Rule>& rules) {
  Budgets budgets;
  for (const Rule& rule : rules) budgets.Add({IdOf(rule.ns), rule.allowed, rule.disrupted});
  return budgets;
}

class FilterVictimsWithPDBViolation : public ::testing::TestWithParam<BudgetCase> {};

TEST_P(FilterVictimsWithPDBViolation, Upstream) {
  Pods pods;
  Budgets budgets = Made(GetParam().rules);
  for (int round = 0; round < 2; ++round) {  // the budgets start again for every node
    auto victims = pods.Add(GetParam().pods);
    uint32_t asked = 0;
    EXPECT_EQ(Violating(budgets, GetParam().rules, victims, asked), GetParam().violating);
    if (round == 1) {
      EXPECT_EQ(asked, 0u) << "labels are matched once";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Upstream, FilterVictimsWithPDBViolation,
    ::testing::Values(
        BudgetCase{.name = "no victims, no PDBs"},
        BudgetCase{
            .name = "victim with no matching PDBs", .pods = {Foo("p1").Namespace("other")}, .rules = {{"app=bar"}}},
        BudgetCase{
            .name = "victim matching PDB, adequate DisruptionsAllowed", .pods = {Foo("p1")}, .rules = {{"app=foo", 1}}},
        BudgetCase{.name = "victim matching PDB, no DisruptionsAllowed",
                   .pods = {Foo("p1")},
                   .rules = {{"app=foo", 0}},
                   .violating = {"p1"}},
        BudgetCase{.name = "multiple victims matching the same PDB",
                   .pods = {Foo("p1"), Foo("p2")},
                   .rules = {{"app=foo", 1}},
                   .violating = {"p2"}},
        BudgetCase{.name = "pod in DisruptedPods is ignored", .pods = {Foo("p1")}, .rules = {{"app=foo", 0, {"p1"}}}},
        BudgetCase{.name = "PDB with empty selector", .pods = {Foo("p1")}, .rules = {{""}}},
        BudgetCase{.name = "Multiple PDBs",
                   .pods = {Foo("p1").Label("tier", "backend")},
                   .rules = {{"app=foo", 1}, {"tier=backend", 0}},
                   .violating = {"p1"}},
        BudgetCase{.name = "OtherNamespace", .pods = {Foo("p1")}, .rules = {{"app=foo", 0, {}, "elsewhere"}}},
        BudgetCase{.name = "APodWithoutLabelsIsNobodys", .pods = {FakePod("p1")}, .rules = {{"app=foo", 0}}},
        BudgetCase{.name = "TheDisruptedTakeNothingFromTheBudget",
                   .pods = {Foo("p1"), Foo("p2"), Foo("p3")},
                   .rules = {{"app=foo", 1, {"p2", "gone", "a"}}},
                   .violating = {"p3"}},
        BudgetCase{.name = "AnOverdrawnBudgetStillTakesFromTheOthers",
                   .pods = {Foo("p1").Label("tier", "x"), FakePod("p2").Label("tier", "x")},
                   .rules = {{"app=foo", 0}, {"tier=x", 1}},
                   .violating = {"p1", "p2"}}),
    [](const auto& info) { return TestNameOf(info.param.name); });

TEST(Budgets, ANewBudgetIsMatchedAgain) {
  Pods pods;
  std::vector<Rule> rules = {{"app=foo", 5}};
  Budgets budgets = Made(rules);
  auto victims = pods.Add({Foo("p1")});
  uint32_t asked = 0;
  EXPECT_THAT(Violating(budgets, rules, victims, asked), IsEmpty());
  rules.push_back({"app=foo", 0});
  budgets.Add({IdOf("default"), 0, {}});
  EXPECT_THAT(Violating(budgets, rules, victims, asked), ElementsAre("p1"));
  budgets.Clear();
  EXPECT_EQ(budgets.MarkViolating(victims, [](uint32_t, const Pod&) { return true; }), 0u);
}

TEST(FitError, SortsAsStringsWithTheirCounts) {
  FitError error(13);
  error.Add("y", 2);
  error.Add("x", 9);
  error.Add("x", 1);
  error.Add("never", 0);
  EXPECT_EQ(error.Text(), "0/13 nodes are available: 10 x, 2 y.");
  EXPECT_EQ(FitError(1).Text(), "0/1 nodes are available:");
}

TEST(FitError, ListsAreCountedByNumber) {
  ReasonCounts counts;
  for (const uint32_t list : {7u, 7u, 3u, 7u, 0u}) counts.Add(list);
  EXPECT_EQ(counts.nodes(), 5u);
  EXPECT_THAT(counts.lists(), ElementsAre(std::pair(7u, 3u), std::pair(3u, 1u), std::pair(0u, 1u)));
}

TEST(FitError, ErrorsAloneOrInBrackets) {
  ErrorTexts errors;
  errors.Add("a");
  EXPECT_EQ(errors.Text(), "a");
  errors.Add("a");
  EXPECT_EQ(errors.Text(), "a");
  errors.Add("b");
  EXPECT_EQ(errors.Text(), "[a, b]");
}

TEST(Requests, Texts) {
  EXPECT_EQ(TimeText(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(TimeText(1'709'251'199'999'999'999), "2024-02-29T23:59:59Z");
  EXPECT_EQ(TimeText(-1), "1969-12-31T23:59:59Z");
  EXPECT_EQ(DisruptionPatch("u", 0, "my \"own\"", 1'767'225'600'000'000'000),
            R"({"metadata":{"uid":"u"},"status":{"conditions":[{"type":"DisruptionTarget","status":"True",)"
            R"("lastProbeTime":null,"lastTransitionTime":"2026-01-01T00:00:00Z","reason":"PreemptionByScheduler",)"
            R"("message":"my \"own\": preempting to accommodate a higher priority pod"}]}})");
  EXPECT_THAT(DisruptionPatch("u", 3, "s", 0),
              ::testing::HasSubstr(R"("DisruptionTarget","observedGeneration":3,"status")"));
  EXPECT_EQ(DeleteOptions("u"), R"({"apiVersion":"v1","kind":"DeleteOptions","preconditions":{"uid":"u"}})");
}

}  // namespace
}  // namespace victims_test
