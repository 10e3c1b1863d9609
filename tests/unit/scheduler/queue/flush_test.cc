// The timers: cases of scheduling_queue_test.go about backoff and about unschedulable pods that time out.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "fixture.h"

namespace berth::queue {
namespace {

using Names = std::vector<std::string>;
constexpr int64_t kS = base::kSecond;

class FlushTest : public QueueTest {
 protected:
  int64_t now() const { return clock.WallUnixNs(); }
  void AdvanceToTimer() {
    const auto timer = queue_->NextTimer();
    ASSERT_TRUE(timer);
    clock.AdvanceTo(*timer - kStart);
    FlushAll();
    ExpectSound();
  }
  const api::PodRef pod_ = MakePod({.name = "test-pod", .ns = "test-ns"});
};

TEST_F(FlushTest, BackOffFlow) {
  for (const bool pop_from_backoff : {true, false}) {
    clock.Advance(3 * kS - (now() % kS) + 300 * base::kMillisecond);  // not on a whole second
    Make({.pop_from_backoff_q = pop_from_backoff});
    queue_->Add(pod_);
    uint32_t step = 0;
    for (const int64_t want : {1 * kS, 2 * kS, 4 * kS, 8 * kS, 10 * kS, 10 * kS, 10 * kS}) {
      const int64_t failed = now();
      QueuedPodPtr popped = queue_->Pop();
      ASSERT_TRUE(popped);
      EXPECT_EQ(popped->attempts, ++step);
      Fail(std::move(popped), {"unsched-plugin"});
      Move(kEventUnschedulableTimeout);
      ASSERT_EQ(PlaceOf(pod_), Place::kBackoff);
      const int64_t expiration = queue_->Find(pod_->key())->backoff_expiration;
      EXPECT_EQ(expiration, pop_from_backoff ? (failed + want) / kS * kS : failed + want);
      clock.Advance(kS);
      queue_->FlushBackoffCompleted(now());
      EXPECT_EQ(PlaceOf(pod_), Place::kBackoff) << "an early flush";
      clock.Advance(want);
      queue_->FlushBackoffCompleted(now());
      EXPECT_EQ(PlaceOf(pod_), Place::kActive);
    }
  }
  EXPECT_EQ(observer.incoming["active,BackoffComplete"], 14);
}

TEST_F(FlushTest, HighPriorityFlushUnschedulablePodsLeftover) {
  Make();
  const api::PodRef high = MakePod({.name = "test-highpod", .priority = kHigh});
  const api::PodRef mid = MakePod({.name = "test-midpod", .priority = kMid});
  AddAndFail(high, {"fakePlugin"});
  AddAndFail(mid, {"fakePlugin"});
  clock.Advance(300 * kS);
  queue_->FlushUnschedulableLeftover(now());
  EXPECT_EQ(queue_->counts().unschedulable, 2u);  // the timeout must be exceeded
  clock.Advance(1);
  queue_->FlushUnschedulableLeftover(now());
  EXPECT_EQ(PopName(), "test-highpod");
  EXPECT_EQ(PopName(), "test-midpod");
  EXPECT_EQ(observer.incoming["active,UnschedulableTimeout"], 2);
}

TEST_F(FlushTest, FlushUnschedulablePodsLeftoverSetsFlag) {
  Make();
  AddAndFail(pod_, {"fakePlugin"});
  EXPECT_FALSE(queue_->Find(pod_->key())->was_flushed_from_unschedulable);
  clock.Advance(301 * kS);
  queue_->FlushUnschedulableLeftover(now());
  QueuedPodPtr popped = queue_->Pop();
  EXPECT_TRUE(popped->was_flushed_from_unschedulable);
  Fail(std::move(popped), {"fakePlugin"});
  EXPECT_FALSE(queue_->Find(pod_->key())->was_flushed_from_unschedulable);
}

TEST_F(FlushTest, initPodMaxInUnschedulablePodsDuration) {
  for (const int64_t duration : {300 * kS, 30 * kS}) {
    Make({.pod_max_in_unschedulable_pods_ns = duration});
    AddAndFail(MakePod({.name = "test-pod-2"}), {"plugin"});
    clock.Advance(kS);
    AddAndFail(MakePod({.name = "test-pod-1"}), {"plugin"});
    clock.Advance(duration);
    queue_->FlushUnschedulableLeftover(now());
    EXPECT_EQ(queue_->counts().active, 1u);
    clock.Advance(kS);
    queue_->FlushUnschedulableLeftover(now());
    EXPECT_EQ(PopName(), "test-pod-2");
    EXPECT_EQ(PopName(), "test-pod-1");
  }
}

TEST_F(FlushTest, TheTimeoutIsRecordedForPodsInFlightOnlyIfAPodWasDue) {
  Make();
  const api::PodRef flying = MakePod({.name = "flying"});
  AddAndFail(pod_, {"plugin"});
  queue_->Add(flying);
  const QueuedPodPtr popped = queue_->Pop();
  queue_->FlushUnschedulableLeftover(now() + 300 * kS);
  EXPECT_EQ(InFlight(), Names{"flying"});
  queue_->FlushUnschedulableLeftover(now() + 301 * kS);
  EXPECT_EQ(InFlight(), (Names{"flying", "UnschedulableTimeout"}));
}

TEST_F(FlushTest, NextTimerIsTheSecondAfterTheExpiration) {
  Make();
  EXPECT_FALSE(queue_->NextTimer());
  clock.Advance(400 * base::kMillisecond);
  AddAndFail(pod_, {});
  EXPECT_EQ(queue_->NextTimer(), kStart + 2 * kS);  // 1.4 s, truncated to 1 s, over at 2 s
  clock.AdvanceTo(2 * kS - 1);
  FlushAll();
  EXPECT_EQ(PlaceOf(pod_), Place::kErrorBackoff);
  AdvanceToTimer();
  EXPECT_EQ(PlaceOf(pod_), Place::kActive);
  EXPECT_FALSE(queue_->NextTimer());
}

TEST_F(FlushTest, NextTimerWithoutPopFromBackoffQTicksFromTheQueuesBirth) {
  clock.Advance(250 * base::kMillisecond);
  Make({.pop_from_backoff_q = false});
  clock.Advance(100 * base::kMillisecond);
  AddAndFail(pod_, {});
  EXPECT_EQ(queue_->NextTimer(), kStart + 2250 * base::kMillisecond);
  AdvanceToTimer();
  EXPECT_EQ(PlaceOf(pod_), Place::kActive);
}

TEST_F(FlushTest, NextTimerForUnschedulablePodsIsATickOfHalfAMinute) {
  Make();
  AddAndFail(pod_, {"plugin"});
  EXPECT_EQ(queue_->NextTimer(), kStart + 330 * kS);  // due just after 300 s
  clock.Advance(kS);
  AddAndFail(MakePod({.name = "second"}), {"plugin"});
  AddAndFail(MakePod({.name = "third"}), {});
  EXPECT_EQ(queue_->NextTimer(), kStart + 3 * kS);
  AdvanceToTimer();
  EXPECT_EQ(PopName(), "third");
  AdvanceToTimer();
  EXPECT_EQ(queue_->counts().active, 2u);
  EXPECT_FALSE(queue_->NextTimer());
}

TEST_F(FlushTest, NextTimerIgnoresGatedPods) {
  policy.AddPreEnqueue("gate", AllowLabels({"open"}));
  Make();
  queue_->Add(pod_);
  EXPECT_EQ(queue_->counts().gated, 1u);
  EXPECT_FALSE(queue_->NextTimer());
}

TEST_F(FlushTest, NextTimerAlwaysMovesSomething) {
  Make();
  for (int i = 0; i < 20; ++i) {
    AddAndFail(MakePod({.name = "p" + std::to_string(i)}), {});
    clock.Advance(777 * base::kMillisecond);
  }
  size_t waiting = queue_->counts().backoff;
  while (const auto timer = queue_->NextTimer()) {
    clock.AdvanceTo(*timer - kStart);
    FlushAll();
    ASSERT_LT(queue_->counts().backoff, waiting);
    waiting = queue_->counts().backoff;
  }
  EXPECT_EQ(queue_->counts().active, 20u);
}

TEST_F(FlushTest, EndlessDurationsNeverComeDue) {
  constexpr int64_t kForEver = std::numeric_limits<int64_t>::max();
  Make({.pod_initial_backoff_ns = kForEver,
        .pod_max_backoff_ns = kForEver,
        .pod_max_in_unschedulable_pods_ns = kForEver});
  AddAndFail(pod_, {"plugin"});
  EXPECT_GE(*queue_->NextTimer(), kForEver - 30 * kS);
  FlushAll();
  queue_->Delete(*pod_);
  AddAndFail(pod_, {});
  EXPECT_GE(*queue_->NextTimer(), kForEver - 30 * kS);
  FlushAll();
  EXPECT_EQ(PlaceOf(pod_), Place::kErrorBackoff);
}

TEST_F(FlushTest, NoBackoffWithMaxZero) {
  Make({.pod_max_backoff_ns = 0});
  EXPECT_EQ(AddAndFail(pod_, {}), Place::kActive);
  EXPECT_EQ(Fail(queue_->Pop(), {"plugin"}), Place::kUnschedulable);
  Move(kEventUnschedulableTimeout);
  EXPECT_EQ(PlaceOf(pod_), Place::kActive);
}

}  // namespace
}  // namespace berth::queue
