// How long pods wait and groups back off, when the room is checked, and what wakes pods.
#include <string>
#include <vector>

#include "test_fixture.h"

namespace plugins::coscheduling {
namespace {

const FakePod kLeft = Member("a", "pg"), kRight = Member("b", "pg");

TEST(CoschedulingTimes, APodWaitsAsLongAsItsGroupSays) {
  struct Case {
    int64_t args;
    const char* spec;
    std::chrono::seconds want;
  };
  for (const Case& one : {Case{60, "", 60s},
                          {10, "", 10s},
                          {10, R"(, "scheduleTimeoutSeconds": 30)", 30s},
                          {10, R"(, "scheduleTimeoutSeconds": 0)", 10s},
                          {0, "", 60s},
                          {0, R"(, "scheduleTimeoutSeconds": 0)", 60s}}) {
    Gangs gangs(FakeValue::Object({{"permitWaitingTimeSeconds", one.args}}));
    gangs.Group(GroupOf("pg", 2, one.spec)).Pods({kLeft, kRight}).Start();
    gangs.Permit(kLeft);
    EXPECT_EQ(gangs.last_wait, one.want);
  }
}

TEST(CoschedulingTimes, ABackoffEndsAndWakesTheGroup) {
  Gangs gangs(FakeValue::Object({{"podGroupBackoffSeconds", 5}}));
  gangs.Group(GroupOf("pg", 2)).Pods({kLeft, kRight}).Start();
  gangs.PostFilter(kLeft);
  EXPECT_FALSE(gangs.PreFilter(kRight).ok());
  gangs.plugin.host().tasks().Advance(4s);
  EXPECT_FALSE(gangs.PreFilter(kRight).ok());
  EXPECT_THAT(gangs.activated(), IsEmpty());
  gangs.plugin.host().tasks().Advance(1s);
  EXPECT_TRUE(gangs.PreFilter(kRight).ok());
  EXPECT_THAT(gangs.activated(), ElementsAre("ns/a", "ns/b"));
}

TEST(CoschedulingTimes, AGroupWithTooFewPodsDoesNotBackOff) {
  Gangs gangs(FakeValue::Object({{"podGroupBackoffSeconds", 5}}));
  gangs.Group(GroupOf("pg", 2)).Pods({kLeft}).Start();
  gangs.PostFilter(kLeft);
  gangs.Pods({kRight});
  EXPECT_TRUE(gangs.PreFilter(kRight).ok());
}

TEST(CoschedulingTimes, TheRoomIsCheckedAgainAfterTheWaitingTimeOrAFailure) {
  Gangs gangs(FakeValue::Object({{"permitWaitingTimeSeconds", 10}}));
  const std::string six = R"(, "minResources": {"cpu": "6"})";
  gangs.Group(GroupOf("pg", 2, six)).Pods({kLeft, kRight}).Start();
  const FakePod large = FakePod("large").Req({{"cpu", 4000}});
  EXPECT_TRUE(gangs.PreFilter(kLeft).ok());
  gangs.plugin.cluster().Add(large, "node-a");
  EXPECT_TRUE(gangs.PreFilter(kLeft).ok());  // by the earlier check
  gangs.plugin.host().tasks().Advance(10s);
  EXPECT_FALSE(gangs.PreFilter(kLeft).ok());
  gangs.plugin.cluster().Remove(large, "node-a");
  EXPECT_TRUE(gangs.PreFilter(kLeft).ok());
  gangs.plugin.cluster().Add(large, "node-a");
  gangs.PostFilter(kLeft);
  EXPECT_FALSE(gangs.PreFilter(kLeft).ok());
}

// ---- events

TEST(CoschedulingEvents, AreUpstreamsAndThoseThatMakeRoom) {
  Gangs gangs;
  gangs.Start();
  EXPECT_THAT(gangs.plugin.Interests(),
              ElementsAre(InterestOutcome{"Pod", BERTH_ACTION_ADD, false},
                          InterestOutcome{"podgroups.v1alpha1.scheduling.x-k8s.io",
                                          BERTH_ACTION_ADD | BERTH_ACTION_UPDATE, false},
                          InterestOutcome{"Pod", BERTH_ACTION_DELETE, true},
                          InterestOutcome{"Node", BERTH_ACTION_ADD | BERTH_ACTION_UPDATE_NODE_ALLOCATABLE, true}));
}

TEST(CoschedulingEvents, RoomHelpsAGroupThatLackedIt) {
  Gangs gangs;
  gangs.Group(GroupOf("pg", 1, R"(, "minResources": {"cpu": "10"})")).Group(GroupOf("other", 2)).Start();
  const FakePod other = Member("o", "other");
  gangs.Pods({kLeft, other});
  gangs.PreFilter(kLeft);
  gangs.PreFilter(other);
  const FakeEvent added{.resource = "Node", .actions = BERTH_ACTION_ADD, .interest = 3, .new_node = FakeNode("node-c")};
  EXPECT_THAT(gangs.plugin.Hints(added, {kLeft, other}).queue, ElementsAre(true, false));
}

}  // namespace
}  // namespace plugins::coscheduling
