// CrossNodePreemption: when it preempts and when not, its messages, and the bound of its search.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "test_fixture.h"

namespace cross_node_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kRunning = "waiting for the preemption for this pod to be finished";

// Two pods of a zone, on two nodes, that must both leave.
World Pair() {
  return {.nodes = {{.name = "n1"}, {.name = "n2"}},
          .pods = {{.name = "a", .node = "n1", .foo = true}, {.name = "b", .node = "n2", .foo = true}}};
}
World Crowd(int pods) {
  World world{.nodes = {{.name = "n1"}}, .pods = {}};
  for (int i = 0; i < pods; ++i) world.pods.push_back({.name = "v" + std::to_string(i), .node = "n1"});
  return world;
}

TEST(PostFilter, OneTrialTurnsToTheNodesAndIsClosed) {
  Crossing rig(Pair(), IsAlone);
  EXPECT_TRUE(rig.Start().Try().ok());
  EXPECT_EQ(rig.trials.opened().size(), 1u);
  EXPECT_EQ(rig.trials.open(), 0u);
  EXPECT_THAT(rig.trials.steps(), testing::Contains("turn to n1"));
  EXPECT_THAT(rig.trials.steps(), testing::Contains("turn to n2"));
}

TEST(PostFilter, APodThatNeverPreemptsHasTheReason) {
  Crossing rig(Pair(), IsAlone);
  const PostFilterOutcome outcome = rig.Start().Try(Preemptor().PreemptionPolicy("Never"));
  EXPECT_EQ(outcome.code, BERTH_UNSCHEDULABLE);
  EXPECT_THAT(outcome.reasons, ElementsAre("not eligible due to preemptionPolicy=Never."));
  EXPECT_EQ(outcome.mode, BERTH_NOMINATE_NOOP);
  EXPECT_THAT(rig.trials.opened(), IsEmpty());
}

TEST(PostFilter, WaitsForAPodThatTerminatesOnTheNominatedNode) {
  Crossing rig(Pair(), IsAlone);
  rig.plugin.cluster().Add(FakePod("t").Uid("t").Priority(kLow).Terminating().Has(BERTH_POD_HAS_PREEMPTED), "n1");
  const PostFilterOutcome outcome = rig.Start().Try(Preemptor().Nominated("n1"));
  EXPECT_THAT(outcome.reasons, ElementsAre("not eligible due to a terminating pod on the nominated node."));
  EXPECT_EQ(outcome.mode, BERTH_NOMINATE_NOOP);
}

TEST(PostFilter, WithoutVictimsTheNominationIsCleared) {
  Crossing rig(Pair(), IsNever);
  const PostFilterOutcome outcome = rig.Start().Try(Preemptor(), {{"n2", BERTH_UNRESOLVABLE}});
  EXPECT_EQ(outcome.code, BERTH_UNSCHEDULABLE);
  EXPECT_THAT(outcome.reasons, ElementsAre("0/2 nodes are available: 1 No preemption victims found for incoming pod, 1 "
                                           "Preemption is not helpful for scheduling."));
  EXPECT_EQ(outcome.mode, BERTH_NOMINATE_OVERRIDE);
  EXPECT_EQ(outcome.node, "");
}

TEST(PostFilter, ARejectionByPreFilterLetsEveryNodeHaveVictims) {
  Crossing rig(Pair(), IsAlone);
  rig.Start();
  EXPECT_TRUE(rig.plugin.Try(Preemptor())->PostFilter({}, BERTH_UNSCHEDULABLE).ok());
  rig.Answer();
  EXPECT_EQ(rig.Deleted(), (Names{"a", "b"}));
}

TEST(PostFilter, TriesAllSetsOfTwelvePods) {
  Crossing rig(Crowd(12), IsNever);
  EXPECT_THAT(rig.Start().Try().reasons,
              ElementsAre("0/1 nodes are available: 1 No preemption victims found for incoming pod."));
  EXPECT_EQ(rig.Filters(), 4095u);
}

TEST(PostFilter, TheSearchIsBounded) {
  Crossing rig(Crowd(40), IsNever);
  EXPECT_THAT(rig.Start().Try().reasons, ElementsAre("0/1 nodes are available: 1 No preemption victims found for "
                                                     "incoming pod. The search ended after 4096 sets of pods."));
  EXPECT_EQ(rig.Filters(), 4096u);
  EXPECT_EQ(rig.trials.open(), 0u);
}

TEST(PostFilter, ASetWithinTheBoundIsFoundAmongManyPods) {
  World world = Crowd(300);
  world.nodes.push_back({.name = "n2", .zone = "zone2", .slots = 1});
  world.nodes[0].slots = 0;
  world.pods.push_back({.name = "last", .node = "n2", .priority = kMid});
  Crossing rig(world, HasSlot);
  EXPECT_EQ(rig.Start().Try().node, "n2");
  rig.Answer();
  EXPECT_EQ(rig.Deleted(), Names{"last"});
}

