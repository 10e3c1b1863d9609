// Permit: wait, allow, reject, timeout, and pods that are deleted meanwhile. Time is virtual.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "test_scheduler.h"

namespace berth::fixture {
namespace {

using testing::ElementsAre;

std::function<Status(Cycle&, const Pod&, Id, std::chrono::nanoseconds&)> WaitFor(std::chrono::seconds time) {
  return [time](Cycle&, const Pod&, Id, std::chrono::nanoseconds& wait) {
    wait = time;
    return Status::Wait();
  };
}

TEST(Permit, TimesOutAndUnreserves) {
  TestScheduler rig;
  int unreserved = 0;
  bool first = true;
  ScriptOf("A").unreserve = [&](Cycle&, const Pod&, Id) { ++unreserved; };
  ScriptOf("A").permit = [&](Cycle&, const Pod&, Id, std::chrono::nanoseconds& wait) {
    if (!std::exchange(first, false)) return Status::Unschedulable("no more");
    wait = std::chrono::seconds(10);
    return Status::Wait();
  };
  rig.AddNodes({"n1"});
  rig.AddPod("p1");
  rig.Run();
  EXPECT_THAT(rig.story.Lines(),
              ElementsAre("p1 Unschedulable 0/1 nodes are available: 1 rejected due to timeout after waiting 10s at "
                          "plugin A."));
  EXPECT_EQ(unreserved, 1);
}

// A timeout causes an event, which may move the same pod again. A cluster would repeat this; a simulation ends.
TEST(Permit, ThatMovesItsOwnPodDoesNotKeepASimulationRunning) {
  TestScheduler rig({{}}, TestScheduler::DefaultOptions(), [] {
    ScriptOf("A").interests = {{"Pod", BERTH_ACTION_DELETE}};
    ScriptOf("A").permit = WaitFor(std::chrono::seconds(10));
  });
  rig.AddNodes({"n1"});
  rig.AddPod("p1");
  rig.Run();
  EXPECT_GT(rig.story.entries.size(), 10u) << "the pod is not woken, so the test proves nothing";
  EXPECT_LE(rig.story.entries.size(), 101u);
}

TEST(Permit, EveryPluginThatReturnedWaitMustAllow) {
  TestScheduler rig({{.plugins = {"A", "B"}}});
  ScriptOf("A").permit = WaitFor(std::chrono::seconds(60));
  ScriptOf("B").permit = WaitFor(std::chrono::seconds(60));
  // Permit of the second pod allows the first one, as in gang scheduling.
  ScriptOf("A").permit = [](Cycle&, const Pod& pod, Id, std::chrono::nanoseconds& wait) {
    if (pod.name() == "p1") {
      wait = std::chrono::seconds(60);
      return Status::Wait();
    }
    EXPECT_TRUE(HostOf("A").AllowWaiting("pod-p1"));
    return Status::Ok();
  };
  ScriptOf("B").permit = [](Cycle&, const Pod& pod, Id, std::chrono::nanoseconds& wait) {
    if (pod.name() == "p1") {
      wait = std::chrono::seconds(60);
      return Status::Wait();
    }
    EXPECT_TRUE(HostOf("B").AllowWaiting("pod-p1"));
    return Status::Ok();
  };
  rig.AddNodes({"n1"});
  rig.AddPod("p1");
  rig.AddPod("p2");
  rig.Run();
  EXPECT_THAT(rig.story.Lines(), testing::UnorderedElementsAre("p1 Scheduled n1", "p2 Scheduled n1"));
}

TEST(Permit, RejectionOfAWaitingPodGivesTheReason) {
  TestScheduler rig;
  ScriptOf("A").permit = [](Cycle&, const Pod& pod, Id, std::chrono::nanoseconds& wait) {
    if (pod.name() == "p1") {
      wait = std::chrono::seconds(60);
      return Status::Wait();
    }
    EXPECT_TRUE(HostOf("A").RejectWaiting("pod-p1", "the group is off"));
    return Status::Ok();
  };
  rig.AddNodes({"n1"});
  rig.AddPod("p1");
  rig.AddPod("p2");
  rig.Run();
  ASSERT_EQ(rig.story.entries.size(), 2u);
  EXPECT_THAT(rig.story.Lines(),
              testing::UnorderedElementsAre("p2 Scheduled n1",
                                            "p1 Unschedulable 0/1 nodes are available: 1 the group is off."));
}

TEST(Permit, DeletionOfAWaitingPodFreesItsResources) {
  TestScheduler rig;
  ScriptOf("A").permit = WaitFor(std::chrono::seconds(600));
  rig.AddNodes({"n1"});
  rig.AddPod("p1");
  ASSERT_TRUE(rig.simulation->engine().Step());
  ASSERT_TRUE(rig.simulation->engine().cache().IsAssumed("pod-p1"));
  rig.cluster.RemovePod("default/p1");
  rig.Run();
  EXPECT_FALSE(rig.simulation->engine().cache().IsAssumed("pod-p1"));
  EXPECT_EQ(rig.simulation->engine().attempts_in_flight(), 0u);
}

}  // namespace
}  // namespace berth::fixture
