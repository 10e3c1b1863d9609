// The plugin through the host's calls: which victims leave, messages, changes of classes, and args.
#include <chrono>

#include "test_fixture.h"

namespace preemption_toleration_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// TestPreemptionTolerationPlugin of test/integration/preemption_toleration_test.go: one node, and a victim of priority
// 1000 with room for no other pod.
struct StoryCase {
  const char* name;
  ClassOf victim_class;
  int32_t preemptor_priority;
  const char* preemption_policy = "";
  int64_t scheduled_seconds_ago = 0;
  bool tolerates = false;
};

class StoryTest : public testing::TestWithParam<StoryCase> {};

TEST_P(StoryTest, Ends) {
  const StoryCase& story = GetParam();
  Tolerating rig;
  rig.Class(story.victim_class);
  rig.Full("node-a", Victim("victim-candidate", 1000).ScheduledAt(kNow - story.scheduled_seconds_ago * kSecond));
  rig.Start();
  const auto outcome = rig.Try(Preemptor(story.preemptor_priority).PreemptionPolicy(story.preemption_policy));
  rig.Answer();
  EXPECT_EQ(outcome.ok(), !story.tolerates);
  EXPECT_EQ(outcome.node, story.tolerates ? "" : "node-a");
  EXPECT_EQ(rig.Deleted(), story.tolerates ? Texts{} : Texts{"victim-candidate"});
}

INSTANTIATE_TEST_SUITE_P(
    Upstream, StoryTest,
    testing::Values(
        StoryCase{.name = "AtTheMinimum", .victim_class = {1000, "1010"}, .preemptor_priority = 1010},
        StoryCase{
            .name = "SecondsDoNotMatterAtTheMinimum", .victim_class = {1000, "1010", "30"}, .preemptor_priority = 1010},
        StoryCase{.name = "NoSecondsNoToleration", .victim_class = {1000, "1010"}, .preemptor_priority = 1009},
        StoryCase{.name = "ForEver",
                  .victim_class = {1000, "1010", "-1"},
                  .preemptor_priority = 1009,
                  .scheduled_seconds_ago = kNow / kSecond,
                  .tolerates = true},
        StoryCase{.name = "WithinTheSeconds",
                  .victim_class = {1000, "1010", "30"},
                  .preemptor_priority = 1005,
                  .tolerates = true},
        StoryCase{.name = "AfterTheSeconds",
                  .victim_class = {1000, "1010", "5"},
                  .preemptor_priority = 1005,
                  .scheduled_seconds_ago = 10},
        StoryCase{.name = "Unparsable",
                  .victim_class = {1000, "a"},
                  .preemptor_priority = 1001,
                  .preemption_policy = "PreemptLowerPriority"},
        StoryCase{.name = "UnparsableAndNever",
                  .victim_class = {1000, "a"},
                  .preemptor_priority = 1001,
                  .preemption_policy = "Never",
                  .scheduled_seconds_ago = kNow / kSecond,
                  .tolerates = true}),
    [](const auto& info) { return std::string(info.param.name); });

// TestExemptedFromPreemptionWithoutPolicy, first case.
TEST(PostFilter, APodThatNeverPreemptsDeletesNobody) {
  Tolerating rig;
  rig.Class({1}).Full("node-a", Victim("v", 1)).Start();
  const auto outcome = rig.Try(Preemptor(2).PreemptionPolicy("Never"));
  EXPECT_THAT(outcome.reasons, ElementsAre("not eligible due to preemptionPolicy=Never."));
  EXPECT_THAT(rig.Deleted(), IsEmpty());
}

// TestExemptedFromPreemptionWithNonExitingPriorityClass.
TEST(PostFilter, AClassThatDoesNotExistFailsTheNode) {
  Tolerating rig;
  rig.Full("node-a", Victim("v", 1)).Start();
  const auto outcome = rig.Try(Preemptor(2));
  EXPECT_EQ(outcome.code, BERTH_ERROR);
  EXPECT_THAT(outcome.reasons, ElementsAre("priorityclass.scheduling.k8s.io \"dummy\" not found"));
}

