// The plugin through the host's calls: which pods may preempt, messages, API requests, args, and events. Cases have the
// names of default_preemption_test.go.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "berth/entry.h"
#include "test_fixture.h"

namespace default_preemption_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

const Amounts kRoom = {{"cpu", 200}, {"memory", 400}};

struct DefaultPreemptionFixture : Fixture {
  DefaultPreemptionFixture() : Fixture(berth_entry_v1, "DefaultPreemption") {}
};

FakeNode OneSlot(const std::string& name) { return FakeNode(name).Allocatable({{"pods", 1}}); }
FakePod High(const std::string& name = "p") { return FakePod(name).Uid(name).Priority(kHigh); }
FakePod Plain(const std::string& name) { return FakePod(name).Uid(name); }

void ExpectNominates(const PostFilterOutcome& outcome, const std::string& node) {
  EXPECT_EQ(static_cast<const Outcome&>(outcome), Outcome{});
  EXPECT_EQ(outcome.mode, BERTH_NOMINATE_OVERRIDE);
  EXPECT_EQ(outcome.node, node);
}
void ExpectNothing(const PostFilterOutcome& outcome, const std::string& text) {
  EXPECT_EQ(static_cast<const Outcome&>(outcome), (Outcome{BERTH_UNSCHEDULABLE, {text}}));
  EXPECT_EQ(outcome.mode, BERTH_NOMINATE_OVERRIDE) << "a nomination that does not hold is cleared";
  EXPECT_EQ(outcome.node, "");
}

// ---- TestPostFilter
TEST(PostFilter, PodWithHigherPriorityCanBeMadeSchedulable) {
  SCOPED_TRACE("pod with higher priority can be made schedulable");
  DefaultPreemptionFixture rig;
  rig.plugin.cluster().Add(OneSlot("node1"));
  rig.On("node1", {Plain("p1")});
  rig.Start();
  ExpectNominates(rig.Try(High(), {"node1"}), "node1");
  EXPECT_EQ(rig.trials.open(), 0u);
}

TEST(PostFilter, PodWithTiedPriorityIsStillUnschedulable) {
  SCOPED_TRACE("pod with tied priority is still unschedulable");
  DefaultPreemptionFixture rig;
  rig.plugin.cluster().Add(OneSlot("node1"));
  rig.On("node1", {Plain("p1")});
  rig.Start();
  ExpectNothing(rig.Try(Plain("p"), {"node1"}),
                "preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.");
  EXPECT_THAT(rig.trials.opened(), IsEmpty());
}

TEST(PostFilter, PreemptionShouldRespectFilteredNodesStatuses) {
  SCOPED_TRACE("preemption should respect filteredNodesStatuses");
  DefaultPreemptionFixture rig;
  rig.plugin.cluster().Add(OneSlot("node1"));
  rig.On("node1", {Plain("p1")});
  rig.Start();
  const std::string text = "preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.";
  ExpectNothing(rig.Try(High(), {"node1"}, BERTH_UNRESOLVABLE), text);
  {
    SCOPED_TRACE("preemption should respect absent NodeToStatusReader entry meaning UnschedulableAndUnresolvable");
    ExpectNothing(rig.Try(High(), {}), text);
  }
  ExpectNothing(rig.Try(High(), {"node1"}, BERTH_PENDING), text);
}

TEST(PostFilter, AbsentNodesThatArePlainlyUnschedulableAreTried) {
  DefaultPreemptionFixture rig;
  rig.plugin.cluster().Add(OneSlot("node1")).Add(OneSlot("node2"));
  rig.On("node1", {Plain("p1")}).On("node2", {Plain("p2")});
  rig.Start();
  const auto outcome = rig.plugin.Try(High())->PostFilter({{"node1", BERTH_UNRESOLVABLE}}, BERTH_UNSCHEDULABLE);
  ExpectNominates(outcome, "node2");
}

TEST(PostFilter, PodCanBeMadeSchedulableOnOneNode) {
  SCOPED_TRACE("pod can be made schedulable on one node");
  DefaultPreemptionFixture rig;
  rig.plugin.cluster().Add(OneSlot("node1")).Add(OneSlot("node2"));
  rig.On("node1", {High("p1")}).On("node2", {Plain("p2").Priority(kLow)});
  rig.Start();
  ExpectNominates(rig.Try(FakePod("p").Priority(kMid), {"node1", "node2"}), "node2");
}

