// The requests for victims, their order, and the handling of failures. Cases have the names of executor_test.go.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "berth/entry.h"
#include "test_fixture.h"

namespace default_preemption_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

FakePod Victim(const std::string& name) { return FakePod(name).Uid(name + "-uid").Priority(kMid).Req(Small()); }

// A node on which all pods must leave for the preemptor.
struct ExecutorFixture : Fixture {
  explicit ExecutorFixture(const std::vector<FakePod>& victims) : Fixture(berth_entry_v1, "DefaultPreemption") {
    Nodes({"node1"}).On("node1", victims);
  }
  static FakePod Preemptor() { return FakePod("preemptor").Uid("preemptor").Priority(kHigh).Req(VeryLarge()); }
  void Preempt() {
    Start();
    ASSERT_EQ(Try(Preemptor(), {"node1"}).node, "node1");
  }
  bool Gated() { return !plugin.Try(Preemptor())->PreEnqueue().ok(); }
  // Requests for pods with this prefix fail permanently.
  void FailFor(const std::string& prefix, const std::string& verb) {
    api().AnswersBy([prefix, verb](const FakeRequest& r) {
      return r.verb == verb && r.name.starts_with(prefix)
                 ? FakeReply{.code = 403, .body = "{}", .reason = "Forbidden", .message = "no"}
                 : FakeReply();
    });
    Settle();
  }
  // Delivers replies and runs posted tasks until there are none.
  void Settle() {
    for (int i = 0; i < 10; ++i) {
      api().Deliver();
      tasks().Advance(std::chrono::seconds(1));
    }
  }
};

// ---- TestPrepareCandidate
TEST(PrepareCandidate, OneVictimWithoutCondition) {
  SCOPED_TRACE("one victim without condition");
  ExecutorFixture rig({Victim("victim1")});
  rig.Preempt();
  EXPECT_TRUE(rig.Gated());
  rig.Answer();
  EXPECT_THAT(rig.api().Lines(), ElementsAre("PATCH pods/default/victim1/status", "DELETE pods/default/victim1"));
  const auto requests = rig.api().requests();
  EXPECT_EQ(requests[0].content_type, "application/strategic-merge-patch+json");
  EXPECT_EQ(requests[0].version, "v1");
  EXPECT_EQ(requests[0].body,
            R"({"metadata":{"uid":"victim1-uid"},"status":{"conditions":[{"type":"DisruptionTarget","status":"True",)"
            R"("lastProbeTime":null,"lastTransitionTime":"2026-01-01T00:00:00Z","reason":"PreemptionByScheduler",)"
            R"("message":"default-scheduler: preempting to accommodate a higher priority pod"}]}})");
  EXPECT_EQ(requests[1].body, R"({"apiVersion":"v1","kind":"DeleteOptions","preconditions":{"uid":"victim1-uid"}})");
  EXPECT_THAT(rig.api().events(), ElementsAre("Normal Preempted Preempting default/victim1 default/preemptor: "
                                              "Preempted by pod preemptor on node node1"));
  EXPECT_FALSE(rig.Gated());
  EXPECT_EQ(rig.api().kept_pods(), 0u);
}

TEST(PrepareCandidate, OneVictimButVictimIsAlreadyBeingDeleted) {
  SCOPED_TRACE("one victim, but victim is already being deleted");
  ExecutorFixture rig({Victim("victim1").Terminating()});
  rig.nominations.Nominate(FakePod("lower").Priority(kLow), "node1");
  rig.Preempt();
  EXPECT_THAT(rig.api().requests(), IsEmpty());
  EXPECT_FALSE(rig.Gated());
  EXPECT_THAT(rig.nominations.cleared(), IsEmpty());
  EXPECT_EQ(rig.api().kept_pods(), 0u);
}

TEST(PrepareCandidate, OneVictimButVictimIsAlreadyDeleted) {
  SCOPED_TRACE("one victim, but victim is already deleted");
  ExecutorFixture rig({Victim("not-found-victim")});
  rig.Preempt();
  rig.api().AnswersBy([](const FakeRequest&) { return FakeReply::NotFound("pods \"not-found-victim\" not found"); });
  rig.Settle();
  EXPECT_THAT(rig.Deleted(), IsEmpty());
  EXPECT_THAT(rig.tasks().activated(), IsEmpty());
  EXPECT_FALSE(rig.Gated());
}

