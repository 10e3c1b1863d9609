// Gated pods: cases of scheduling_queue_test.go about PreEnqueue plugins.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fixture.h"

namespace berth::queue {
namespace {

using Names = std::vector<std::string>;
constexpr int64_t kS = base::kSecond;

class PreEnqueueTest : public QueueTest {
 protected:
  const api::PodRef pod_ = MakePod({.name = "bar", .label = "bar"});
  const api::PodRef newer_ = MakePod({.name = "bar", .label = "bar", .nominated = "n"});
};

TEST_F(PreEnqueueTest, moveToActiveQ) {
  struct Case {
    const char* name;
    std::vector<std::vector<std::string>> allowed;  // by each plugin
    bool gated;
  };
  const Case cases[] = {
      {"no plugins registered", {}, false},
      {"pod name not in allowlists", {{}, {}}, true},
      {"pod failed one preEnqueue plugin", {{"foo", "bar"}, {"foo"}}, true},
      {"pod passed all preEnqueue plugins", {{"foo", "bar"}, {"bar"}}, false},
  };
  for (const bool pop_from_backoff : {true, false}) {
    for (const Case& c : cases) {
      policy = FakePolicy();
      for (size_t i = 0; i < c.allowed.size(); ++i)
        policy.AddPreEnqueue("gate" + std::to_string(i), AllowLabels(c.allowed[i]));
      Make({.pop_from_backoff_q = pop_from_backoff});
      queue_->Add(pod_);
      EXPECT_EQ(queue_->counts().gated, c.gated ? 1u : 0u) << c.name;
      EXPECT_EQ(queue_->counts().active, c.gated ? 0u : 1u) << c.name;
      queue_->Update(pod_, newer_);  // no change that the plugins read
      EXPECT_EQ(queue_->counts().gated, c.gated ? 1u : 0u) << c.name;
      ExpectSound();
    }
  }
}

TEST_F(PreEnqueueTest, APodFromBackoffQIsNotCheckedAgain) {
  for (const bool pop_from_backoff : {true, false}) {
    for (const bool activate : {true, false}) {
      policy = FakePolicy();
      policy.AddPreEnqueue("gate", [](const api::Pod&) { return true; });
      Make({.pop_from_backoff_q = pop_from_backoff});
      AddAndFail(pod_, {"plugin"});
      Move(kEventUnschedulableTimeout);
      ASSERT_EQ(PlaceOf(pod_), Place::kBackoff);
      policy.SetPreEnqueue("gate", [](const api::Pod&) { return false; });
      clock.Advance(10 * kS);
      if (activate) {
        queue_->Activate({&pod_, 1});
      } else {
        queue_->FlushBackoffCompleted(clock.WallUnixNs());
      }
      EXPECT_EQ(PlaceOf(pod_), pop_from_backoff ? Place::kActive : Place::kUnschedulable);
      ExpectSound();
    }
  }
}

TEST_F(PreEnqueueTest, moveToBackoffQ) {
  // Gated before backoffQ only if pods may be popped from there.
  for (const bool pop_from_backoff : {true, false}) {
    policy = FakePolicy();
    policy.AddPreEnqueue("gate", [](const api::Pod&) { return true; });
    Make({.pop_from_backoff_q = pop_from_backoff});
    queue_->Add(pod_);
    QueuedPodPtr popped = queue_->Pop();
    policy.SetPreEnqueue("gate", [](const api::Pod&) { return false; });
    EXPECT_EQ(Fail(std::move(popped), {}), pop_from_backoff ? Place::kUnschedulable : Place::kErrorBackoff);
    EXPECT_EQ(queue_->counts().gated, pop_from_backoff ? 1u : 0u);
  }
}

TEST_F(PreEnqueueTest, queuedPodInfo_gatedSetUponCreationAndUnsetUponUpdate) {
  policy.AddPreEnqueue("SchedulingGates", [](const api::Pod& pod) { return pod.abi.gates->items.n == 0; });
  policy.Register("SchedulingGates", {"Pod", BERTH_ACTION_UPDATE_POD_SCHEDULING_GATES_ELIMINATED, {}}, Hint::kQueue);
  Make();
  const api::PodRef gated = MakePod({.name = "p", .gate = true}), open = MakePod({.name = "p"});
  queue_->Add(gated);
  const QueuedPod* queued = queue_->Find(gated->key());
  ASSERT_TRUE(queued->gated());
  EXPECT_EQ(queued->gating_plugin, Id("SchedulingGates"));
  EXPECT_EQ(queued->gating_code, BERTH_UNRESOLVABLE);
  EXPECT_EQ(queued->gating_message, "pod name not in allowlists");
  EXPECT_EQ(queued->initial_attempt_timestamp, BERTH_NO_TIME);
  clock.Advance(60 * kS);
  queue_->Update(gated, open);
  const QueuedPodPtr popped = queue_->Pop();
  EXPECT_FALSE(popped->gated());
  EXPECT_EQ(popped->gating_message, "");
  EXPECT_EQ(popped->initial_attempt_timestamp, kStart + 60 * kS);  // time while gated does not count
  EXPECT_EQ(popped->timestamp, kStart);
}

TEST_F(PreEnqueueTest, HintsOfGatedPodsAreAskedOnlyForEventsOfTheGatingPlugin) {
  struct Case {
    const char* name;
    api::ClusterEvent registered_by_gate;
    bool asked;
  };
  const Case cases[] = {
      {"gated by the plugin that isn't interested in the event", kUnscheduledPodUpdateEvent, false},
      {"gated by the plugin that is interested in the event", kNodeAdd, true},
  };
  for (const Case& c : cases) {
    policy = FakePolicy();
    policy.Register("foo", kNodeAdd, Hint::kQueue);
    policy.Register("gate", c.registered_by_gate, Hint::kSkip);
    policy.AddPreEnqueue("gate", [](const api::Pod&) { return true; });
    Make();
    queue_->Add(pod_);
    QueuedPodPtr popped = queue_->Pop();
    policy.SetPreEnqueue("gate", [](const api::Pod&) { return false; });
    queue_->Activate({&pod_, 1});
    ASSERT_EQ(Fail(std::move(popped), {"foo"}), Place::kUnschedulable);  // worth a retry, but gated
    ASSERT_EQ(queue_->counts().gated, 1u);
    policy.SetPreEnqueue("gate", [](const api::Pod&) { return true; });
    Move(kNodeAdd);
    EXPECT_EQ(policy.hinted_pods, c.asked ? 1u : 0u) << c.name;
    EXPECT_EQ(PlaceOf(pod_), c.asked ? Place::kBackoff : Place::kUnschedulable) << c.name;
  }
}

TEST_F(PreEnqueueTest, RegistrationsOfTheGatingPluginCountInAnyProfile) {
  policy.AddProfile("second");
  policy.AddPreEnqueue("gate", AllowLabels({}));
  policy.Register("gate", kNodeAdd, Hint::kQueue, "second");
  policy.Register("foo", kNodeAdd, Hint::kQueue);
  Make();
  queue_->Add(pod_);
  policy.SetPreEnqueue("gate", [](const api::Pod&) { return true; });
  Move(kNodeAdd);  // the gating plugin registered the event, but no rejector of this profile did
  EXPECT_EQ(queue_->counts().gated, 1u);
}

TEST_F(PreEnqueueTest, WildcardEventsReachGatedPodsOnlyIfTheGateRegisteredTheWildcard) {
  for (const bool wildcard : {false, true}) {
    policy = FakePolicy();
    policy.AddPreEnqueue("gate", AllowLabels({}));
    policy.Register("gate", wildcard ? api::ClusterEvent{"*", BERTH_ACTION_ALL, {}} : kNodeAdd, Hint::kQueue);
    Make();
    queue_->Add(pod_);
    policy.SetPreEnqueue("gate", [](const api::Pod&) { return true; });
    clock.Advance(301 * kS);
    queue_->FlushUnschedulableLeftover(clock.WallUnixNs());
    EXPECT_EQ(PlaceOf(pod_), wildcard ? Place::kActive : Place::kUnschedulable);
    EXPECT_TRUE(queue_->Find(pod_->key())->was_flushed_from_unschedulable);
  }
}

TEST_F(PreEnqueueTest, TheGatingPluginRunsFirst) {
  bool open1 = true, open2 = false;
  policy.AddPreEnqueue("gate1", [&](const api::Pod&) { return open1; });
  policy.AddPreEnqueue("gate2", [&](const api::Pod&) { return open2; });
  Make();
  queue_->Add(pod_);
  EXPECT_EQ(policy.pre_enqueue_asked, (std::vector<base::Id>{Id("gate1"), Id("gate2")}));
  queue_->Activate({&pod_, 1});
  EXPECT_EQ(policy.pre_enqueue_asked, std::vector<base::Id>{Id("gate2")});
  open1 = false;
  open2 = true;
  queue_->Activate({&pod_, 1});
  EXPECT_EQ(policy.pre_enqueue_asked, (std::vector<base::Id>{Id("gate2"), Id("gate1")}));
  EXPECT_EQ(queue_->Find(pod_->key())->gating_plugin, Id("gate1"));
  EXPECT_EQ(queue_->Find(pod_->key())->unschedulable_plugins.size(), 2u);  // plugins that no longer gate stay rejectors
}

TEST_F(PreEnqueueTest, AGatedNewcomerDoesNotReplaceAQueuedPodOfItsName) {
  policy.AddPreEnqueue("gate", [](const api::Pod& pod) { return pod.uid() != "2"; });
  Make();
  const api::PodRef newcomer = MakePod({.name = "bar", .uid = "2"});
  queue_->Add(pod_);
  queue_->Add(newcomer);
  EXPECT_EQ(queue_->Find(pod_->key())->pod, pod_);
  EXPECT_EQ(queue_->Pending().summary, "activeQ:1; backoffQ:0; unschedulablePods:0");
  Fail(queue_->Pop(), {});
  queue_->Add(newcomer);
  EXPECT_EQ(queue_->Pending().summary, "activeQ:0; backoffQ:1; unschedulablePods:0");
  queue_->Delete(*pod_);
  AddAndFail(pod_, {"plugin"});
  queue_->Add(newcomer);  // but it replaces an unschedulable one
  EXPECT_EQ(queue_->Pending().summary, "activeQ:0; backoffQ:0; unschedulablePods:1");
  EXPECT_EQ(queue_->Find(pod_->key())->pod, newcomer);
}

TEST_F(PreEnqueueTest, AGatedPodIsNotNominatedUntilItIsActive) {
  const api::PodRef pod = MakePod({.name = "p", .nominated = "n1"});
  lookup.Set(pod);
  policy.AddPreEnqueue("gate", AllowLabels({}));
  Make();
  queue_->Add(pod);
  EXPECT_EQ(NominatedTo("n1"), Names{});
}

}  // namespace
}  // namespace berth::queue