TEST(PostFilter, PodCanBeMadeSchedulableOnMinHighestPriorityNode) {
  SCOPED_TRACE("pod can be made schedulable on minHighestPriority node");
  DefaultPreemptionFixture rig;
  rig.plugin.cluster().Add(OneSlot("node1")).Add(OneSlot("node2"));
  const auto labelled = [](const char* name, const char* value, int32_t priority) {
    return Plain(name).Label("is-violating-pdb", value).Priority(priority);
  };
  rig.On("node1", {labelled("p1", "non-violating", kHigh), labelled("p2", "violating", kLow)});
  rig.On("node2", {labelled("p3", "violating", kMid)});
  rig.Budget("violating-pdb", R"({"selector": {"matchLabels": {"is-violating-pdb": "violating"}}})", "{}");
  rig.Budget("non-violating-pdb", R"({"selector": {"matchLabels": {"is-violating-pdb": "non-violating"}}})",
             R"({"disruptionsAllowed": 2147483647})");
  rig.Start();
  ExpectNominates(rig.Try(FakePod("p").Priority(kVeryHigh), {"node1", "node2"}), "node2");
}

TEST(PostFilter, NoCandidateNodesFoundNoEnoughResourceAfterRemovingLowPriorityPods) {
  SCOPED_TRACE("no candidate nodes found, no enough resource after removing low priority pods");
  DefaultPreemptionFixture rig;
  rig.Nodes({"node1", "node2"}, kRoom).On("node1", {Plain("p1")}).On("node2", {Plain("p2")}).Start();
  ExpectNothing(rig.Try(High().Req(Large()), {"node1", "node2"}),
                "preemption: 0/2 nodes are available: 2 Insufficient cpu.");
}

TEST(PostFilter, NoCandidateNodesFoundWithMixedReasons) {
  SCOPED_TRACE("no candidate nodes found with mixed reasons, no lower priority pod and no enough CPU resource");
  DefaultPreemptionFixture rig;
  rig.plugin.cluster().Add(OneSlot("node1")).Add(NodeWith("node2", kRoom)).Add(OneSlot("node3"));
  rig.On("node1", {High("p1")}).On("node2", {Plain("p2")}).On("node3", {High("p3")});
  rig.Start();
  ExpectNothing(rig.Try(High().Req(Large()), {"node1", "node2", "node3"}),
                "preemption: 0/3 nodes are available: 1 Insufficient cpu, 2 No preemption victims found for incoming "
                "pod.");
}

TEST(PostFilter, TwoUnresolvableNodesAndTwoWithoutEnoughCpu) {
  SCOPED_TRACE(
      "no candidate nodes found with mixed reason, 2 UnschedulableAndUnresolvable nodes and 2 nodes don't have enough "
      "CPU resource");
  DefaultPreemptionFixture rig;
  rig.Nodes({"node1", "node2", "node3", "node4"}, kRoom).On("node1", {Plain("p1")}).On("node2", {Plain("p2")}).Start();
  const auto outcome =
      rig.plugin.Try(High().Req(Large()))
          ->PostFilter({{"node1", BERTH_UNSCHEDULABLE}, {"node2", BERTH_UNSCHEDULABLE}, {"node4", BERTH_UNRESOLVABLE}},
                       BERTH_UNRESOLVABLE);
  ExpectNothing(outcome,
                "preemption: 0/4 nodes are available: 2 Insufficient cpu, 2 Preemption is not helpful for scheduling.");
}

TEST(PostFilter, OnlyOneNodeButFailedWithTestPlugin) {
  SCOPED_TRACE("only one node but failed with TestPlugin");
  DefaultPreemptionFixture rig;
  rig.Nodes({"node1"}, Large()).On("node1", {Plain("p1")}).Start();
  rig.trials.FailOn("p1", "running RemovePod on PreFilter plugin \"test-plugin\": failed to remove pod: p");
  const PostFilterOutcome outcome = rig.Try(High().Req(Large()), {"node1"});
  EXPECT_EQ(static_cast<const Outcome&>(outcome),
            (Outcome{BERTH_ERROR,
                     {"preemption: running RemovePod on PreFilter plugin \"test-plugin\": failed to remove pod: p"}}));
  EXPECT_EQ(outcome.mode, BERTH_NOMINATE_NOOP);
  EXPECT_EQ(rig.trials.open(), 0u);
}

