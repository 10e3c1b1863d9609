// Cases of scheduling_queue_test.go about Update.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fixture.h"

namespace berth::queue {
namespace {

using Names = std::vector<std::string>;
constexpr int64_t kS = base::kSecond;

class UpdateTest : public QueueTest {
 protected:
  UpdateTest() {
    for (const api::PodRef& pod : {high_, medium_}) lookup.Set(pod);
    policy.Register("queuePlugin", kUnscheduledPodUpdateEvent, Hint::kQueue);
    policy.Register("skipPlugin", kUnscheduledPodUpdateEvent, Hint::kSkip);
  }
  Place PlaceAfterUpdate(const api::PodRef& before, const api::PodRef& after) {
    queue_->Update(before, after);
    ExpectSound();
    const QueuedPod* queued = queue_->Find(after->key());
    if (queued == nullptr) return Place::kNone;
    EXPECT_EQ(queued->pod, after);
    return queued->place();
  }
  const api::PodRef high_ = MakePod({.name = "hpp", .priority = kHigh});
  const api::PodRef high_nominated_ = MakePod({.name = "hpp", .priority = kHigh, .nominated = "node1"});
  const api::PodRef medium_ = MakePod({.name = "mpp", .ns = "ns2", .priority = kMedium, .nominated = "node1"});
  const api::PodRef medium2_ = MakePod({.name = "mpp", .ns = "ns2", .priority = kMedium, .nominated = "node1"});
};

TEST_F(UpdateTest, PodThatDidntExistInTheQueue) {
  Make();
  EXPECT_EQ(PlaceAfterUpdate(medium_, medium2_), Place::kActive);
  EXPECT_EQ(observer.incoming["active,UnschedulablePodUpdate"], 1);
  EXPECT_EQ(NominatedTo("node1"), Names{"mpp"});
}

TEST_F(UpdateTest, HighPriorityPodInfoGetsANominatedNodeName) {
  Make();
  EXPECT_EQ(PlaceAfterUpdate(high_, high_nominated_), Place::kActive);
  EXPECT_EQ(NominatedTo("node1"), Names{"hpp"});
}

TEST_F(UpdateTest, APodInActiveQStaysThere) {
  Make();
  queue_->Add(high_);
  EXPECT_EQ(PlaceAfterUpdate(high_, high_nominated_), Place::kActive);
  EXPECT_EQ(NominatedTo("node1"), Names{"hpp"});
  EXPECT_EQ(queue_->Pending().pods.size(), 1u);
}

TEST_F(UpdateTest, APodInActiveQIsPutInOrder) {
  Make();
  queue_->Add(high_);
  const api::PodRef low = MakePod({.name = "low"}), raised = MakePod({.name = "low", .priority = 2 * kHigh});
  queue_->Add(low);
  EXPECT_EQ(PlaceAfterUpdate(low, raised), Place::kActive);
  EXPECT_EQ(PopName(), "low");
}

TEST_F(UpdateTest, APodInBackoffQIsUpdatedThere) {
  Make();
  AddAndFail(medium_, {});
  EXPECT_EQ(PlaceAfterUpdate(medium_, medium2_), Place::kErrorBackoff);
  AddAndFail(high_, {"queuePlugin"});
  Move(kEventUnschedulableTimeout);
  EXPECT_EQ(PlaceAfterUpdate(high_, high_nominated_), Place::kBackoff);
  EXPECT_EQ(NominatedTo("node1"), (Names{"mpp", "hpp"}));
}

TEST_F(UpdateTest, APodInUnschedulablePodsMovesToBackoffQWhileItsTimerRuns) {
  for (const bool pop_from_backoff : {true, false}) {
    Make({.pop_from_backoff_q = pop_from_backoff});
    AddAndFail(medium_, {"queuePlugin"});
    EXPECT_EQ(PlaceAfterUpdate(medium_, medium2_), Place::kBackoff);
  }
}

TEST_F(UpdateTest, APodInUnschedulablePodsMovesToActiveQWhenItsTimerExpired) {
  Make();
  AddAndFail(medium_, {"queuePlugin"});
  clock.Advance(10 * kS);
  EXPECT_EQ(PlaceAfterUpdate(medium_, medium2_), Place::kActive);
}

TEST_F(UpdateTest, APodInUnschedulablePodsStaysWhenTheHintSkips) {
  Make();
  AddAndFail(medium_, {"skipPlugin"});
  EXPECT_EQ(PlaceAfterUpdate(medium_, medium2_), Place::kUnschedulable);
  EXPECT_EQ(observer.incoming["unschedulable,UnschedulablePodUpdate"], 0);
}

TEST_F(UpdateTest, StopsAfterTheFirstEventThatMovesThePod) {
  policy.Register("labels", {"Pod", BERTH_ACTION_UPDATE_POD_LABEL, {}}, Hint::kQueue);
  policy.Register("labels", {"Pod", BERTH_ACTION_UPDATE_POD_TOLERATION, {}}, Hint::kSkip);
  for (const bool pop_from_backoff : {true, false}) {
    Make({.pop_from_backoff_q = pop_from_backoff});
    AddAndFail(high_, {"labels"});
    const size_t asked = policy.hinted_pods;
    EXPECT_EQ(PlaceAfterUpdate(high_, MakePod({.name = "hpp", .priority = kHigh, .label = "l", .toleration = true})),
              Place::kBackoff);
    EXPECT_EQ(policy.hinted_pods, asked + 1);
    EXPECT_EQ(observer.incoming["backoff,UnschedulablePodUpdatePodLabel"], pop_from_backoff ? 1 : 2);
  }
}

TEST_F(UpdateTest, APodInFlightIsAddedToNoQueue) {
  Make();
  queue_->Add(medium_);
  const QueuedPodPtr popped = queue_->Pop();
  EXPECT_EQ(PlaceAfterUpdate(medium_, medium2_), Place::kNone);
  EXPECT_EQ(InFlight(), (Names{"mpp", "UnschedulablePodUpdate"}));
}

TEST_F(UpdateTest, PriorityQueue_UpdateWhenInflight) {
  policy.Register("fakePlugin", {"UnschedulablePod", BERTH_ACTION_UPDATE, {}}, Hint::kQueue);
  Make();
  queue_->Add(high_);
  QueuedPodPtr popped = queue_->Pop();
  const api::PodRef updated = MakePod({.name = "hpp", .priority = kHigh, .toleration = true});
  queue_->Update(high_, updated);
  popped->pod = updated;  // as the failure handler does
  EXPECT_EQ(Fail(std::move(popped), {"fakePlugin"}), Place::kBackoff);
  EXPECT_EQ(queue_->Find(updated->key())->pod, updated);
}

TEST_F(UpdateTest, OtherPodsInFlightDoNotSeeItsOwnUpdateAsTheirs) {
  Make();
  queue_->Add(high_);
  queue_->Add(medium_);
  QueuedPodPtr high = queue_->Pop(), medium = queue_->Pop();
  queue_->Update(high_, high_nominated_);
  // Upstream keeps one list for all pods in flight and asks the plugin, which must check whose update it was.
  EXPECT_EQ(InFlight(), (Names{"hpp", "mpp", "UnschedulablePodUpdate"}));
  EXPECT_EQ(Fail(std::move(medium), {"skipPlugin"}), Place::kUnschedulable);
  EXPECT_EQ(Fail(std::move(high), {"queuePlugin"}), Place::kBackoff);
}

}  // namespace
}  // namespace berth::queue