TEST(PrepareCandidate, TwoVictimsOfWhichTheFirstFails) {
  SCOPED_TRACE("two victims without condition, one passes successfully and the second fails");
  ExecutorFixture rig({Victim("fail-victim").Started(1), Victim("victim2").Started(2)});
  rig.Preempt();
  rig.FailFor("fail", "PATCH");
  EXPECT_THAT(rig.api().Lines(), ElementsAre("PATCH pods/default/fail-victim/status")) << "victim2 is the last";
  EXPECT_THAT(rig.tasks().activated(), ElementsAre("preemptor"));
  EXPECT_FALSE(rig.Gated());
}

TEST(PrepareCandidate, TerminatingVictimsAreSkipped) {
  ExecutorFixture rig({Victim("going").Terminating(), Victim("staying")});
  rig.Preempt();
  rig.Answer();
  EXPECT_THAT(rig.Deleted(), ElementsAre("staying"));
}

TEST(PrepareCandidate, OneVictimWithSameCondition) {
  SCOPED_TRACE("one victim with same condition");
  ExecutorFixture rig({Victim("victim1").Has(BERTH_POD_HAS_PREEMPTED)});
  rig.Preempt();
  rig.Answer();
  EXPECT_THAT(rig.api().Lines(), ElementsAre("DELETE pods/default/victim1"));
}

TEST(PrepareCandidate, NotFoundVictimErrorIsIgnoredWhenPatching) {
  SCOPED_TRACE("one victim, not-found victim error is ignored when patching");
  ExecutorFixture rig({Victim("victim1")});
  rig.Preempt();
  rig.api().Answer(0, FakeReply::NotFound("pods \"victim1\" not found"));
  rig.Settle();
  EXPECT_THAT(rig.api().Lines(), ElementsAre("PATCH pods/default/victim1/status"));
  EXPECT_THAT(rig.api().events(), IsEmpty());
  EXPECT_THAT(rig.tasks().activated(), IsEmpty());
  EXPECT_FALSE(rig.Gated());
}

TEST(PrepareCandidate, NotFoundVictimErrorIsIgnoredWhenDeleting) {
  SCOPED_TRACE("one victim, not-found victim error is ignored when deleting");
  ExecutorFixture rig({Victim("victim1")});
  rig.Preempt();
  rig.api().Answer(0);
  rig.api().Answer(1, FakeReply::NotFound("pods \"victim1\" not found"));
  rig.Settle();
  EXPECT_THAT(rig.api().events(), IsEmpty());
  EXPECT_THAT(rig.tasks().activated(), IsEmpty());
  EXPECT_FALSE(rig.Gated());
}

TEST(PrepareCandidate, AnotherPodThatHasTheVictimsNameIsLeftAlone) {
  ExecutorFixture rig({Victim("victim1")});
  rig.Preempt();
  rig.api().Answer(0);
  rig.api().Answer(1, FakeReply::Conflict("the UID in the precondition does not match"));
  rig.Settle();
  EXPECT_THAT(rig.api().events(), IsEmpty());
  EXPECT_THAT(rig.tasks().activated(), IsEmpty());
}

TEST(PrepareCandidate, OneVictimButPodDeletionFailed) {
  SCOPED_TRACE("one victim, but pod deletion failed");
  ExecutorFixture rig({Victim("fail-victim")});
  rig.Preempt();
  rig.FailFor("fail", "DELETE");
  EXPECT_THAT(rig.api().Lines(),
              ElementsAre("PATCH pods/default/fail-victim/status", "DELETE pods/default/fail-victim"));
  EXPECT_THAT(rig.api().events(), IsEmpty());
  EXPECT_THAT(rig.tasks().activated(), ElementsAre("preemptor"));
  EXPECT_FALSE(rig.Gated());
  EXPECT_THAT(rig.plugin.host().Log(), SizeIs(1));
}

TEST(PrepareCandidate, OneVictimButPatchPodFailed) {
  SCOPED_TRACE("one victim, but patch pod failed");
  ExecutorFixture rig({Victim("fail-victim")});
  rig.Preempt();
  rig.FailFor("fail", "PATCH");
  EXPECT_THAT(rig.api().Lines(), ElementsAre("PATCH pods/default/fail-victim/status"));
  EXPECT_THAT(rig.tasks().activated(), ElementsAre("preemptor"));
}