TEST(PostFilter, OneFailedWithTestPluginAndTheOtherPass) {
  SCOPED_TRACE("one failed with TestPlugin and the other pass");
  DefaultPreemptionFixture rig;
  rig.Nodes({"node1", "node2"}, Large()).On("node1", {Plain("p1")}).On("node2", {Plain("p2").Req(Medium())}).Start();
  rig.trials.FailOn("p1", "failed to remove pod: p");
  ExpectNominates(rig.Try(High().Req(Large()), {"node1", "node2"}), "node2");
}

TEST(PostFilter, AFailingFilterOrANodeWithoutVictimsIsAnError) {
  DefaultPreemptionFixture rig;
  rig.Nodes({"node1", "node2"}).On("node1", {Plain("p1")}).On("node2", {Plain("p2")}).Start();
  rig.trials.Rule([](const FakeTrials::Row& row) {
    FakeTrials::Answer answer;
    if (TextOf(row.node.name()) == "node1") answer.code = BERTH_ERROR, answer.reasons = {"broken"};
    return answer;  // node2: every pod fits
  });
  EXPECT_THAT(rig.Try(High(), {"node1"}).reasons, ElementsAre("preemption: broken"));
  EXPECT_THAT(rig.Try(High(), {"node2"}).reasons,
              ElementsAre("preemption: expected at least one victim pod on node \"node2\""));
  const auto both = rig.Try(High(), {"node1", "node2"});
  EXPECT_EQ(both.code, BERTH_ERROR);
  EXPECT_THAT(both.reasons.front(), ::testing::StartsWith("preemption: ["));
}

// ---- TestPodEligibleToPreemptOthers
struct Eligible {
  const char* name;
  FakePod pod;
  std::vector<FakePod> on_node;
  berth_status nominated;  // what Filter returned for node1
  const char* text;        // null: it may
};

class PodEligibleToPreemptOthers : public ::testing::TestWithParam<Eligible> {};

TEST_P(PodEligibleToPreemptOthers, Upstream) {
  DefaultPreemptionFixture rig;
  rig.Nodes({"node1"}).On("node1", GetParam().on_node).Start();
  const auto outcome =
      rig.plugin.Try(GetParam().pod)->PostFilter({{"node1", GetParam().nominated}}, BERTH_UNRESOLVABLE);
  EXPECT_EQ(outcome.code, BERTH_UNSCHEDULABLE);
  if (GetParam().text != nullptr) {
    EXPECT_THAT(outcome.reasons, ElementsAre(GetParam().text));
    EXPECT_EQ(outcome.mode, BERTH_NOMINATE_NOOP) << "what it is nominated to stays";
  } else {
    EXPECT_THAT(outcome.reasons.front(), ::testing::StartsWith("preemption: 0/1 nodes are available"));
    EXPECT_EQ(outcome.mode, BERTH_NOMINATE_OVERRIDE);
  }
}

FakePod Waiter() { return High("p").Nominated("node1").Req({{"cpu", 9999}}); }
FakePod Leaving() { return Plain("p1").Priority(kLow).Terminating(); }

