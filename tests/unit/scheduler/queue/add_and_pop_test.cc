// Cases of scheduling_queue_test.go about Add, Pop, Delete and AddUnschedulableIfNotPresent.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fixture.h"

namespace berth::queue {
namespace {

using Names = std::vector<std::string>;
constexpr int64_t kS = base::kSecond;

class AddAndPopTest : public QueueTest {
 protected:
  const api::PodRef high_ = MakePod({.name = "hpp", .priority = kHigh});
  const api::PodRef medium_ = MakePod({.name = "mpp", .ns = "ns2", .priority = kMedium});
  const api::PodRef low_ = MakePod({.name = "up", .priority = kLow});
};

TEST_F(AddAndPopTest, PriorityQueue_AddWithReversePriorityLessFunc) {
  Make();
  queue_->Add(medium_);
  queue_->Add(high_);
  EXPECT_EQ(PopName(), "hpp");
  EXPECT_EQ(PopName(), "mpp");
  EXPECT_EQ(PopName(), "");
  EXPECT_EQ(queue_->scheduling_cycle(), 2);
}

TEST_F(AddAndPopTest, PodsOfOnePriorityComeInTheOrderOfTheirTime) {
  Make();
  for (int i = 0; i < 20; ++i) {
    queue_->Add(MakePod({.name = "p" + std::to_string(i)}));
    clock.Advance(1);
  }
  for (int i = 0; i < 20; ++i) EXPECT_EQ(PopName(), "p" + std::to_string(i));
}

TEST_F(AddAndPopTest, PriorityQueue_Pop) {
  for (const bool pop_from_backoff : {true, false}) {
    Make({.pop_from_backoff_q = pop_from_backoff});
    queue_->Add(high_);
    queue_->Add(MakePod({.name = "hpp2", .priority = kHigh - 1}));
    queue_->Add(low_);
    QueuedPodPtr backoff = queue_->Pop(), error = queue_->Pop(), unschedulable = queue_->Pop();
    Fail(std::move(backoff), {"plugin"});
    Move(kEventUnschedulableTimeout);
    queue_->Close();  // the others have not seen the event
    queue_->Add(medium_);
    ASSERT_EQ(Fail(std::move(error), {}), Place::kErrorBackoff);
    ASSERT_EQ(queue_->Pending().summary, "activeQ:1; backoffQ:2; unschedulablePods:0");
    EXPECT_EQ(PopName(), "mpp");
    EXPECT_EQ(PopName(), pop_from_backoff ? "hpp" : "");
    EXPECT_EQ(PopName(), "");  // error backoff always lasts its full time
    ExpectSound();
    unschedulable.reset();
    queue_.reset();
  }
}

TEST_F(AddAndPopTest, Pop) {
  policy.Register("fooPlugin1", kPvAdd, Hint::kQueue);
  Make();
  AddAndFail(low_, {}, {"fooPlugin1"});
  EXPECT_EQ(PlaceOf(low_), Place::kUnschedulable);
  Move(kPvAdd);
  EXPECT_EQ(PlaceOf(low_), Place::kActive);
  const QueuedPodPtr pod = queue_->Pop();
  EXPECT_EQ(pod->pending_plugins, PluginSet{Id("fooPlugin1")});  // kept until the next failure
  EXPECT_EQ(pod->attempts, 2u);
}

TEST_F(AddAndPopTest, PriorityQueue_AddUnschedulableIfNotPresent) {
  const api::PodRef nominated = MakePod({.name = "hpp", .priority = kHigh, .nominated = "node1"});
  lookup.Set(nominated);
  Make();
  queue_->Add(low_);
  QueuedPodPtr popped = queue_->Pop();
  queue_->Add(nominated);
  EXPECT_EQ(Fail(std::move(popped), {"plugin"}), Place::kUnschedulable);
  EXPECT_EQ(PopName(), "hpp");
  EXPECT_EQ(queue_->nominator().size(), 1u);
  EXPECT_EQ(PlaceOf(low_), Place::kUnschedulable);
}

TEST_F(AddAndPopTest, PriorityQueue_AddUnschedulableIfNotPresent_Backoff) {
  Make();
  std::vector<QueuedPodPtr> popped;
  for (int i = 0; i < 10; ++i) queue_->Add(MakePod({.name = "pod" + std::to_string(i), .priority = i}));
  for (int i = 9; i > 0; --i) {
    popped.push_back(queue_->Pop());
    EXPECT_EQ(popped.back()->pod->name(), "pod" + std::to_string(i));
  }
  Move(kEventUnschedulableTimeout);
  EXPECT_EQ(queue_->scheduling_cycle(), 9);
  const QueuedPodPtr first = queue_->Pop();
  EXPECT_EQ(first->pod->name(), "pod0");
  for (QueuedPodPtr& pod : popped) EXPECT_EQ(Fail(std::move(pod), {"plugin"}), Place::kBackoff);
  EXPECT_EQ(InFlight(), Names{"pod0"});
}

TEST_F(AddAndPopTest, APodWhoseNameIsQueuedDoesNotComeBack) {
  struct Case {
    const char* place;
    std::function<void(const api::PodRef&)> put;
  };
  const api::PodRef recreated = MakePod({.name = "up", .uid = "2"});
  const Case cases[] = {
      {"the active queue", [&](const api::PodRef& pod) { queue_->Add(pod); }},
      {"the backoff queue", [&](const api::PodRef& pod) { AddAndFail(pod, {}); }},
      {"unschedulable queue", [&](const api::PodRef& pod) { AddAndFail(pod, {"plugin"}); }},
  };
  for (const Case& c : cases) {
    Make();
    queue_->Add(low_);
    QueuedPodPtr popped = queue_->Pop();
    c.put(recreated);
    const auto refused = queue_->AddUnschedulableIfNotPresent(std::move(popped));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message, std::string("Pod ns1/up is already present in ") + c.place);
    EXPECT_EQ(queue_->in_flight().n_pods(), 0u);
    EXPECT_EQ(queue_->Find("ns1/up")->pod, recreated);
    ExpectSound();
    queue_.reset();
  }
}

TEST_F(AddAndPopTest, CountsAttemptsRejectionsAndErrors) {
  Make();
  queue_->Add(low_);
  Fail(queue_->Pop(), {});
  EXPECT_EQ(PlaceOf(low_), Place::kErrorBackoff);
  const QueuedPod* pod = queue_->Find(low_->key());
  EXPECT_EQ(pod->consecutive_errors_count, 1u);
  EXPECT_EQ(pod->unschedulable_count, 0u);
  EXPECT_EQ(PopName(), "");
  clock.Advance(3 * kS);
  FlushAll();
  Fail(queue_->Pop(), {});
  EXPECT_EQ(pod->consecutive_errors_count, 2u);
  clock.Advance(4 * kS);
  FlushAll();
  Fail(queue_->Pop(), {"plugin"});
  EXPECT_EQ(pod->consecutive_errors_count, 0u);
  EXPECT_EQ(pod->unschedulable_count, 1u);
  EXPECT_EQ(pod->attempts, 3u);
  EXPECT_EQ(pod->timestamp, clock.WallUnixNs());
  EXPECT_EQ(pod->initial_attempt_timestamp, kStart);
}

TEST_F(AddAndPopTest, ComingBackAfterDoneGoesToBackoff) {
  // A binding that fails after Permit: the pod is not in flight, and no events were recorded.
  Make();
  queue_->Add(low_);
  QueuedPodPtr popped = queue_->Pop();
  queue_->Done(low_->uid());
  EXPECT_EQ(Fail(std::move(popped), {"plugin"}), Place::kBackoff);
}

TEST_F(AddAndPopTest, AddingANameTwiceKeepsTheLaterObject) {
  const api::PodRef newer = MakePod({.name = "up", .uid = "2", .priority = kMid});
  const std::function<void()> puts[] = {
      [&] { queue_->Add(low_); },
      [&] { AddAndFail(low_, {}); },
      [&] { AddAndFail(low_, {"plugin"}); },
  };
  for (const auto& put : puts) {
    Make();
    put();
    queue_->Add(newer);
    ExpectSound();
    EXPECT_EQ(queue_->Pending().summary, "activeQ:1; backoffQ:0; unschedulablePods:0");
    EXPECT_EQ(queue_->Pop()->pod, newer);
    EXPECT_EQ(PopName(), "");
    queue_.reset();
  }
}

TEST_F(AddAndPopTest, PriorityQueue_PendingPods) {
  Make();
  queue_->Add(low_);
  QueuedPodPtr low = queue_->Pop();
  queue_->Add(high_);
  QueuedPodPtr high = queue_->Pop();
  queue_->Add(medium_);
  Fail(std::move(low), {"plugin"});
  Fail(std::move(high), {"plugin"});
  EXPECT_EQ(queue_->Pending().summary, "activeQ:1; backoffQ:0; unschedulablePods:2");
  EXPECT_EQ(queue_->Pending().pods.size(), 3u);
  Move(kEventUnschedulableTimeout);
  EXPECT_EQ(queue_->Pending().summary, "activeQ:1; backoffQ:2; unschedulablePods:0");
  EXPECT_EQ(queue_->Pending().pods.size(), 3u);
}

TEST_F(AddAndPopTest, PriorityQueue_GetPod) {
  Make();
  AddAndFail(high_, {"plugin"});
  AddAndFail(medium_, {});
  queue_->Add(low_);
  EXPECT_EQ(queue_->Find("ns1/up")->place(), Place::kActive);
  EXPECT_EQ(queue_->Find("ns2/mpp")->place(), Place::kErrorBackoff);
  EXPECT_EQ(queue_->Find("ns1/hpp")->place(), Place::kUnschedulable);
  EXPECT_EQ(queue_->Find("ns1/mpp"), nullptr);
  for (const api::PodRef& pod : {high_, medium_, low_}) queue_->Delete(*pod);
  EXPECT_EQ(queue_->Find("ns1/up"), nullptr);
  queue_->Delete(*low_);  // unknown: ignored
}

TEST_F(AddAndPopTest, RecentlyTriedPodsGoBack) {
  Make();
  for (int i = 0; i < 5; ++i) queue_->Add(MakePod({.name = "test-pod-" + std::to_string(i), .priority = kHigh}));
  clock.Advance(1000);
  QueuedPodPtr tried = queue_->Pop();
  const std::string name(tried->pod->name());
  Fail(std::move(tried), {"plugin"});
  clock.Advance(10 * kS);
  Move(kEventUnschedulableTimeout);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(PopName() == name, i == 4) << i;
}

TEST_F(AddAndPopTest, PodFailedSchedulingMultipleTimesDoesNotBlockNewerPod) {
  Make();
  AddAndFail(high_, {"plugin"});
  clock.Advance(2 * kS);
  Move(kEventUnschedulableTimeout);
  QueuedPodPtr again = queue_->Pop();
  EXPECT_EQ(again->pod, high_);
  queue_->Add(MakePod({.name = "test-newer-pod", .priority = kHigh}));
  clock.Advance(1);  // PrioritySort does not define the order of equal times
  Fail(std::move(again), {"plugin"});
  clock.Advance(3 * kS);
  Move(kEventUnschedulableTimeout);
  EXPECT_EQ(PopName(), "test-newer-pod");
}

TEST_F(AddAndPopTest, HighPriorityBackoff) {
  Make();
  queue_->Add(MakePod({.name = "test-midpod", .priority = kMid}));
  queue_->Add(MakePod({.name = "test-highpod", .priority = kHigh}));
  QueuedPodPtr popped = queue_->Pop();
  EXPECT_EQ(popped->pod->name(), "test-highpod");
  Fail(std::move(popped), {"fooPlugin"});
  Move(kEventUnschedulableTimeout);
  EXPECT_EQ(PopName(), "test-midpod");
}

TEST_F(AddAndPopTest, ResortActive) {
  bool ascending = false;
  policy.less = [&](const QueuedPod& a, const QueuedPod& b) {
    return ascending ? a.pod->abi.priority < b.pod->abi.priority : a.pod->abi.priority > b.pod->abi.priority;
  };
  Make();
  for (const int priority : {3, 1, 4, 5, 9, 2, 6}) {
    queue_->Add(MakePod({.name = "p" + std::to_string(priority), .priority = priority}));
  }
  ascending = true;
  EXPECT_FALSE(queue_->Check());
  queue_->ResortActive();
  EXPECT_TRUE(queue_->Check());
  for (const char* name : {"p1", "p2", "p3", "p4", "p5", "p6", "p9"}) EXPECT_EQ(PopName(), name);
}

TEST_F(AddAndPopTest, AHundredThousandPods) {
  Make();
  constexpr int kN = 100'000;
  std::vector<api::PodRef> pods;
  for (int i = 0; i < 100; ++i) pods.push_back(MakePod({.name = "t" + std::to_string(i), .priority = i % 7}));
  for (int i = 0; i < kN; ++i) {
    // Names differ, and everything else is shared, as in many pods of one template.
    auto* pod = new api::Pod(Tables());
    const api::PodRef ref(pod);
    pod->CopyFrom(*pods[static_cast<size_t>(i % 100)]);
    pod->SetIdentity("default", "pod-" + std::to_string(i), "uid-" + std::to_string(i), "");
    queue_->Add(ref);
  }
  ExpectSound();
  int32_t last = kHigh;
  for (int i = 0; i < kN; ++i) {
    QueuedPodPtr pod = queue_->Pop();
    ASSERT_LE(pod->pod->abi.priority, last);
    last = pod->pod->abi.priority;
    Fail(std::move(pod), {"plugin"});
  }
  EXPECT_EQ(queue_->counts().unschedulable, size_t{kN});
  Move(kEventUnschedulableTimeout);
  EXPECT_EQ(queue_->counts().backoff, size_t{kN});
  ExpectSound();
}

}  // namespace
}  // namespace berth::queue
