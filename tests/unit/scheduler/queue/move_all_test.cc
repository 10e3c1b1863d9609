// Cases of scheduling_queue_test.go about MoveAllToActiveOrBackoffQueue.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "fixture.h"

namespace berth::queue {
namespace {

using Names = std::vector<std::string>;
constexpr int64_t kS = base::kSecond;

class MoveAllTest : public QueueTest {
 protected:
  const api::PodRef high_ = MakePod({.name = "hpp", .priority = kHigh});
  const api::PodRef medium_ = MakePod({.name = "mpp", .ns = "ns2", .priority = kMedium});
  const api::PodRef low_ = MakePod({.name = "up", .priority = kLow});
};

TEST_F(MoveAllTest, WithQueueingHint) {
  struct Case {
    const char* name;
    bool pending;
    Hint hint;
    int64_t waits;
    Place want;
  };
  const Case cases[] = {
      {.name = "Queue queues pod to activeQ",
       .pending = true,
       .hint = Hint::kQueue,
       .waits = 0,
       .want = Place::kActive},
      {.name = "Queue queues pod to backoffQ if Pod is backing off",
       .pending = false,
       .hint = Hint::kQueue,
       .waits = 0,
       .want = Place::kBackoff},
      // A pod whose expiration equals the truncated current time is still backing off.
      {.name = "the second of the expiration",
       .pending = false,
       .hint = Hint::kQueue,
       .waits = kS,
       .want = Place::kBackoff},
      {.name = "Queue queues pod to activeQ if Pod is not backing off",
       .pending = false,
       .hint = Hint::kQueue,
       .waits = 2 * kS,
       .want = Place::kActive},
      {.name = "Skip queues pod to unschedulablePods",
       .pending = false,
       .hint = Hint::kSkip,
       .waits = 0,
       .want = Place::kUnschedulable},
      {.name = "an error is Queue", .pending = false, .hint = Hint::kError, .waits = 0, .want = Place::kBackoff},
      {.name = "no hint function is Queue", .pending = false, .hint = Hint::kNone, .waits = 0, .want = Place::kBackoff},
  };
  for (const Case& c : cases) {
    policy = FakePolicy();
    policy.Register("foo", kNodeAdd, c.hint);
    Make();
    c.pending ? AddAndFail(low_, {}, {"foo"}) : AddAndFail(low_, {"foo"});
    clock.Advance(c.waits);
    Move(kNodeAdd);
    EXPECT_EQ(PlaceOf(low_), c.want) << c.name;
    ExpectSound();
  }
}

TEST_F(MoveAllTest, MoveAllToActiveOrBackoffQueue) {
  policy.Register("fooPlugin", kNodeAdd, Hint::kQueue);
  Make();
  const api::PodRef hpp1 = MakePod({.name = "hpp1", .priority = kHigh}),
                    hpp2 = MakePod({.name = "hpp2", .priority = kHigh});
  AddAndFail(low_, {"fooPlugin"});
  AddAndFail(high_, {"fooPlugin"});
  AddAndFail(hpp1, {});
  AddAndFail(hpp2, {"barPlugin"});
  EXPECT_EQ(queue_->Pending().summary, "activeQ:0; backoffQ:1; unschedulablePods:3");
  Move(kNodeAdd);
  queue_->Add(medium_);
  EXPECT_EQ(queue_->Pending().summary, "activeQ:1; backoffQ:3; unschedulablePods:1");
  EXPECT_EQ(NamesIn(Place::kUnschedulable), Names{"hpp2"});
  const QueuedPodPtr medium = queue_->Pop();
  EXPECT_EQ(medium->pod, medium_);
  clock.Advance(10 * kS);
  queue_->FlushBackoffCompleted(clock.WallUnixNs());
  EXPECT_EQ(queue_->counts().active, 3u);

  QueuedPodPtr a = queue_->Pop(), b = queue_->Pop(), c = queue_->Pop();
  EXPECT_EQ(c->pod, low_);
  EXPECT_EQ(InFlight(), (Names{"mpp", std::string(a->pod->name()), std::string(b->pod->name()), "up"}));
  if (a->pod == hpp1) std::swap(a, b);
  Fail(std::move(c), {"fooPlugin"});
  Fail(std::move(a), {"fooPlugin"});
  Fail(std::move(b), {});
  EXPECT_EQ(InFlight(), Names{"mpp"});
  EXPECT_EQ(queue_->Pending().summary, "activeQ:0; backoffQ:1; unschedulablePods:3");
  clock.Advance(10 * kS);
  queue_->FlushBackoffCompleted(clock.WallUnixNs());
  Move(kNodeAdd);
  EXPECT_EQ(queue_->Pending().summary, "activeQ:3; backoffQ:0; unschedulablePods:1");
  EXPECT_EQ(InFlight(), (Names{"mpp", "NodeAdd"}));
}

TEST_F(MoveAllTest, PreEnqueueChecks) {
  using Check = SchedulingQueue::PreCheck;
  struct Case {
    const char* name;
    Check check;
    api::ClusterEvent event;
    std::set<std::string> want;
  };
  const Case cases[] = {
      {.name = "nil PreEnqueueCheck", .event = kEventUnschedulableTimeout, .want = {"p0", "p1", "p2", "p3", "p4"}},
      {.name = "move Pods with priority greater than 2",
       .check = [](const api::Pod& pod) { return pod.abi.priority >= 2; },
       .event = kEventUnschedulableTimeout,
       .want = {"p2", "p3", "p4"}},
      {.name = "move Pods with even priority and greater than 2",
       .check = [](const api::Pod& pod) { return pod.abi.priority % 2 == 0 && pod.abi.priority >= 2; },
       .event = kEventUnschedulableTimeout,
       .want = {"p2", "p4"}},
      {.name = "move Pods with even and negative priority",
       .check = [](const api::Pod& pod) { return pod.abi.priority % 2 == 0 && pod.abi.priority < 0; },
       .event = kEventUnschedulableTimeout},
      {.name = "preCheck isn't called if the event is not interested by any plugins",
       .check = [](const api::Pod&) -> bool { abort(); },
       .event = kPvAdd},
      {.name = "with a hint",
       .check = [](const api::Pod& pod) { return pod.abi.priority <= 1; },
       .event = kNodeAdd,
       .want = {"p0", "p1"}},
  };
  policy.Register("plugin", kNodeAdd, Hint::kQueue);
  for (const Case& c : cases) {
    Make();
    for (int i = 0; i < 5; ++i) AddAndFail(MakePod({.name = "p" + std::to_string(i), .priority = i}), {"plugin"});
    queue_->MoveAllToActiveOrBackoffQueue(c.event, {}, c.check);
    const Names moved = NamesIn(Place::kBackoff);
    EXPECT_EQ(std::set<std::string>(moved.begin(), moved.end()), c.want) << c.name;
  }
}

TEST_F(MoveAllTest, PodsInBackoffQAndActiveQAreNotTouched) {
  policy.Register("plugin", kNodeAdd, Hint::kQueue);
  Make();
  AddAndFail(high_, {"plugin"});
  Move(kNodeAdd);
  queue_->Add(low_);
  const size_t asked = policy.hinted_pods;
  Move(kNodeAdd);
  EXPECT_EQ(policy.hinted_pods, asked);
  EXPECT_EQ(PlaceOf(high_), Place::kBackoff);
  EXPECT_EQ(PlaceOf(low_), Place::kActive);
}

TEST_F(MoveAllTest, EachProfileIsAskedByItsOwnRegistrations) {
  policy.AddProfile("second");
  policy.Register("plugin", kNodeAdd, Hint::kQueue);
  policy.Register("plugin", kPvAdd, Hint::kQueue, "second");
  Make();
  const api::PodRef second = MakePod({.name = "second", .profile = "second"});
  AddAndFail(low_, {"plugin"});
  AddAndFail(second, {"plugin"});
  Move(kNodeAdd);
  EXPECT_EQ(PlaceOf(low_), Place::kBackoff);
  EXPECT_EQ(PlaceOf(second), Place::kUnschedulable);
  Move(kPvAdd);
  EXPECT_EQ(PlaceOf(second), Place::kBackoff);
}

TEST_F(MoveAllTest, MovedPodsKeepTheOrderInWhichTheyWereParked) {
  policy.less = [](const QueuedPod&, const QueuedPod&) { return false; };  // first in, first out
  policy.Register("a", kNodeAdd, Hint::kQueue);
  policy.Register("b", kNodeAdd, Hint::kQueue);
  Make();
  for (int i = 0; i < 3; ++i) AddAndFail(MakePod({.name = "p" + std::to_string(i)}), {i == 1 ? "a" : "b"});
  clock.Advance(10 * kS);
  Move(kNodeAdd);
  EXPECT_EQ(NamesIn(Place::kActive), (Names{"p0", "p1", "p2"}));
}

}  // namespace
}  // namespace berth::queue
