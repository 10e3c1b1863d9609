// The table tests of pkg/sysched of kubernetes-sigs/scheduler-plugins, as facts. Upstream looks at the sets of system
// calls; here they show in scores.
#include "profile_path.h"
#include "test_fixture.h"

namespace sy_sched_test {
namespace {

constexpr int64_t kZ = kCommon + 1, kX = kCommon + 1, kFull = kCommon + 11, kBoth = kCommon + 2;

TEST(SySchedUpstream, ParseNameNS) {
  const auto path = plugins::sy_sched::ProfilePath::Of("localhost/operator/default/httpd-seccomp.json");
  EXPECT_EQ(path.ns, "default");
  EXPECT_EQ(path.name, "httpd-seccomp");
}

// How many calls a pod with this object may make, when it runs alone.
int64_t CallsOf(const FakeObject& object, const std::string& default_profile = "full-seccomp") {
  Scheduler scheduler(default_profile);
  scheduler.Put(kPods, object).Run(PodObjectOf("empty"), "empty");
  scheduler.Go("empty").Come("p");
  scheduler.Put(kProfiles, ProfileOf("probe", {"a call of the probe"}));
  return scheduler.ScoreWith("probe") - 1;  // the probe sees them all, and the pod sees that of the probe
}

struct CallsCase {
  const char* name;
  FakeObject pod;
  int64_t want;
};

class SySchedCalls : public testing::TestWithParam<CallsCase> {};

TEST_P(SySchedCalls, Of) { EXPECT_EQ(CallsOf(GetParam().pod), GetParam().want); }

// TestGetSyscalls, all cases; TestReadSPOProfileCR ("Valid CR path") and TestCalcScore have the same number.
INSTANTIATE_TEST_SUITE_P(
    Upstream, SySchedCalls,
    testing::Values(CallsCase{.name = "Annotation", .pod = Annotated("p", "z-seccomp"), .want = kZ},
                    CallsCase{.name = "SecurityContext", .pod = Confined("p", "z-seccomp"), .want = kZ},
                    CallsCase{.name = "SecurityContextOfAContainer",
                              .pod = PodObjectOf("p").Spec(R"({"containers": [{"securityContext": )" +
                                                           Localhost(PathOf("z-seccomp")) + "}]}"),
                              .want = kZ},
                    CallsCase{.name = "NoSecurityContext", .pod = PodObjectOf("p"), .want = kFull}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(SySchedUpstream, ReadSPOProfileCRWithoutAName) {  // "Empty CR path": no calls
  EXPECT_EQ(CallsOf(PodObjectOf("p"), ""), 0);
}

TEST(SySchedUpstream, Score) {
  Scheduler scheduler;
  scheduler.Run(Annotated("existing", "z-seccomp"), "existing");
  EXPECT_EQ(scheduler.ScoreWith("x-seccomp"), 2);  // "Test score difference"
  EXPECT_EQ(scheduler.ScoreWith("z-seccomp"), 0);  // "Test score same"
}

TEST(SySchedUpstream, NormalizeScore) {
  Scheduler scheduler;
  const auto normalized = [&](int64_t one, int64_t other) {
    return scheduler.plugin().Try(FakePod("p"))->Normalize({{"node1", one}, {"node2", other}}).nodes;
  };
  EXPECT_EQ(normalized(100, 200), (Scores{{"node1", 50}, {"node2", 0}}));  // "Normalize score"
  EXPECT_EQ(normalized(0, 200), (Scores{{"node1", 100}, {"node2", 0}}));   // "Normalize score 2"
}

TEST(SySchedUpstream, GetHostSyscalls) {
  Scheduler scheduler;
  scheduler.Run(Annotated("pod1", "z-seccomp"), "pod1");
  EXPECT_EQ(scheduler.CallsOn({kZ}), kZ);  // "single"
  scheduler.Run(Annotated("pod2", "x-seccomp"), "pod2").Run(Annotated("pod3", "full-seccomp"), "pod3", "node2");
  EXPECT_EQ(scheduler.CallsOn({kZ, kX}), kBoth);  // "many"; also TestUpdateHostSyscalls, TestRecomputeHostSyscalls
  EXPECT_EQ(scheduler.CallsOn({kFull}, "node2"), kFull);
}

TEST(SySchedUpstream, AddAndRemovePod) {  // TestAddPod, TestPodAdded, TestRemovePod, TestPodDeleted
  Scheduler scheduler;
  scheduler.Run(Annotated("pod1", "z-seccomp"), "pod1");
  EXPECT_EQ(scheduler.CallsOn({kZ}), kZ);
  scheduler.Run(Annotated("pod2", "x-seccomp"), "pod2");
  EXPECT_EQ(scheduler.CallsOn({kZ, kX}), kBoth);
  scheduler.Go("pod1");
  EXPECT_EQ(scheduler.CallsOn({kX}), kX);
  scheduler.Come("pod1").Go("pod2");
  EXPECT_EQ(scheduler.CallsOn({kZ}), kZ);
}

TEST(SySchedUpstream, PodUpdated) {  // a pod gets its node
  Scheduler scheduler;
  scheduler.Run(Annotated("pod1", "z-seccomp"), "pod1").Put(kPods, Annotated("pod2", "x-seccomp"));
  EXPECT_EQ(scheduler.CallsOn({kZ}), kZ);
  scheduler.Come("pod2");
  EXPECT_EQ(scheduler.CallsOn({kZ, kX}), kBoth);
}

}  // namespace
}  // namespace sy_sched_test
