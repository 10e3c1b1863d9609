// A hot swap in the middle of a gang.
#include <string>
#include <vector>

#include "test_fixture.h"

namespace plugins::coscheduling {
namespace {

const FakePod kOne = Member("first", "pg"), kTwo = Member("second", "pg"), kThree = Member("third", "pg");

// As the host does it: state, then open attempts. Both instances see the same pods and waiting pods.
void HandOver(Gangs& before, Gangs& after, const std::vector<FakePod>& open) {
  ASSERT_TRUE(after.plugin.LoadState("1.0.0", before.plugin.Save()).ok());
  for (const FakePod& pod : open) after.plugin.Adopt(pod, "node-a", before.plugin.Describe(pod, "node-a"));
}

TEST(CoschedulingHandover, TheNewInstanceCompletesTheGang) {
  Gangs before, after;
  for (Gangs* one : {&before, &after}) one->Group(GroupOf("pg", 3)).Pods({kOne, kTwo, kThree}).Start();
  before.PermitAndGoOn(kOne);
  before.PermitAndGoOn(kTwo);
  HandOver(before, after, {kOne, kTwo});
  for (const FakePod& pod : {kOne, kTwo}) after.plugin.host().AddWaiting(FakePod(pod).Node("node-a"));
  after.PermitAndGoOn(kThree);
  EXPECT_THAT(after.allowed(), UnorderedElementsAre("ns/first", "ns/second", "ns/third"));
}

TEST(CoschedulingHandover, AGangThatIsCompleteAtThatMomentIsReleased) {
  Gangs before, after;
  for (Gangs* one : {&before, &after}) one->Group(GroupOf("pg", 2)).Pods({kOne, kTwo}).Start();
  before.Permit(kOne);
  before.Permit(kTwo);  // the task of the old instance has not run
  for (const FakePod& pod : {kOne, kTwo}) after.plugin.host().AddWaiting(FakePod(pod).Node("node-a"));
  HandOver(before, after, {kOne, kTwo});
  after.plugin.host().tasks().Advance();
  EXPECT_THAT(after.allowed(), UnorderedElementsAre("ns/first", "ns/second"));
}

TEST(CoschedulingHandover, ReleasedMembersStillCount) {
  Gangs before, after;
  for (Gangs* one : {&before, &after}) one->Group(GroupOf("pg", 2)).Pods({kOne, kTwo, kThree}).Start();
  before.PermitAndGoOn(kOne);
  before.PermitAndGoOn(kTwo);
  HandOver(before, after, {kOne, kTwo});
  EXPECT_TRUE(after.Permit(kThree).ok());
}

TEST(CoschedulingHandover, AMemberThatFailsInTheOldInstanceDoesNotCount) {
  Gangs before, after;
  for (Gangs* one : {&before, &after}) one->Group(GroupOf("pg", 2)).Pods({kOne, kTwo}).Start();
  before.PermitAndGoOn(kOne);
  HandOver(before, after, {kOne});
  after.plugin.Settle(kOne, false);
  EXPECT_EQ(after.PermitAndGoOn(kTwo).code, BERTH_WAIT);
  EXPECT_THAT(after.allowed(), IsEmpty());
}

TEST(CoschedulingHandover, KeepsTheBackoffAndItsEnd) {
  const FakeValue args = FakeValue::Object({{"podGroupBackoffSeconds", 5}});
  Gangs before(args), after(args);
  for (Gangs* one : {&before, &after}) one->Group(GroupOf("pg", 2)).Pods({kOne, kTwo}).Start();
  before.PostFilter(kOne);
  HandOver(before, after, {});
  EXPECT_FALSE(after.PreFilter(kTwo).ok());
  after.plugin.host().tasks().Advance(5s);
  EXPECT_TRUE(after.PreFilter(kTwo).ok());
  EXPECT_THAT(after.activated(), ElementsAre("ns/first", "ns/second"));
}

TEST(CoschedulingHandover, IgnoresGroupsThatAreGoneAndLinesThatItCannotRead) {
  Gangs gangs;
  gangs.Group(GroupOf("pg", 2)).Pods({kOne, kTwo}).Start();
  EXPECT_TRUE(gangs.plugin.LoadState("9.0.0", "ns/gone 1 2 3 0\nnonsense\n\nns/pg\n").ok());
  EXPECT_TRUE(gangs.PreFilter(kOne).ok());
  gangs.plugin.Adopt(kOne, "node-a", "?");
  EXPECT_EQ(gangs.PermitAndGoOn(kTwo).code, BERTH_WAIT);
}

}  // namespace
}  // namespace plugins::coscheduling
