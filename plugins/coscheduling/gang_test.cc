// How gangs form and give up, and the mistakes of the original that Berth fixes.
#include <string>
#include <vector>

#include "test_fixture.h"

namespace plugins::coscheduling {
namespace {

const FakePod kA = Member("a", "pg"), kB = Member("b", "pg"), kC = Member("c", "pg"), kD = Member("d", "pg");

TEST(CoschedulingGang, IsReleasedTogether) {
  Gangs gangs;
  gangs.Group(GroupOf("pg", 3)).Pods({kA, kB, kC}).Start();
  EXPECT_EQ(gangs.PermitAndGoOn(kA).code, BERTH_WAIT);
  EXPECT_EQ(gangs.PermitAndGoOn(kB).code, BERTH_WAIT);
  EXPECT_THAT(gangs.allowed(), IsEmpty());
  gangs.PermitAndGoOn(kC);
  EXPECT_THAT(gangs.allowed(), UnorderedElementsAre("ns/a", "ns/b", "ns/c"));
}

TEST(CoschedulingGang, LetsLaterMembersPass) {
  Gangs gangs;
  gangs.Group(GroupOf("pg", 2)).Pods({kA, kB, kC}).Start();
  gangs.PermitAndGoOn(kA);
  gangs.PermitAndGoOn(kB);
  EXPECT_TRUE(gangs.PermitAndGoOn(kC).ok());
}

// scheduler-plugins#930: the wait of a is over, but its Unreserve comes only after b has passed Permit.
TEST(CoschedulingGang, DoesNotCountAPodWhoseWaitIsOver) {
  Gangs gangs;
  gangs.Group(GroupOf("pg", 2)).Pods({kA, kB}).Start();
  gangs.PermitAndGoOn(kA);
  gangs.plugin.host().StopWaiting("ns/a");
  EXPECT_EQ(gangs.PermitAndGoOn(kB).code, BERTH_WAIT);
  EXPECT_THAT(gangs.allowed(), IsEmpty());
  EXPECT_THAT(gangs.activated(), ::testing::Contains("ns/a"));  // b needs it again
}

// The pod that completes the gang is refused by a Permit plugin that comes after this one.
TEST(CoschedulingGang, DoesNotReleaseTheOthersIfTheLastOneFailsPermit) {
  Gangs gangs;
  gangs.Group(GroupOf("pg", 2)).Pods({kA, kB}).Start();
  gangs.PermitAndGoOn(kA);
  EXPECT_EQ(gangs.plugin.Try(kB)->Permit("node-a").code, BERTH_WAIT);
  gangs.Unreserve(kB);
  gangs.plugin.host().tasks().Advance();
  EXPECT_THAT(gangs.allowed(), IsEmpty());
  EXPECT_THAT(gangs.rejected(), ElementsAre("ns/a: rejection in Unreserve"));
}

TEST(CoschedulingGang, GivesUpTogetherWhenAWaitEnds) {
  Gangs gangs;
  gangs.Group(GroupOf("pg", 3)).Pods({kA, kB, kC}).Start();
  gangs.PermitAndGoOn(kA);
  gangs.PermitAndGoOn(kB);
  gangs.plugin.host().StopWaiting("ns/a");
  gangs.Unreserve(kA);
  EXPECT_THAT(gangs.rejected(), ElementsAre("ns/b: rejection in Unreserve"));
}

// The pods that were rejected with the others must not cause a rejection of those of the next round.
TEST(CoschedulingGang, ALateUnreserveDoesNotHitTheNextRound) {
  Gangs gangs;
  gangs.Group(GroupOf("pg", 3)).Pods({kA, kB, kC}).Start();
  gangs.PermitAndGoOn(kA);
  gangs.PostFilter(kB);
  EXPECT_THAT(gangs.rejected(), ElementsAre("ns/a: optimistic rejection in PostFilter"));
  gangs.PermitAndGoOn(kC);
  gangs.Unreserve(kA);
  EXPECT_EQ(gangs.rejected().size(), 1u);
}

TEST(CoschedulingGang, CountsAMemberAgainOnlyAfterItsNextPermit) {
  Gangs gangs;
  gangs.Group(GroupOf("pg", 3)).Pods({kA, kB, kC}).Start();
  gangs.PermitAndGoOn(kA);
  gangs.PermitAndGoOn(kB);
  gangs.PostFilter(kC);
  EXPECT_EQ(gangs.rejected().size(), 2u);
  EXPECT_EQ(gangs.PermitAndGoOn(kC).code, BERTH_WAIT);  // upstream still counts a and b here
  EXPECT_THAT(gangs.allowed(), IsEmpty());
}

TEST(CoschedulingGang, AnotherPodOfTheSameNameIsNotTheMemberThatIsBound) {
  Gangs gangs;
  gangs.Group(GroupOf("pg", 2)).Pods({FakePod(kA).Uid("old").Node("node-a")}).Start();
  gangs.Pods({FakePod(kA).Uid("new"), kB});  // replaces old
  EXPECT_EQ(gangs.PermitAndGoOn(kB).code, BERTH_WAIT);
}

TEST(CoschedulingGang, CountsBoundMembersAfterARestart) {
  Gangs gangs;
  gangs.Group(GroupOf("pg", 3)).Pods({FakePod(kA).Node("node-a"), FakePod(kB).Node("node-b"), kC}).Start();
  EXPECT_TRUE(gangs.Permit(kC).ok());
}

TEST(CoschedulingGang, AMemberThatHasFinishedDoesNotCount) {
  Gangs gangs;
  gangs.Group(GroupOf("pg", 2)).Pods({FakePod(kA).Node("node-a"), kB}).Start();
  gangs.pods.Remove(kA);  // Succeeded
  EXPECT_EQ(gangs.PreFilter(kB).code, BERTH_UNRESOLVABLE);
  EXPECT_EQ(gangs.Permit(kB).code, BERTH_WAIT);
}

TEST(CoschedulingGang, AMemberThatIsDeletedWhileItWaitsTakesTheOthersWithIt) {
  Gangs gangs;
  gangs.Group(GroupOf("pg", 3)).Pods({kA, kB, kC, kD}).Start();
  gangs.PermitAndGoOn(kA);
  gangs.PermitAndGoOn(kB);
  gangs.pods.Remove(kA);
  gangs.plugin.host().StopWaiting("ns/a");
  gangs.Unreserve(kA);
  EXPECT_THAT(gangs.rejected(), ElementsAre("ns/b: rejection in Unreserve"));
  for (const FakePod& pod : {kB, kC, kD}) gangs.PermitAndGoOn(pod);
  EXPECT_THAT(gangs.allowed(), UnorderedElementsAre("ns/b", "ns/c", "ns/d"));
}

TEST(CoschedulingGang, WakesTheOthersAgainInEachRound) {
  Gangs gangs;
  gangs.Group(GroupOf("pg", 3)).Pods({FakePod(kA).Node("node-a"), kB, kC}).Start();
  gangs.PermitAndGoOn(kB);  // upstream wakes nobody, because a is assigned already
  EXPECT_THAT(gangs.activated(), ElementsAre("ns/c"));
  gangs.PermitAndGoOn(kC);
  EXPECT_THAT(gangs.allowed(), UnorderedElementsAre("ns/b", "ns/c"));
}

TEST(CoschedulingGang, TwoGangsCompeteAndTheSecondGivesUpAll) {
  Gangs gangs;
  gangs.Group(GroupOf("first", 2)).Group(GroupOf("second", 3)).Start();
  const FakePod f1 = Member("f1", "first"), f2 = Member("f2", "first");
  const FakePod s1 = Member("s1", "second"), s2 = Member("s2", "second"), s3 = Member("s3", "second");
  gangs.Pods({f1, f2, s1, s2, s3});
  for (const FakePod& pod : {s1, f1, s2, f2}) gangs.PermitAndGoOn(pod);
  EXPECT_THAT(gangs.allowed(), UnorderedElementsAre("ns/f1", "ns/f2"));
  gangs.PostFilter(s3);
  EXPECT_THAT(gangs.rejected(), UnorderedElementsAre("ns/s1: optimistic rejection in PostFilter",
                                                     "ns/s2: optimistic rejection in PostFilter"));
}

TEST(CoschedulingGang, DoesNotTouchTheGroupOfAnotherNamespace) {
  Gangs gangs;
  gangs.Group(GroupOf("pg", 2)).Group(GroupOf("pg", 2, "", "other")).Start();
  const FakePod stranger = Member("x", "pg", "other");
  gangs.Pods({kA, kB, stranger});
  gangs.PermitAndGoOn(stranger);
  gangs.PermitAndGoOn(kA);
  EXPECT_THAT(gangs.allowed(), IsEmpty());
  gangs.PostFilter(kB);
  EXPECT_THAT(gangs.rejected(), ElementsAre("ns/a: optimistic rejection in PostFilter"));
}

// Upstream rejects the whole group for one pod too many.
TEST(CoschedulingGang, APodThatFitsNowhereDoesNotStopAGangThatHasEnoughOthers) {
  Gangs gangs;
  gangs.Group(GroupOf("pg", 2)).Pods({kA, kB, kC}).Start();
  gangs.PermitAndGoOn(kA);
  EXPECT_EQ(gangs.Fail(kC), Outcome(BERTH_UNSCHEDULABLE, {}));
  gangs.PermitAndGoOn(kB);
  EXPECT_THAT(gangs.allowed(), UnorderedElementsAre("ns/a", "ns/b"));
}

// ---- the PodGroup

TEST(CoschedulingPodGroup, IsNeededInPermitOnly) {
  Gangs gangs;
  gangs.Pods({kA}).Start();
  EXPECT_TRUE(gangs.PreFilter(kA).ok());
  EXPECT_EQ(gangs.Permit(kA), Refused(BERTH_UNSCHEDULABLE, "PodGroup not found"));
  gangs.Group(GroupOf("pg", 1));
  EXPECT_TRUE(gangs.Permit(kA).ok());
}

TEST(CoschedulingPodGroup, TakesTheWaitingMembersWithIt) {
  Gangs gangs;
  gangs.Group(GroupOf("pg", 2)).Pods({kA, kB}).Start();
  gangs.PermitAndGoOn(kA);
  gangs.plugin.Delete(kPodGroups, "pg", "ns");
  EXPECT_THAT(gangs.rejected(), ElementsAre("ns/a: PodGroup not found"));
  gangs.Unreserve(kA);
  gangs.Group(GroupOf("pg", 2));
  EXPECT_EQ(gangs.PermitAndGoOn(kB).code, BERTH_WAIT);  // upstream still counts a
  EXPECT_THAT(gangs.allowed(), IsEmpty());
}

TEST(CoschedulingPodGroup, ReleasesTheMembersWhenMinMemberFalls) {
  Gangs gangs;
  gangs.Group(GroupOf("pg", 3)).Pods({kA, kB}).Start();
  gangs.PermitAndGoOn(kA);
  gangs.PermitAndGoOn(kB);
  gangs.Group(GroupOf("pg", 2));
  gangs.plugin.host().tasks().Advance();
  EXPECT_THAT(gangs.allowed(), UnorderedElementsAre("ns/a", "ns/b"));
}

TEST(CoschedulingPodGroup, KeepsTheMembersWhenMinMemberRises) {
  Gangs gangs;
  gangs.Group(GroupOf("pg", 2)).Pods({kA, kB, kC}).Start();
  gangs.PermitAndGoOn(kA);
  gangs.Group(GroupOf("pg", 3));
  gangs.PermitAndGoOn(kB);
  EXPECT_THAT(gangs.allowed(), IsEmpty());
  gangs.PermitAndGoOn(kC);
  EXPECT_EQ(gangs.allowed().size(), 3u);
}

TEST(CoschedulingPodGroup, AChangeOfItsStatusWakesNobody) {
  Gangs gangs;
  gangs.Group(GroupOf("pg", 2)).Pods({kA, kB}).Start();
  gangs.PermitAndGoOn(kA);
  const size_t before = gangs.activated().size();
  gangs.Group(GroupOf("pg", 2).Status(R"({"phase": "Scheduling"})"));
  gangs.plugin.host().tasks().Advance();
  EXPECT_EQ(gangs.activated().size(), before);
}

}  // namespace
}  // namespace plugins::coscheduling