TEST(PostFilter, AFailedNodeDoesNotStopTheOthers) {
  Tolerating rig;
  rig.Class({.value = 1}, "known");
  rig.Full("node-a", Victim("v", 1)).Full("node-b", Victim("w", 1).PriorityClass("known").ScheduledAt(kNow)).Start();
  EXPECT_EQ(rig.Try(Preemptor(2), {"node-a", "node-b"}).node, "node-b");
}

TEST(PostFilter, APodWithoutAClassDoesNotTolerate) {
  Tolerating rig;
  rig.Full("node-a", FakePod("v").Uid("v").Priority(1)).Start();
  EXPECT_EQ(rig.Try(Preemptor(2)).node, "node-a");
}

TEST(PostFilter, NamesTheNodesWithoutVictims) {
  Tolerating rig;
  rig.Class({1, "10", "-1"}).Full("node-a", Victim("v", 1)).Full("node-b", Victim("w", 1)).Start();
  const auto outcome = rig.Try(Preemptor(2), {"node-a", "node-b"});
  EXPECT_EQ(outcome.code, BERTH_UNSCHEDULABLE);
  EXPECT_THAT(outcome.reasons,
              ElementsAre("0/2 nodes are available: 1 No victims found on node node-a for preemptor pod "
                          "p, 1 No victims found on node node-b for preemptor pod p."));
  EXPECT_EQ(outcome.mode, BERTH_NOMINATE_OVERRIDE);
}

TEST(PostFilter, CountsTheNodesWithoutVictimsIfThereAreMany) {
  Tolerating rig;
  rig.Class({1, "10", "-1"});
  Texts nodes;
  for (int i = 0; i < 17; ++i) {
    nodes.push_back("n" + std::to_string(i));
    rig.Full(nodes.back(), Victim("v" + std::to_string(i), 1));
  }
  rig.Start();
  EXPECT_THAT(rig.Try(Preemptor(2), nodes).reasons,
              ElementsAre("0/17 nodes are available: 17 No preemption victims found for incoming pod."));
}

TEST(PostFilter, OnlyTheExemptPodStays) {
  Tolerating rig;
  rig.Class({1, "10", "3600"}).Class({1}, "other");
  rig.plugin.cluster().Add(FakeNode("node-a").Allocatable({{"pods", 2}}));
  rig.plugin.cluster().Add(Victim("exempt", 1).ScheduledAt(kNow - 60 * kSecond), "node-a");
  rig.plugin.cluster().Add(Victim("plain", 1).PriorityClass("other").ScheduledAt(kNow - 9000 * kSecond), "node-a");
  rig.Start();
  EXPECT_EQ(rig.Try(Preemptor(2)).node, "node-a");
  rig.Answer();
  EXPECT_THAT(rig.Deleted(), ElementsAre("plain"));
}

TEST(PostFilter, WaitsForEveryPodThatTerminatesOnTheNominatedNode) {
  Tolerating rig;
  rig.Class({1, "10", "-1"}).Full("node-a", Victim("v", 1).Terminating()).Start();
  const auto outcome = rig.Try(Preemptor(2).Nominated("node-a"));
  EXPECT_THAT(outcome.reasons, ElementsAre("not eligible due to a terminating pod on the nominated node."));
  EXPECT_EQ(outcome.mode, BERTH_NOMINATE_NOOP);
}

TEST(PostFilter, ATolerationEndsWithTime) {
  Tolerating rig;
  rig.Class({1, "10", "30"}).Full("node-a", Victim("v", 1).ScheduledAt(kNow)).Start();
  EXPECT_EQ(rig.Try(Preemptor(2)).node, "");
  rig.plugin.host().tasks().Advance(std::chrono::seconds(29));
  EXPECT_EQ(rig.Try(Preemptor(2)).node, "");
  rig.plugin.host().tasks().Advance(std::chrono::seconds(1));
  EXPECT_EQ(rig.Try(Preemptor(2)).node, "node-a");
}