TEST(PostFilter, ACancelledAttemptEndsTheSearch) {
  Crossing rig(Crowd(12), IsNever);
  rig.Start();
  const auto attempt = rig.plugin.Try(Preemptor());
  attempt->Cancel();
  const PostFilterOutcome outcome = attempt->PostFilter({{"n1", BERTH_UNSCHEDULABLE}}, BERTH_UNRESOLVABLE);
  EXPECT_FALSE(outcome.ok());
  EXPECT_THAT(outcome.reasons,
              ElementsAre("0/1 nodes are available: 1 No preemption victims found for incoming pod. The "
                          "attempt was canceled during the search."));
  EXPECT_EQ(rig.Filters(), 64u);
}

TEST(PostFilter, AFailureOfAPluginIsTheErrorUnlessASetWasFound) {
  Crossing rig(Pair(), IsAlone);
  rig.trials.FailOn("b", "lost count");
  const PostFilterOutcome outcome = rig.Start().Try();
  EXPECT_EQ(outcome.code, BERTH_ERROR);
  EXPECT_THAT(outcome.reasons, SizeIs(1));
  EXPECT_THAT(outcome.reasons[0], HasSubstr("lost count"));
  EXPECT_EQ(rig.trials.open(), 0u);
  EXPECT_EQ(rig.Deleted(), Names{});
}

TEST(PostFilter, ASetThatWasFoundBeforeAFailureCounts) {
  World world{.nodes = {{.name = "n1", .slots = 1}, {.name = "n2", .slots = 1}},
              .pods = {{.name = "a", .node = "n1", .guarded = true}, {.name = "b", .node = "n2", .priority = kMid}}};
  Crossing rig(world, HasSlot);
  rig.trials.FailOn("b", "lost count");
  EXPECT_EQ(rig.Budget(0).Start().Try().node, "n1");
  rig.Answer();
  EXPECT_EQ(rig.Deleted(), Names{"a"});
}

TEST(PostFilter, ExtendersAreNotAsked) {
  Crossing rig(Pair(), IsAlone);
  FakeExtenders extenders(rig.plugin.host());
  extenders.Rule([](const auto&, FakeExtenders::Candidates&) { return "nobody may leave"; });
  EXPECT_TRUE(rig.Start().Try().ok());
  EXPECT_THAT(extenders.asked(), IsEmpty());
  rig.plugin.Stop();
}

TEST(PostFilter, NominatedPodsCount) {
  World world{.nodes = {{.name = "n1", .slots = 1}}, .pods = {{.name = "a", .node = "n1"}}};
  Crossing rig(world, HasSlot);
  size_t most = 0;
  rig.trials.Rule([&most](const FakeTrials::Row& row) {
    most = std::max(most, row.pods.size());
    FakeTrials::Answer answer;
    if (!row.pods.empty()) answer.code = BERTH_UNSCHEDULABLE;
    return answer;
  });
  rig.nominations.Nominate(FakePod("other").Uid("other").Priority(kHigh), "n1");
  EXPECT_EQ(rig.Start().Try().code, BERTH_UNSCHEDULABLE);
  EXPECT_EQ(most, 1u);
}

TEST(Running, ThePodWaitsWithAndWithoutPreEnqueue) {
  Crossing rig(Pair(), IsAlone);
  rig.Start();
  EXPECT_TRUE(rig.plugin.Try(Preemptor())->PreEnqueue().ok());
  EXPECT_TRUE(rig.Try().ok());
  EXPECT_EQ(rig.plugin.Try(Preemptor())->PreEnqueue(), (Outcome{BERTH_UNRESOLVABLE, {kRunning}}));
  const PostFilterOutcome again = rig.Try();
  EXPECT_EQ(static_cast<const Outcome&>(again), (Outcome{BERTH_UNSCHEDULABLE, {kRunning}}));
  EXPECT_EQ(again.mode, BERTH_NOMINATE_NOOP);
  rig.Answer();
  EXPECT_EQ(rig.Deleted(), (Names{"a", "b"}));
  EXPECT_TRUE(rig.plugin.Try(Preemptor())->PreEnqueue().ok());
}

TEST(Events, ADeletedPodNeverWakesAPod) {
  Crossing rig(Pair(), IsAlone);
  rig.Start();
  EXPECT_THAT(rig.plugin.Interests(), ElementsAre(InterestOutcome{"Pod", BERTH_ACTION_DELETE, true}));
  const FakeEvent event{.resource = "AssignedPod", .actions = BERTH_ACTION_DELETE, .old_pod = FakePod("a")};
  EXPECT_THAT(rig.plugin.Hints(event, {Preemptor()}).queue, ElementsAre(false));
}

}  // namespace
}  // namespace cross_node_test