INSTANTIATE_TEST_SUITE_P(
    Upstream, PodEligibleToPreemptOthers,
    ::testing::Values(
        Eligible{.name = "Pod with nominated node",
                 .pod = Waiter(),
                 .on_node = {Leaving().Has(BERTH_POD_HAS_PREEMPTED)},
                 .nominated = BERTH_UNRESOLVABLE,
                 .text = nullptr},
        Eligible{.name = "Pod without nominated node",
                 .pod = High("p").Req({{"cpu", 9999}}),
                 .nominated = BERTH_UNSCHEDULABLE,
                 .text = nullptr},
        Eligible{.name = "Pod with 'PreemptNever' preemption policy",
                 .pod = High("p").PreemptionPolicy("Never"),
                 .nominated = BERTH_UNSCHEDULABLE,
                 .text = "preemption: not eligible due to preemptionPolicy=Never."},
        Eligible{.name = "PreemptLowerPriorityIsTheDefault",
                 .pod = High("p").PreemptionPolicy("PreemptLowerPriority").Req({{"cpu", 9999}}),
                 .nominated = BERTH_UNSCHEDULABLE,
                 .text = nullptr},
        Eligible{.name = "preemption victim pod terminating, as indicated by the dedicated DisruptionTarget condition",
                 .pod = Waiter(),
                 .on_node = {Leaving().Has(BERTH_POD_HAS_PREEMPTED)},
                 .nominated = BERTH_UNSCHEDULABLE,
                 .text = "preemption: not eligible due to a terminating pod on the nominated node."},
        Eligible{.name = "non-victim Pods terminating",
                 .pod = Waiter(),
                 .on_node = {Leaving()},
                 .nominated = BERTH_UNSCHEDULABLE,
                 .text = nullptr},
        Eligible{.name = "MarkedButNotTerminating",
                 .pod = Waiter(),
                 .on_node = {Plain("p1").Has(BERTH_POD_HAS_PREEMPTED)},
                 .nominated = BERTH_UNSCHEDULABLE,
                 .text = nullptr},
        Eligible{.name = "TerminatingPodOfTheSamePriority",
                 .pod = Waiter(),
                 .on_node = {Leaving().Priority(kHigh).Has(BERTH_POD_HAS_PREEMPTED)},
                 .nominated = BERTH_UNSCHEDULABLE,
                 .text = nullptr},
        Eligible{.name = "NominatedNodeIsGone",
                 .pod = Waiter().Nominated("node9"),
                 .nominated = BERTH_UNSCHEDULABLE,
                 .text = nullptr}),
    [](const auto& info) { return TestNameOf(info.param.name); });

// ---- TestPreempt
TEST(Preempt, BasicPreemptionLogic) {
  using Named = std::pair<const char*, const char*>;
  for (const auto& [name, policy] :
       {Named{"basic preemption logic", "PreemptLowerPriority"}, Named{"PreemptionPolicy is nil", ""}}) {
    SCOPED_TRACE(name);
    DefaultPreemptionFixture rig;
    rig.Nodes({"node1", "node2", "node3"});
    rig.On("node1", {Plain("p1.1").Req(Small()), Plain("p1.2").Req(Small())});
    rig.On("node2", {High("p2.1").Req(Large())}).On("node3", {Plain("p3.1").Priority(kMid).Req(Medium())});
    rig.Start();
    ExpectNominates(rig.Try(High().Req(VeryLarge()).PreemptionPolicy(policy), {"node1", "node2", "node3"}), "node1");
    rig.Answer();
    EXPECT_THAT(rig.Deleted(), UnorderedElementsAre("p1.1", "p1.2"));
  }
}

TEST(Preempt, NoPreemptingInPod) {
  SCOPED_TRACE("no preempting in pod");
  DefaultPreemptionFixture rig;
  rig.Nodes({"node1"}).On("node1", {Plain("p1.1").Req(Small())}).Start();
  EXPECT_EQ(rig.Try(High().Req(VeryLarge()).PreemptionPolicy("Never"), {"node1"}).mode, BERTH_NOMINATE_NOOP);
  EXPECT_THAT(rig.api().requests(), IsEmpty());
}

TEST(Preempt, PodsNominatedToTheNodeTakeRoom) {
  DefaultPreemptionFixture rig;
  rig.Nodes({"node1", "node2"}).On("node1", {Plain("p1").Req(VeryLarge())}).On("node2", {Plain("p2").Req(VeryLarge())});
  rig.nominations.Nominate(High("other").Req(Large()), "node1");
  rig.Start();
  ExpectNominates(rig.Try(High().Req(Large()), {"node1", "node2"}), "node2");
}