TEST(PrepareCandidate, APatchThatMayWorkLaterIsTriedFourTimes) {
  ExecutorFixture rig({Victim("victim1")});
  rig.Preempt();
  const std::pair<int, FakeReply> failures[] = {{9, FakeReply::Lost("connection refused")},
                                                {49, FakeReply::Failed("etcd")},
                                                {249, {.code = 503, .body = "{}", .reason = "ServiceUnavailable"}}};
  size_t sent = 1;
  for (const auto& [almost, reply] : failures) {
    rig.api().Answer(sent - 1, reply);
    rig.tasks().Advance(std::chrono::milliseconds(almost));
    EXPECT_THAT(rig.api().requests(), SizeIs(sent));
    rig.tasks().Advance(std::chrono::milliseconds(1));
    EXPECT_THAT(rig.api().requests(), SizeIs(++sent));
  }
  EXPECT_TRUE(rig.Gated());
  rig.api().Answer(3, FakeReply::Failed("etcd"));
  rig.Settle();
  EXPECT_THAT(rig.api().requests(), SizeIs(4));
  EXPECT_THAT(rig.tasks().activated(), ElementsAre("preemptor"));
}

// ---- Metrics: where executor.go observes them
constexpr const char* kVictims = BERTH_KUBE_PREEMPTION_VICTIMS;

TEST(PreemptionMetrics, VictimsCountAlsoThoseThatAreTerminating) {
  ExecutorFixture rig({Victim("going").Terminating(), Victim("staying"), Victim("staying2")});
  rig.Preempt();
  EXPECT_THAT(rig.metrics().Observed(kVictims), ElementsAre(3)) << "before the first request is answered";
  rig.Answer();
  EXPECT_THAT(rig.metrics().Observed(kVictims), ElementsAre(3));
}

TEST(PreemptionMetrics, WithoutAPodToDeleteThereIsNoPreemption) {
  ExecutorFixture rig({Victim("going").Terminating()});
  rig.Preempt();
  EXPECT_THAT(rig.metrics().Observed(kVictims), IsEmpty());
  EXPECT_EQ(rig.metrics().Value(BERTH_KUBE_PREEMPTION_EXECUTIONS, {"success"}), std::nullopt);
}

TEST(PreemptionMetrics, ASuccessLastsUntilTheLastReply) {
  ExecutorFixture rig({Victim("victim1")});
  rig.Preempt();
  rig.tasks().Advance(std::chrono::milliseconds(1500));
  EXPECT_EQ(rig.metrics().Value(BERTH_KUBE_PREEMPTION_EXECUTIONS, {"success"}), std::nullopt);
  rig.Answer();
  EXPECT_EQ(rig.metrics().Value(BERTH_KUBE_PREEMPTION_EXECUTIONS, {"success"}), 1);
  EXPECT_THAT(rig.metrics().Observed(BERTH_KUBE_PREEMPTION_DURATION, {"success"}), ElementsAre(1.5));
}

TEST(PreemptionMetrics, AFailureIsAnError) {
  ExecutorFixture rig({Victim("fail-victim")});
  rig.Preempt();
  rig.FailFor("fail", "DELETE");
  EXPECT_EQ(rig.metrics().Value(BERTH_KUBE_PREEMPTION_EXECUTIONS, {"error"}), 1);
  EXPECT_EQ(rig.metrics().Value(BERTH_KUBE_PREEMPTION_EXECUTIONS, {"success"}), std::nullopt);
}

TEST(PreemptionMetrics, AHostWithoutThemPreempts) {
  ExecutorFixture rig({Victim("victim1")});
  rig.plugin.host().Without(BERTH_SERVICE_METRICS);
  rig.Preempt();
  rig.Answer();
  EXPECT_THAT(rig.Deleted(), ElementsAre("victim1"));
}

// ---- TestAsyncPreemptionFailure: the last victim is deleted only after all other requests.
struct Failure {
  const char* name;
  Texts victims;  // the most important first
  bool succeeds, last_is_tried;
};

class AsyncPreemptionFailure : public ::testing::TestWithParam<Failure> {};

