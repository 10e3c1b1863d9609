// Gangs that do not fit: they try three times and then rest until something changes.
#include <string>
#include <vector>

#include "test_fixture.h"

namespace plugins::coscheduling {
namespace {

const FakePod kFits = Member("a", "pg"), kLarge = Member("b", "pg"), kNew = Member("c", "pg");
const char* const kRest = "podGroup ns/pg failed recently";

// a waits, and b fits nowhere: the gang gives up three times, and then rests.
void LoseThreeRounds(Gangs& gangs) {
  gangs.Group(GroupOf("pg", 2)).Pods({kFits, kLarge}).Start();
  for (int round = 0; round < 3; ++round) {
    EXPECT_TRUE(gangs.PreFilter(kFits).ok());
    gangs.PermitAndGoOn(kFits);
    EXPECT_EQ(gangs.Fail(kLarge).code, BERTH_UNSCHEDULABLE);
    gangs.Unreserve(kFits);
  }
}

TEST(CoschedulingRest, AGangThatDoesNotFitDoesNotTryForever) {
  Gangs gangs;
  LoseThreeRounds(gangs);
  EXPECT_EQ(gangs.rejected().size(), 3u);
  EXPECT_EQ(gangs.PreFilter(kFits), Refused(BERTH_UNRESOLVABLE, kRest));
  gangs.Fail(kLarge);  // does not make the rest longer
  gangs.plugin.host().tasks().Advance(60s);
  EXPECT_TRUE(gangs.PreFilter(kFits).ok());
}

TEST(CoschedulingRest, EndsWithANode) {
  Gangs gangs;
  LoseThreeRounds(gangs);
  gangs.plugin.NodeAdded(FakeNode("node-c"), 5);
  EXPECT_TRUE(gangs.PreFilter(kFits).ok());
}

TEST(CoschedulingRest, EndsWithAnotherPodThatLeaves) {
  Gangs gangs;
  LoseThreeRounds(gangs);
  const FakePod stranger = FakePod("stranger");
  gangs.plugin.Deltas(
      {{BERTH_DELTA_POD_REMOVE, 0, std::nullopt, stranger}, {BERTH_DELTA_POD_ADD, 0, std::nullopt, stranger}});
  EXPECT_FALSE(gangs.PreFilter(kFits).ok()) << "the pod has only changed";
  gangs.plugin.PodRemoved(stranger, 0);
  EXPECT_TRUE(gangs.PreFilter(kFits).ok());
}

TEST(CoschedulingRest, DoesNotEndWithAPodOfTheGangItself) {
  Gangs gangs;
  LoseThreeRounds(gangs);
  gangs.plugin.PodAdded(kFits, 0);
  gangs.plugin.PodRemoved(kFits, 0);
  EXPECT_FALSE(gangs.PreFilter(kFits).ok());
}

TEST(CoschedulingRest, EndsWithAPodOfAnotherGangThatWasThereBefore) {
  Gangs gangs;
  const FakePod other = Member("o", "other");
  gangs.Start();
  gangs.plugin.PodAdded(other, 0);
  gangs.Group(GroupOf("pg", 2)).Group(GroupOf("other", 2)).Pods({kFits, kLarge, other});
  for (int round = 0; round < 3; ++round) gangs.Fail(kLarge);
  const FakeEvent left{.resource = "AssignedPod", .actions = BERTH_ACTION_DELETE, .interest = 2, .old_pod = other};
  EXPECT_THAT(gangs.plugin.Hints(left, {kFits}).queue, ElementsAre(true));
  gangs.plugin.PodRemoved(other, 0);
  EXPECT_TRUE(gangs.PreFilter(kFits).ok());
}

// Otherwise two gangs that do not fit would wake each other forever.
TEST(CoschedulingRest, DoesNotEndWithAPodOfAnotherGangThatCameLater) {
  Gangs gangs;
  LoseThreeRounds(gangs);
  const FakePod other = Member("o", "other");
  gangs.plugin.PodAdded(other, 0);
  const FakeEvent left{.resource = "AssignedPod", .actions = BERTH_ACTION_DELETE, .interest = 2, .old_pod = other};
  EXPECT_THAT(gangs.plugin.Hints(left, {kFits}).queue, ElementsAre(false));
  gangs.plugin.PodRemoved(other, 0);
  EXPECT_FALSE(gangs.PreFilter(kFits).ok());
}

TEST(CoschedulingRest, EndsWithANewMemberOrAnotherMinMember) {
  Gangs more;
  LoseThreeRounds(more);
  more.Pods({kNew});
  EXPECT_TRUE(more.PreFilter(kFits).ok());
  Gangs fewer;
  LoseThreeRounds(fewer);
  fewer.Group(GroupOf("pg", 1));
  EXPECT_TRUE(fewer.PreFilter(kFits).ok());
}

}  // namespace
}  // namespace plugins::coscheduling