// ---- TestPreEnqueue
TEST(PreEnqueue, TheSamePodWaitsAndAnotherDoesNot) {
  DefaultPreemptionFixture rig;
  rig.plugin.cluster().Add(OneSlot("node1"));
  rig.On("node1", {Plain("p1")});
  rig.Start();
  EXPECT_EQ(rig.plugin.Try(High())->PreEnqueue(), Outcome{});
  ExpectNominates(rig.Try(High(), {"node1"}), "node1");
  EXPECT_EQ(rig.plugin.Try(High())->PreEnqueue(),
            (Outcome{BERTH_UNRESOLVABLE, {"waiting for the preemption for this pod to be finished"}}))
      << "AsyncPreemption enabled, same pod, returns UnschedulableAndUnresolvable";
  EXPECT_EQ(rig.plugin.Try(High("p_other"))->PreEnqueue(), Outcome{})
      << "AsyncPreemption enabled, different pod, returns nil";
  rig.Answer();
  EXPECT_EQ(rig.plugin.Try(High())->PreEnqueue(), Outcome{});
}

TEST(Events, PodDeletionIsLookedAtAndNeverEnough) {
  DefaultPreemptionFixture rig;
  rig.Start();
  EXPECT_THAT(rig.plugin.Interests(), ElementsAre(InterestOutcome{"Pod", BERTH_ACTION_DELETE, true}));
  const auto hints =
      rig.plugin.Hints({.resource = "AssignedPod", .actions = BERTH_ACTION_DELETE, .old_pod = Plain("v")}, {High("p")});
  EXPECT_THAT(hints.queue, ElementsAre(false));
}

// ---- args
FakeValue Args(int32_t percentage, int32_t absolute) {
  return FakeValue::Object({{"minCandidateNodesPercentage", percentage}, {"minCandidateNodesAbsolute", absolute}});
}

TEST(Args, Defaults) {
  DefaultPreemptionFixture rig;
  EXPECT_EQ(rig.plugin.Complete(FakeValue()).json,
            R"({"minCandidateNodesPercentage":10,"minCandidateNodesAbsolute":100})");
  EXPECT_EQ(rig.plugin.Complete(FakeValue::Object({{"minCandidateNodesAbsolute", 0}})).json,
            R"({"minCandidateNodesPercentage":10,"minCandidateNodesAbsolute":0})");
}

TEST(Args, StrictDecoding) {
  DefaultPreemptionFixture rig;
  EXPECT_THAT(rig.plugin.Complete(FakeValue::Object({{"minCandidateNodes", 1}})).Errors(),
              ElementsAre("minCandidateNodes: unknown field \"minCandidateNodes\""));
  EXPECT_THAT(rig.plugin.Complete(FakeValue::Object({{"minCandidateNodesAbsolute", "many"}})).Errors(),
              ElementsAre("minCandidateNodesAbsolute: json: cannot unmarshal string into Go struct field "
                          "DefaultPreemptionArgs.minCandidateNodesAbsolute of type int32"));
}

TEST(Args, Judgements) {
  DefaultPreemptionFixture rig;
  const auto errors = [&](int32_t percentage, int32_t absolute) {
    return rig.plugin.Check(Args(percentage, absolute)).Errors();
  };
  EXPECT_THAT(errors(10, 100), IsEmpty());
  EXPECT_THAT(errors(0, 1), IsEmpty());
  EXPECT_THAT(errors(100, 0), IsEmpty());
  EXPECT_THAT(errors(101, 1),
              ElementsAre("minCandidateNodesPercentage: Invalid value: 101: not in valid range [0, 100]"));
  EXPECT_THAT(errors(-1, -2), ElementsAre("minCandidateNodesPercentage: Invalid value: -1: not in valid range [0, 100]",
                                          "minCandidateNodesAbsolute: Invalid value: -2: not in valid range [0, inf)"));
  EXPECT_THAT(errors(0, 0),
              ElementsAre("minCandidateNodesPercentage: Invalid value: 0: cannot be zero at the same time as "
                          "minCandidateNodesAbsolute",
                          "minCandidateNodesAbsolute: Invalid value: 0: cannot be zero at the same time as "
                          "minCandidateNodesPercentage"));
}

TEST(LifeCycle, AHostWithoutTrialsIsRefused) {
  PluginUnderTest plugin(berth_entry_v1, "DefaultPreemption");
  EXPECT_EQ(plugin.Start().code, BERTH_ERROR);
}

}  // namespace
}  // namespace default_preemption_test