TEST(Classes, AChangeTakesEffectAtOnce) {
  Tolerating rig;
  rig.Class({1, "10", "-1"}).Full("node-a", Victim("v", 1)).Start();
  EXPECT_EQ(rig.Try(Preemptor(2)).node, "");
  rig.Class({1, "b", "-1"});
  const std::vector<LogLine> log = rig.plugin.host().Log();
  ASSERT_EQ(log.size(), 1u);
  EXPECT_THAT(log[0].fields, ElementsAre(testing::Pair("priorityClass", "dummy"),
                                         testing::Pair("err", "strconv.ParseInt: parsing \"b\": invalid syntax")));
  rig.Class({1, "10", "-1"});
  EXPECT_EQ(rig.Try(Preemptor(2)).node, "");
  rig.plugin.Delete(kClasses, kClassName);
  EXPECT_EQ(rig.Try(Preemptor(2)).code, BERTH_ERROR);
  rig.Class({1, "2", "-1"});
  EXPECT_EQ(rig.Try(Preemptor(2)).node, "node-a");
}

TEST(Running, ThePodWaitsWithAndWithoutPreEnqueue) {
  Tolerating rig;
  rig.Class({1})
      .Full("node-a", Victim("v", 1).ScheduledAt(kNow))
      .Full("node-b", Victim("w", 1).ScheduledAt(kNow))
      .Start();
  EXPECT_TRUE(rig.plugin.Try(Preemptor(2))->PreEnqueue().ok());
  EXPECT_TRUE(rig.Try(Preemptor(2), {"node-a", "node-b"}).ok());
  constexpr const char* kText = "waiting for the preemption for this pod to be finished";
  EXPECT_EQ(rig.plugin.Try(Preemptor(2))->PreEnqueue(), (Outcome{BERTH_UNRESOLVABLE, {kText}}));
  const auto again = rig.Try(Preemptor(2), {"node-a", "node-b"});
  EXPECT_EQ(static_cast<const Outcome&>(again), (Outcome{BERTH_UNSCHEDULABLE, {kText}}));
  EXPECT_EQ(again.mode, BERTH_NOMINATE_NOOP);
  rig.Answer();
  EXPECT_EQ(rig.Deleted().size(), 1u) << "the second attempt preempts nobody";
  EXPECT_TRUE(rig.plugin.Try(Preemptor(2))->PreEnqueue().ok());
}

TEST(Events, ADeletedPodNeverWakesAPod) {
  Tolerating rig;
  rig.Start();
  EXPECT_THAT(rig.plugin.Interests(), ElementsAre(InterestOutcome{"Pod", BERTH_ACTION_DELETE, true}));
  const FakeEvent event{.resource = "AssignedPod", .actions = BERTH_ACTION_DELETE, .old_pod = Victim("v", 1)};
  EXPECT_THAT(rig.plugin.Hints(event, {Preemptor(2)}).queue, ElementsAre(false));
}

// ---- args
FakeValue Args(int32_t percentage, int32_t absolute) {
  return FakeValue::Object({{"minCandidateNodesPercentage", percentage}, {"minCandidateNodesAbsolute", absolute}});
}

// TestSchedulerDefaults of apis/config/v1/defaults_test.go.
TEST(Args, Defaults) {
  PluginUnderTest plugin(berth_entry_v1, "PreemptionToleration");
  EXPECT_EQ(plugin.Complete(FakeValue()).json, R"({"minCandidateNodesPercentage":10,"minCandidateNodesAbsolute":100})");
}

TEST(Args, DecodingIsStrict) {
  PluginUnderTest plugin(berth_entry_v1, "PreemptionToleration");
  EXPECT_THAT(plugin.Complete(FakeValue::Object({{"minCandidateNodesAbsolute", "many"}})).Errors(),
              ElementsAre("minCandidateNodesAbsolute: json: cannot unmarshal string into Go struct field "
                          "PreemptionTolerationArgs.minCandidateNodesAbsolute of type int32"));
}

TEST(Args, Judgements) {
  PluginUnderTest plugin(berth_entry_v1, "PreemptionToleration");
  EXPECT_THAT(plugin.Check(Args(0, 1)).Errors(), IsEmpty());
  EXPECT_THAT(plugin.Check(Args(101, -1)).Errors(),
              ElementsAre("minCandidateNodesPercentage: Invalid value: 101: not in valid range [0, 100]",
                          "minCandidateNodesAbsolute: Invalid value: -1: not in valid range [0, inf)"));
  EXPECT_EQ(plugin.Check(Args(0, 0)).Errors().size(), 2u);
}

}  // namespace
}  // namespace preemption_toleration_test