TEST_P(AsyncPreemptionFailure, Upstream) {
  std::vector<FakePod> victims;
  for (const std::string& name : GetParam().victims) {
    victims.push_back(Victim(name).Started(static_cast<int64_t>(victims.size() + 1)));
  }
  ExecutorFixture rig(victims);
  rig.Preempt();
  rig.FailFor("fail", "DELETE");
  const std::string last = "DELETE pods/default/" + GetParam().victims.back();
  const Texts lines = rig.api().Lines();
  EXPECT_EQ(std::count(lines.begin(), lines.end(), last), GetParam().last_is_tried ? 1 : 0);
  EXPECT_EQ(rig.tasks().activated().size(), GetParam().succeeds ? 0u : 1u);
  EXPECT_FALSE(rig.Gated());
  EXPECT_EQ(rig.api().kept_pods(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Upstream, AsyncPreemptionFailure,
                         ::testing::Values(Failure{.name = "Failure with a single victim",
                                                   .victims = {"fail-victim"},
                                                   .succeeds = false,
                                                   .last_is_tried = true},
                                           Failure{.name = "Success with a single victim",
                                                   .victims = {"victim1"},
                                                   .succeeds = true,
                                                   .last_is_tried = true},
                                           Failure{.name = "Failure in first of three victims",
                                                   .victims = {"fail-victim", "victim2", "victim3"},
                                                   .succeeds = false,
                                                   .last_is_tried = false},
                                           Failure{.name = "Failure in second of three victims",
                                                   .victims = {"victim1", "fail-victim", "victim3"},
                                                   .succeeds = false,
                                                   .last_is_tried = false},
                                           Failure{.name = "Failure in first two of three victims",
                                                   .victims = {"fail-victim1", "fail-victim2", "victim3"},
                                                   .succeeds = false,
                                                   .last_is_tried = false},
                                           Failure{.name = "Failure in third of three victims",
                                                   .victims = {"victim1", "victim2", "fail-victim"},
                                                   .succeeds = false,
                                                   .last_is_tried = true},
                                           Failure{.name = "Success with three victims",
                                                   .victims = {"victim1", "victim2", "victim3"},
                                                   .succeeds = true,
                                                   .last_is_tried = true}),
                         [](const auto& info) { return TestNameOf(info.param.name); });

TEST(Executor, DeletesAllVictimsButTheLastAtOnce) {
  ExecutorFixture rig({Victim("v1").Started(1), Victim("v2").Started(2), Victim("v3").Started(3)});
  rig.Preempt();
  EXPECT_THAT(rig.api().Lines(), ElementsAre("PATCH pods/default/v1/status", "PATCH pods/default/v2/status"));
  rig.api().Answer(1);
  rig.api().Answer(0);
  EXPECT_THAT(rig.api().requests(), SizeIs(4));
  rig.api().Answer(2);
  EXPECT_THAT(rig.api().requests(), SizeIs(4));
  rig.api().Answer(3);
  EXPECT_EQ(rig.api().Lines().back(), "PATCH pods/default/v3/status");
  rig.Answer();
  EXPECT_THAT(rig.Deleted(), ElementsAre("v2", "v1", "v3"));
}

TEST(Executor, RepliesMayComeOnSeveralThreadsAtOnce) {
  static constexpr size_t kOthers = 32, kThreads = 4;
  std::vector<FakePod> victims;
  for (size_t i = 0; i <= kOthers; ++i) {
    victims.push_back(FakePod("v" + std::to_string(i)).Priority(kMid).Started(static_cast<int64_t>(i) + 1));
  }
  ExecutorFixture rig(victims);
  rig.trials.Rule([](const FakeTrials::Row& row) {
    FakeTrials::Answer answer;
    if (!row.pods.empty()) answer.code = BERTH_UNSCHEDULABLE;
    return answer;
  });
  rig.Preempt();
  const auto answer = [&](size_t from, size_t to) {
    std::vector<std::thread> threads;
    for (size_t t = 0; t < kThreads; ++t) {
      threads.emplace_back([&rig, from, to, t] {
        for (size_t i = from + t; i < to; i += kThreads) rig.api().Answer(i);
      });
    }
    for (std::thread& thread : threads) thread.join();
  };
  answer(0, kOthers);
  ASSERT_THAT(rig.api().requests(), SizeIs(2 * kOthers));
  EXPECT_TRUE(rig.Gated());
  answer(kOthers, 2 * kOthers);
  EXPECT_EQ(rig.api().Lines().back(), "PATCH pods/default/v" + std::to_string(kOthers) + "/status");
  rig.Answer();
  EXPECT_THAT(rig.api().events(), SizeIs(kOthers + 1));
  EXPECT_FALSE(rig.Gated());
  EXPECT_EQ(rig.api().kept_pods(), 0u);
}

// ---- TestPrepareCandidateAsyncSetsPreemptingSets: the preemptor is gated from the choice of the node to the deletion
// of the last victim.
TEST(PrepareCandidateAsyncSetsPreemptingSets, ThePreemptorIsGatedUntilTheLastRequest) {
  using Named = std::pair<const char*, std::vector<FakePod>>;
  for (const auto& [name, victims] :
       {Named{"one victim", {Victim("victim1")}},
        Named{"two victims", {Victim("victim1").Started(1), Victim("victim2").Started(2)}}}) {
    SCOPED_TRACE(name);
    ExecutorFixture rig(victims);
    rig.Start();
    EXPECT_FALSE(rig.Gated()) << "before";
    ASSERT_EQ(rig.Try(ExecutorFixture::Preemptor(), {"node1"}).node, "node1");
    for (size_t request = 0; request < 2 * victims.size(); ++request) {
      EXPECT_TRUE(rig.Gated()) << "before reply " << request;
      rig.api().Answer(request);
    }
    EXPECT_FALSE(rig.Gated());
    EXPECT_EQ(rig.Deleted().size(), victims.size());
  }
}

// ---- TestPreemptPod
TEST(PreemptPod, WaitingVictimIsRejected) {
  for (const char* name : {"victim is in preBind, context should be cancelled",
                           "victim is in waiting pods, it should be rejected (no calls to apiserver)"}) {
    SCOPED_TRACE(name);  // for a plugin, both are pending
    ExecutorFixture rig({Victim("v")});
    rig.nominations.OnItsWay("v-uid");
    rig.Preempt();
    EXPECT_THAT(rig.nominations.given_up(), ElementsAre("v-uid: preempted"));
    EXPECT_THAT(rig.api().requests(), IsEmpty());
    EXPECT_THAT(rig.api().events(), ElementsAre("Normal Preempted Preempting default/v default/preemptor: Preempted by "
                                                "pod preemptor on node node1 (in kube-scheduler memory)."));
    EXPECT_FALSE(rig.Gated());
  }
}

TEST(PreemptPod, VictimThatRunsIsDeleted) {
  SCOPED_TRACE("victim is not in waiting/preBind pods, pod should be deleted");
  ExecutorFixture rig({Victim("v")});
  rig.Preempt();
  rig.Answer();
  EXPECT_THAT(rig.nominations.given_up(), IsEmpty());
  EXPECT_THAT(rig.api().Lines(), ElementsAre("PATCH pods/default/v/status", "DELETE pods/default/v"));
}

TEST(PreemptPod, OneIsGivenUpAndTheOtherDeleted) {
  ExecutorFixture rig({Victim("v1").Started(1), Victim("v2").Started(2)});
  rig.nominations.OnItsWay("v1-uid");
  rig.Preempt();
  rig.Answer();
  EXPECT_THAT(rig.Deleted(), ElementsAre("v2"));
  EXPECT_THAT(rig.api().events(), SizeIs(2));
}

// ---- nominations
TEST(Nominations, LowerPriorityPodsNominatedToTheNodeAreCleared) {
  ExecutorFixture rig({Victim("v")});
  rig.nominations.Nominate(FakePod("lower").Uid("lower").Priority(kLow), "node1");
  rig.nominations.Nominate(FakePod("equal").Uid("equal").Priority(kHigh), "node1");
  rig.nominations.Nominate(FakePod("elsewhere").Uid("elsewhere").Priority(kLow), "node2");
  // the host knows little of a pod that is being tried
  rig.nominations.Nominate(FakePod("preemptor").Uid("preemptor"), "node1");
  rig.trials.Rule([](const FakeTrials::Row& row) {
    FakeTrials::Answer answer;
    for (const auto& pod : row.pods) answer.code = pod.name() == "v" ? BERTH_UNSCHEDULABLE : answer.code;
    return answer;
  });
  rig.Preempt();
  EXPECT_THAT(rig.nominations.cleared(), ElementsAre("lower"));
}

// ---- TestIsPodRunningPreemption
TEST(IsPodRunningPreemption, Upstream) {
  ExecutorFixture rig({Victim("victim1").Started(1), Victim("victim2").Started(2)});
  rig.Start();
  EXPECT_FALSE(rig.Gated()) << "preemptor not in preemptingSet";
  ASSERT_EQ(rig.Try(ExecutorFixture::Preemptor(), {"node1"}).node, "node1");
  EXPECT_TRUE(rig.Gated()) << "preemptor in preemptingSet, no lastVictim for preemptor";
  rig.api().Answer(0);
  rig.api().Answer(1);
  EXPECT_EQ(rig.api().Lines().back(), "PATCH pods/default/victim2/status");
  EXPECT_TRUE(rig.Gated()) << "preemptor in preemptingSet, victim in lastVictimSet and in PodLister";
  rig.Settle();
}

// The purpose of upstream's lastVictimsPendingPreemption: the event of the last victim's deletion may arrive before the
// reply to the request, while the preemptor is still gated.
TEST(Running, APreemptorGatedDuringTheLastDeletionIsRetried) {
  ExecutorFixture rig({Victim("v")});
  rig.Preempt();
  rig.api().Answer(0);
  EXPECT_TRUE(rig.Gated());
  rig.api().Answer(1);
  EXPECT_FALSE(rig.Gated());
  rig.tasks().Advance();
  EXPECT_THAT(rig.tasks().activated(), ElementsAre("preemptor"));
}

TEST(Running, APreemptorWithoutARequestWaitsForEvents) {
  ExecutorFixture rig({Victim("v")});
  rig.Preempt();
  rig.Answer();
  rig.tasks().Advance();
  EXPECT_THAT(rig.tasks().activated(), IsEmpty());
}

TEST(Running, BeingGatedBeforeTheLastVictimDoesNotCount) {
  ExecutorFixture rig({Victim("v1").Started(1), Victim("v2").Started(2)});
  rig.Preempt();
  EXPECT_TRUE(rig.Gated());
  rig.Answer();
  rig.tasks().Advance();
  EXPECT_THAT(rig.tasks().activated(), IsEmpty());
}

// Two preemptors may choose the same victim. The events of all victims may come while the preemptor waits for the reply
// about the first ones; when the last one then turns out to be deleted, no event is left that would wake the preemptor.
TEST(Running, APreemptorGatedBeforeALastVictimThatIsGoneIsRetried) {
  for (const char* verb : {"PATCH", "DELETE"}) {
    SCOPED_TRACE(verb);
    ExecutorFixture rig({Victim("v1").Started(1), Victim("v2").Started(2)});
    rig.Preempt();
    EXPECT_TRUE(rig.Gated());
    rig.api().AnswersBy([verb](const FakeRequest& r) {
      return r.verb == verb && r.name == "v2" ? FakeReply::NotFound("pods \"v2\" not found") : FakeReply();
    });
    rig.Settle();
    EXPECT_FALSE(rig.Gated());
    EXPECT_THAT(rig.tasks().activated(), ElementsAre("preemptor"));
  }
}

// ---- the instance's end
TEST(End, NothingIsSentOrPostedAfterDeactivate) {
  ExecutorFixture rig({Victim("v1").Started(1), Victim("v2").Started(2)});
  rig.Preempt();
  rig.plugin.Deactivate();
  rig.api().Answer(0);
  EXPECT_THAT(rig.api().requests(), SizeIs(1));
  rig.plugin.Stop();
  EXPECT_THAT(rig.plugin.Violations(), IsEmpty());
}

TEST(End, RequestsThatAreOutEndWithTheInstance) {
  ExecutorFixture rig({Victim("v1").Started(1), Victim("v2").Started(2)});
  rig.Preempt();
  rig.plugin.Stop();
  EXPECT_EQ(rig.api().unanswered(), 0u);
  EXPECT_THAT(rig.plugin.Violations(), IsEmpty());
  EXPECT_THAT(rig.plugin.host().Log(), IsEmpty());
}

}  // namespace
}  // namespace default_preemption_test
