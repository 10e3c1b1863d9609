// TestPriorityQueue_Activate of scheduling_queue_test.go.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fixture.h"

namespace berth::queue {
namespace {

using Names = std::vector<std::string>;

class ActivateTest : public QueueTest {
 protected:
  void Activate(const api::PodRef& pod) {
    queue_->Activate({&pod, 1});
    ExpectSound();
  }
  const api::PodRef pod_ = MakePod({.name = "hpp", .priority = kHigh});
  const api::PodRef other_ = MakePod({.name = "mpp", .ns = "ns2", .priority = kMedium});
};

TEST_F(ActivateTest, PodAlreadyInActiveQ) {
  Make();
  queue_->Add(pod_);
  Activate(pod_);
  EXPECT_EQ(NamesIn(Place::kActive), Names{"hpp"});
  EXPECT_EQ(observer.incoming["active,ForceActivate"], 0);
}

TEST_F(ActivateTest, PodNotInUnschedulablePodsNorBackoffQ) {
  Make();
  Activate(pod_);
  EXPECT_TRUE(queue_->Pending().pods.empty());
}

TEST_F(ActivateTest, PodInFlight) {
  Make();
  queue_->Add(pod_);
  QueuedPodPtr popped = queue_->Pop();
  Activate(pod_);
  EXPECT_EQ(InFlight(), (Names{"hpp", "ForceActivate"}));
  queue_->in_flight().ForEachEventSince(pod_->uid(), [&](const InFlightList::Entry& entry) {
    EXPECT_EQ(entry.objects.new_pod, pod_);
    EXPECT_FALSE(entry.objects.old_pod);
    return true;
  });
  EXPECT_EQ(Fail(std::move(popped), {"plugin"}), Place::kBackoff);
}

TEST_F(ActivateTest, ConcernsOnlyTheActivatedPodInFlight) {
  Make();
  queue_->Add(pod_);
  queue_->Add(other_);
  QueuedPodPtr first = queue_->Pop(), second = queue_->Pop();
  Activate(pod_);
  EXPECT_EQ(Fail(std::move(second), {"plugin"}), Place::kUnschedulable);
  EXPECT_EQ(Fail(std::move(first), {"plugin"}), Place::kBackoff);
}

TEST_F(ActivateTest, PodNotInFlightWhileAnotherIs) {
  Make();
  queue_->Add(other_);
  const QueuedPodPtr popped = queue_->Pop();
  Activate(pod_);
  EXPECT_EQ(InFlight(), Names{"mpp"});
}

TEST_F(ActivateTest, PodInUnschedulablePods) {
  Make();
  AddAndFail(pod_, {"plugin"});
  Activate(pod_);
  EXPECT_EQ(NamesIn(Place::kActive), Names{"hpp"});
  EXPECT_EQ(observer.incoming["active,ForceActivate"], 1);
}

TEST_F(ActivateTest, PodInBackoffQ) {
  Make();
  AddAndFail(pod_, {"plugin"});
  Move(kEventUnschedulableTimeout);
  AddAndFail(other_, {});
  const api::PodRef both[] = {pod_, other_};
  EXPECT_EQ(PlaceOf(pod_), Place::kBackoff);
  EXPECT_EQ(PlaceOf(other_), Place::kErrorBackoff);
  queue_->Activate(both);
  EXPECT_EQ(queue_->counts().active, 2u);
  EXPECT_EQ(queue_->counts().backoff, 0u);
}

TEST_F(ActivateTest, AGatedPodStaysGated) {
  policy.AddPreEnqueue("gate", AllowLabels({"open"}));
  Make();
  queue_->Add(pod_);
  EXPECT_EQ(queue_->counts().gated, 1u);
  Activate(pod_);
  EXPECT_EQ(queue_->counts().gated, 1u);
  policy.SetPreEnqueue("gate", [](const api::Pod&) { return true; });
  Activate(pod_);
  EXPECT_EQ(PlaceOf(pod_), Place::kActive);
}

}  // namespace
}  // namespace berth::queue
