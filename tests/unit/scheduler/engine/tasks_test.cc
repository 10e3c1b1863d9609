// Tasks of plugins: they run between two cycles, in virtual time, and may activate pods.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "berth/tasks.hpp"
#include "scheduler/engine/timed_tasks.h"
#include "test_scheduler.h"

namespace berth::fixture {
namespace {

using std::chrono::seconds;
using testing::ElementsAre;

TEST(TimedTasks, RunInOrderAndAddedOnesWait) {
  engine::TimedTasks tasks;
  std::vector<int> ran;
  tasks.Add(20, [&] { ran.push_back(3); });
  tasks.Add(10, [&] {
    ran.push_back(1);
    tasks.Add(5, [&] { ran.push_back(4); });
  });
  tasks.Add(10, [&] { ran.push_back(2); });
  EXPECT_EQ(tasks.Next(), 10);
  EXPECT_EQ(tasks.RunDue(9), 0u);
  EXPECT_EQ(tasks.RunDue(10), 2u);
  EXPECT_THAT(ran, ElementsAre(1, 2));
  EXPECT_EQ(tasks.Next(), 5);
  EXPECT_EQ(tasks.RunDue(20), 2u);
  EXPECT_THAT(ran, ElementsAre(1, 2, 4, 3));
  EXPECT_EQ(tasks.Next(), std::nullopt);
}

TEST(TimedTasks, ThatAddOthersDoNotDelayALaterOne) {
  engine::TimedTasks tasks;
  int ran = 0;
  std::function<void()> forever = [&] {
    ++ran;
    tasks.Add(0, forever);
  };
  tasks.Add(0, forever);
  EXPECT_EQ(tasks.RunDue(100), 1u);
  EXPECT_EQ(ran, 1);
}

struct TasksTest : testing::Test {
  TestScheduler rig;
  const sdk::Tasks tasks{HostOf("A")};
  std::vector<std::string> told;
};

// Ends a simulation that repeats itself, but only after some steps.
TEST_F(TasksTest, MayActivateAPodManyTimesBeforeItIsBound) {
  int tried = 0;
  ScriptOf("A").filter = [&](Cycle& c, const Pod& pod, sdk::Node, sdk::Verdict& verdict) {
    if (++tried > 150) return Status::Ok();
    tasks.Post(seconds(1), [this, uid = std::string(pod.uid())] { tasks.Activate(uid); });
    verdict = sdk::Verdict::Unschedulable(c.Reasons("not yet"));
    return Status::Ok();
  };
  rig.AddNodes({"n1"});
  rig.AddPod("p1");
  rig.Run();
  EXPECT_EQ(rig.story.Lines().back(), "p1 Scheduled n1");
}

TEST_F(TasksTest, ThatThrowAreFaults) {
  ScriptOf("A").reserve = [this](Cycle&, const Pod&, Id) {
    tasks.Post([] { throw std::runtime_error("no"); });
    return Status::Ok();
  };
  rig.AddNodes({"n1"});
  rig.AddPod("p1");
  rig.Run();
  const framework::Profile& profile = *rig.simulation->engine().profiles().profiles[0];
  EXPECT_EQ(profile.Find(rig.intern.ids.Find("A"))->faults(), 1u);
  EXPECT_THAT(rig.story.Lines(), ElementsAre("p1 Scheduled n1"));
}

TEST_F(TasksTest, RunBetweenCyclesAndBeforeTheNextPod) {
  ScriptOf("A").reserve = [this](Cycle&, const Pod& pod, Id) {
    const std::string name(pod.name());
    tasks.Post([this, name] { told.push_back("task of " + name); });
    told.push_back("reserve " + name);
    return Status::Ok();
  };
  rig.AddNodes({"n1"});
  rig.AddPod("p1");
  rig.AddPod("p2");
  rig.Run();
  EXPECT_THAT(told, ElementsAre("reserve p1", "task of p1", "reserve p2", "task of p2"));
}

TEST_F(TasksTest, EndAPreBindInVirtualTime) {
  int64_t began = 0, ended = 0;
  ScriptOf("A").pre_bind = [&](Cycle&, const Pod&, Id, sdk::Op& op) {
    began = tasks.WallUnixNs();
    tasks.Post(seconds(300), [&, kept = std::make_shared<sdk::Op>(std::move(op))] {
      ended = tasks.WallUnixNs();
      kept->Done(Status::Ok());
    });
    return Status::Later();
  };
  rig.AddNodes({"n1"});
  rig.AddPod("p1");
  const auto real = std::chrono::steady_clock::now();
  rig.Run();
  EXPECT_THAT(rig.story.Lines(), ElementsAre("p1 Scheduled n1"));
  EXPECT_GE(ended - began, 300 * base::kSecond);
  EXPECT_LT(ended - began, 301 * base::kSecond);
  EXPECT_LT(std::chrono::steady_clock::now() - real, seconds(30));
}

// Handle.Activate of kube-scheduler: the scheduler tries a pod again at once, without an event.
TEST_F(TasksTest, ActivateAPodThatWaits) {
  int asked = 0;
  ScriptOf("A").pre_filter = [&](Cycle&, const Pod&, sdk::NameSet&) {
    return ++asked < 3 ? Status::Unschedulable("not yet") : Status::Ok();
  };
  rig.AddNodes({"n1"});
  rig.AddPod("p1");
  rig.Run();
  EXPECT_EQ(asked, 1);
  std::vector<bool> answers;
  tasks.Post([&] { answers = {tasks.Activate("pod-p1"), tasks.Activate("nobody")}; });
  rig.Run();
  EXPECT_THAT(answers, ElementsAre(true, false));
  EXPECT_EQ(asked, 2);
  rig.AddPod("p2");  // the index by UID exists now and gets this pod
  rig.cluster.RemovePod("default/p1");
  tasks.Post(seconds(1), [&] { answers = {tasks.Activate("pod-p1"), tasks.Activate("pod-p2")}; });
  rig.Run();
  EXPECT_THAT(answers, ElementsAre(false, false));  // deleted; bound meanwhile
  EXPECT_THAT(rig.story.Lines(), ElementsAre("p1 Unschedulable 0/1 nodes are available: not yet.",
                                             "p1 Unschedulable 0/1 nodes are available: not yet.", "p2 Scheduled n1"));
}

TEST_F(TasksTest, ActivateAPodInFlight) {
  int asked = 0;
  bool answer = false;
  ScriptOf("A").pre_filter = [&](Cycle&, const Pod& pod, sdk::NameSet&) {
    if (++asked > 1) return Status::Ok();
    answer = tasks.Activate(pod.uid());
    return Status::Unschedulable("not yet");
  };
  rig.AddNodes({"n1"});
  rig.AddPod("p1");
  rig.Run();
  EXPECT_TRUE(answer);
  EXPECT_EQ(rig.story.Lines().back(), "p1 Scheduled n1");
}

// The queue calls PreEnqueue for a pod that becomes active, but not during another call of the plugin.
TEST_F(TasksTest, ActivateAfterTheCall) {
  bool in_task = false;
  ScriptOf("A").pre_enqueue = [&](Cycle&, const Pod&) {
    told.push_back(in_task ? "within the call" : "asked");
    return Status::Ok();
  };
  ScriptOf("A").pre_filter = [&](auto&&...) { return Status::Unschedulable("never"); };
  rig.AddNodes({"n1"});
  rig.AddPod("p1");
  rig.Run();
  told.clear();
  tasks.Post([&] {
    in_task = true;
    (void)tasks.Activate("pod-p1");
    in_task = false;
  });
  rig.Run();
  EXPECT_THAT(told, ElementsAre("asked"));
}

// A plugin that posts a task every second would never let virtual time end.
TEST_F(TasksTest, ThatNeverEndDoNotKeepASimulationRunning) {
  int ran = 0;
  std::function<void()> sweep = [&] {
    ++ran;
    tasks.Post(seconds(1), sweep);
  };
  tasks.Post(seconds(1), sweep);
  rig.AddNodes({"n1"});
  rig.AddPod("p1");
  rig.Run();
  EXPECT_THAT(rig.story.Lines(), ElementsAre("p1 Scheduled n1"));
  EXPECT_GT(ran, 100);
  EXPECT_LT(ran, 5000);
}

TEST_F(TasksTest, OfAnInstanceThatEndsAreDestroyed) {
  auto held = std::make_shared<int>(0);
  tasks.Post(seconds(1'000'000), [held] {});
  rig.Run();
  EXPECT_EQ(held.use_count(), 2);
  rig.simulation.reset();
  EXPECT_EQ(held.use_count(), 1);
}

}  // namespace
}  // namespace berth::fixture
