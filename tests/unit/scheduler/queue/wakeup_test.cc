// Why a pod is tried again: QueuedPod::wakeup, and the gates before the attempt.
#include <gtest/gtest.h>

#include <string>

#include "fixture.h"

namespace berth::queue {
namespace {

class WakeupTest : public QueueTest {
 protected:
  // "EVENT PLUGIN", or "EVENT" without a plugin.
  static std::string Text(const QueuedPod& pod) {
    const std::string event(pod.wakeup.event), plugin(Tables().ids.Text(pod.wakeup.plugin));
    return plugin.empty() ? event : event + " " + plugin;
  }
  std::string Popped() {
    const QueuedPodPtr pod = queue_->Pop();
    return pod ? Text(*pod) : "nothing";
  }
  void PassBackoff() {
    clock.Advance(20 * base::kSecond);
    queue_->FlushDue(clock.WallUnixNs());
  }
  const api::PodRef pod_ = MakePod({.name = "pod"});
};

TEST_F(WakeupTest, ANewPodIsTriedBecauseItWasAdded) {
  Make();
  queue_->Add(pod_);
  const QueuedPodPtr pod = queue_->Pop();
  EXPECT_EQ(Text(*pod), "UnschedulablePodAdd");
  EXPECT_EQ(pod->wakeup.unix_ns, kStart);
}

TEST_F(WakeupTest, TheEventAndThePluginWhoseHintAskedForIt) {
  policy.Register("skips", kNodeAdd, Hint::kSkip);
  policy.Register("queues", kNodeAdd, Hint::kQueue);
  Make();
  AddAndFail(pod_, {"skips", "queues"});
  clock.Advance(2 * base::kSecond);
  Move(kNodeAdd);
  EXPECT_EQ(PlaceOf(pod_), Place::kActive) << "its backoff is over";
  const QueuedPodPtr pod = queue_->Pop();
  EXPECT_EQ(Text(*pod), "NodeAdd queues");
  EXPECT_EQ(pod->wakeup.unix_ns, kStart + 2 * base::kSecond);
}

TEST_F(WakeupTest, BackoffDoesNotHideTheEvent) {
  policy.Register("queues", kNodeAdd, Hint::kNone);
  Make();
  AddAndFail(pod_, {"queues"});
  Move(kNodeAdd);
  EXPECT_EQ(PlaceOf(pod_), Place::kBackoff);
  PassBackoff();
  EXPECT_EQ(Popped(), "NodeAdd queues");
}

TEST_F(WakeupTest, AnEventDuringTheAttempt) {
  policy.Register("skips", kNodeAdd, Hint::kSkip);
  policy.Register("queues", kPvAdd, Hint::kQueue);
  Make();
  queue_->Add(pod_);
  QueuedPodPtr pod = queue_->Pop();
  Move(kNodeAdd);
  Move(kPvAdd);
  Fail(std::move(pod), {"skips", "queues"});
  PassBackoff();
  EXPECT_EQ(Popped(), "PersistentVolumeAdd queues");
}

TEST_F(WakeupTest, AnErrorIsTriedAgainWithoutAnEvent) {
  Make();
  AddAndFail(pod_, {});
  PassBackoff();
  EXPECT_EQ(Popped(), "ScheduleAttemptFailure");
}

TEST_F(WakeupTest, ActivateAndTheTimer) {
  policy.Register("plugin", kNodeAdd, Hint::kSkip);
  Make();
  AddAndFail(pod_, {"plugin"});
  queue_->Activate(std::vector{pod_});
  QueuedPodPtr pod = queue_->Pop();
  EXPECT_EQ(Text(*pod), "ForceActivate");
  Fail(std::move(pod), {"plugin"});
  clock.Advance(400 * base::kSecond);
  queue_->FlushDue(clock.WallUnixNs());
  EXPECT_EQ(Popped(), "UnschedulableTimeout");
}

TEST_F(WakeupTest, CountsTheGatesSinceTheLastAttempt) {
  policy.AddPreEnqueue("gate", AllowLabels({"open"}));
  policy.Register("gate", kUnscheduledPodUpdateEvent, Hint::kQueue);
  Make();
  const api::PodRef closed = MakePod({.name = "pod", .label = "shut"}),
                    open = MakePod({.name = "pod", .label = "open"});
  queue_->Add(closed);
  queue_->Update(closed, open);
  QueuedPodPtr pod = queue_->Pop();
  ASSERT_TRUE(pod);
  EXPECT_EQ(pod->gated_count, 1u);
  EXPECT_EQ(Tables().ids.Text(pod->last_gate), "gate");
  EXPECT_EQ(Text(*pod), "UnschedulablePodUpdatePodLabel gate");
  Fail(std::move(pod), {"gate"});
  queue_->Activate(std::vector{open});
  pod = queue_->Pop();
  EXPECT_EQ(pod->gated_count, 0u);
  EXPECT_EQ(pod->last_gate, base::kNoId);
}

}  // namespace
}  // namespace berth::queue
