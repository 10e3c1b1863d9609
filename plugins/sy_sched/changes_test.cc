// How the plugin follows changes, and how it holds new pods back until their objects are known.
#include <chrono>

#include "confinements.h"
#include "pods.h"
#include "profiles.h"
#include "test_fixture.h"

namespace sy_sched_test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(SySchedChanges, AnEmptyNodeExposesNobody) {
  Scheduler scheduler;
  EXPECT_EQ(scheduler.ScoreWith("z-seccomp", "node2"), 0);
  scheduler.Run(Annotated("p", "x-seccomp"), "p").Go("p");
  EXPECT_EQ(scheduler.ScoreWith("z-seccomp"), 0);
}

TEST(SySchedChanges, FollowProfiles) {
  Scheduler scheduler;
  scheduler.Run(Annotated("p", "w"), "p");
  EXPECT_EQ(scheduler.ScoreWith("full-seccomp"), 0);  // w does not exist, so the pod has the default
  scheduler.Put(kProfiles, ProfileOf("w", With(CallsOfFull(), {"w1", "w2"})));
  EXPECT_EQ(scheduler.ScoreWith("full-seccomp"), 2);
  scheduler.Put(kProfiles, ProfileOf("w", CallsOfX()));
  EXPECT_EQ(scheduler.ScoreWith("full-seccomp"), 10);
  scheduler.plugin().Delete(kProfiles, "w", "default");
  EXPECT_EQ(scheduler.ScoreWith("full-seccomp"), 0);
}

TEST(SySchedChanges, FollowTheDefaultProfile) {
  Scheduler scheduler;
  scheduler.Run(PodObjectOf("p"), "p");
  EXPECT_EQ(scheduler.ScoreWith("x-seccomp"), 10);
  scheduler.Put(kProfiles, ProfileOf("full-seccomp", CallsOfZ()));
  EXPECT_EQ(scheduler.ScoreWith("x-seccomp"), 2);
}

TEST(SySchedChanges, ComeInAnyOrder) {
  Scheduler scheduler;
  scheduler.Come("p");  // counts with the default profile
  EXPECT_EQ(scheduler.ScoreWith("x-seccomp"), 10);
  scheduler.Put(kPods, Annotated("p", "x-seccomp"));
  EXPECT_EQ(scheduler.ScoreWith("x-seccomp"), 0);
  scheduler.plugin().Delete(kPods, "p", "default");  // it leaves the node later
  EXPECT_EQ(scheduler.ScoreWith("x-seccomp"), 0);
  EXPECT_EQ(scheduler.ScoreWith("full-seccomp"), 10);
  scheduler.Go("p");
  EXPECT_EQ(scheduler.ScoreWith("full-seccomp"), 0);
}

// The original knows pods by name alone.
TEST(SySchedChanges, TellPodsOfOneNameApart) {
  Scheduler scheduler;
  scheduler.Run(Annotated("p", "x-seccomp"), "p");
  scheduler.Put(
      kPods,
      FakeObject("p", "other").Uid("other/p").Annotation("seccomp.security.alpha.kubernetes.io", PathOf("z-seccomp")));
  scheduler.plugin().PodAdded(FakePod("p").Namespace("other"), scheduler.plugin().cluster().RowOf("node1"));
  EXPECT_EQ(scheduler.CallsOn({kCommon + 1, kCommon + 1}), kCommon + 2);
}

TEST(SySchedChanges, ReplaceAPodOfTheSameName) {
  Scheduler scheduler;
  scheduler.Put(kPods, Annotated("p", "x-seccomp"));
  scheduler.Put(kPods, Annotated("p", "z-seccomp").Uid("second"));
  scheduler.plugin().PodAdded(FakePod("p").Uid("second"), scheduler.plugin().cluster().RowOf("node1"));
  EXPECT_EQ(scheduler.ScoreWith("z-seccomp"), 0);
}

TEST(SySchedChanges, LeaveNothingBehind) {
  using namespace plugins::sy_sched;  // NOLINT
  Profiles profiles;
  Confinements confinements(profiles, "default/none");
  Exposure exposure(confinements);
  Pods pods(confinements, exposure);
  for (int i = 0; i < 100; ++i) {
    const std::string name = std::to_string(i);
    const auto data = ProfileOf(name, {"call-" + name}).Build();
    profiles.Set("default/" + name, berth::sdk::Object(FakeValue::Table(), data->raw()));
    pods.SetProfiles(name, {"default/" + name});
    pods.Come(name, 3);
    EXPECT_EQ(confinements.size(), 2u);  // and the default one
    EXPECT_EQ(profiles.names(), 1u);
    i % 2 == 0 ? pods.Forget(name), pods.Go(name) : (pods.Go(name), pods.Forget(name));
    profiles.Set("default/" + name, {});
  }
  EXPECT_EQ(pods.size(), 0u);
  EXPECT_EQ(confinements.size(), 1u);
  EXPECT_EQ(profiles.names(), 0u);
}

// ---- PreEnqueue

Outcome Enters(Scheduler& scheduler, const std::string& pod) {
  return scheduler.plugin().Try(FakePod(pod))->PreEnqueue();
}
FakeTasks& TasksOf(Scheduler& scheduler) { return scheduler.plugin().host().tasks(); }

TEST(SySchedEntrance, WaitsForTheObjectOfThePod) {
  Scheduler scheduler;
  EXPECT_EQ(Enters(scheduler, "p"), (Outcome{BERTH_UNSCHEDULABLE, {"waiting for the pod's security context"}}));
  EXPECT_FALSE(Enters(scheduler, "p").ok());
  EXPECT_THAT(TasksOf(scheduler).activated(), IsEmpty());
  scheduler.Put(kPods, Annotated("p", "z-seccomp"));
  EXPECT_THAT(TasksOf(scheduler).activated(), ElementsAre("default/p"));
  EXPECT_TRUE(Enters(scheduler, "p").ok());
  TasksOf(scheduler).Advance(2s);
  EXPECT_THAT(TasksOf(scheduler).activated(), ElementsAre("default/p"));
}

TEST(SySchedEntrance, LetsAKnownPodPass) {
  Scheduler scheduler;
  scheduler.Put(kPods, PodObjectOf("p"));
  EXPECT_TRUE(Enters(scheduler, "p").ok());
  EXPECT_THAT(TasksOf(scheduler).activated(), IsEmpty());
}

TEST(SySchedEntrance, WaitsNoLongerThanASecond) {
  Scheduler scheduler;
  EXPECT_FALSE(Enters(scheduler, "p").ok());
  TasksOf(scheduler).Advance(1s);
  EXPECT_THAT(TasksOf(scheduler).activated(), ElementsAre("default/p"));
  EXPECT_TRUE(Enters(scheduler, "p").ok());
  scheduler.Put(kPods, PodObjectOf("p"));
  EXPECT_THAT(TasksOf(scheduler).activated(), ElementsAre("default/p"));
}

TEST(SySchedEntrance, ForgetsAPodThatIsGone) {
  Scheduler scheduler;
  EXPECT_FALSE(Enters(scheduler, "p").ok());
  scheduler.Put(kPods, PodObjectOf("p"));
  scheduler.plugin().Delete(kPods, "p", "default");
  EXPECT_FALSE(Enters(scheduler, "p").ok());  // another pod of this name
}

}  // namespace
}  // namespace sy_sched_test
