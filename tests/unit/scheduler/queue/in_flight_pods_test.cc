// Test_InFlightPods of scheduling_queue_test.go: events while pods are in flight.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "fixture.h"

namespace berth::queue {
namespace {

using Names = std::vector<std::string>;

struct Happens {
  api::ClusterEvent event;
};
struct Popped {
  int pod;
};
struct Created {
  int pod;
};
struct Enqueued {  // returns from its attempt
  int pod;
  std::vector<std::string> unschedulable = {}, pending = {};
};
using Action = std::variant<Happens, Popped, Created, Enqueued>;

struct Registered {
  api::ClusterEvent event;
  std::string plugin;
  Hint hint;
};
struct Case {
  const char* name;
  std::vector<int> initial;
  std::vector<Action> actions;
  Names in_flight;  // markers and events
  Names active, backoff, unschedulable;
  std::vector<Registered> registered;
};

class InFlightPodsTest : public QueueTest {
 protected:
  void Act(const Action& action) {
    if (const auto* a = std::get_if<Happens>(&action)) {
      Move(a->event);
    } else if (const auto* a = std::get_if<Created>(&action)) {
      queue_->Add(pods_[a->pod - 1]);
    } else if (const auto* a = std::get_if<Popped>(&action)) {
      popped_[a->pod] = queue_->Pop();
      ASSERT_TRUE(popped_[a->pod]);
      ASSERT_EQ(popped_[a->pod]->pod, pods_[a->pod - 1]);
    } else if (const auto* a = std::get_if<Enqueued>(&action)) {
      QueuedPodPtr pod = std::move(popped_[a->pod]);
      pod->ClearRejectorPlugins();
      for (const std::string& plugin : a->unschedulable) pod->unschedulable_plugins.Insert(Id(plugin));
      for (const std::string& plugin : a->pending) pod->pending_plugins.Insert(Id(plugin));
      ASSERT_TRUE(queue_->AddUnschedulableIfNotPresent(std::move(pod)));
    }
    ExpectSound();
  }
  const api::PodRef pods_[3] = {MakePod({.name = "targetpod", .uid = "pod1"}),
                                MakePod({.name = "targetpod2", .uid = "pod2"}),
                                MakePod({.name = "targetpod3", .uid = "pod3"})};
  std::map<int, QueuedPodPtr> popped_;
};

std::vector<Registered> FooIsQueued(std::vector<api::ClusterEvent> events) {
  std::vector<Registered> registered;
  for (const api::ClusterEvent& event : events) registered.push_back({event, "fooPlugin1", Hint::kQueue});
  return registered;
}

TEST_F(InFlightPodsTest, InFlightPods) {
  const Case cases[] = {
      {.name = "Pod and interested events are registered in inFlightPods/inFlightEvents",
       .initial = {1},
       .actions = {Happens{kPvcAdd}, Popped{1}, Happens{kPvAdd}, Happens{kPvUpdate}},
       .in_flight = {"targetpod", "PersistentVolumeAdd"},
       .registered = FooIsQueued({kPvAdd})},
      {.name = "Pod, registered in inFlightPods, is enqueued back to backoffQ",
       .initial = {1, 2},
       .actions = {Happens{kPvcAdd}, Popped{1}, Happens{kPvAdd}, Popped{2}, Happens{kNodeAdd}, Enqueued{1}},
       .in_flight = {"targetpod2", "NodeAdd"},
       .backoff = {"targetpod"},
       .registered = FooIsQueued({kPvAdd, kNodeAdd, kPvcAdd})},
      {.name = "All Pods registered in inFlightPods are enqueued back to activeQ",
       .initial = {1, 2},
       .actions = {Happens{kPvcAdd}, Popped{1}, Happens{kPvAdd}, Popped{2}, Happens{kNodeAdd}, Enqueued{1},
                   Happens{kCsiNodeUpdate}, Enqueued{2}},
       .backoff = {"targetpod", "targetpod2"},
       .registered = FooIsQueued({kPvAdd, kNodeAdd, kPvcAdd, kCsiNodeUpdate})},
      {.name = "One intermediate Pod registered in inFlightPods is enqueued back to activeQ",
       .initial = {1, 2, 3},
       .actions = {Happens{kPvcAdd}, Popped{1}, Happens{kPvAdd}, Popped{2}, Happens{kNodeAdd}, Popped{3},
                   Happens{kAssignedPodAdd}, Enqueued{2}},
       .in_flight = {"targetpod", "PersistentVolumeAdd", "NodeAdd", "targetpod3", "AssignedPodAdd"},
       .backoff = {"targetpod2"},
       .registered = FooIsQueued({kPvAdd, kNodeAdd, kAssignedPodAdd})},
      {.name = "events before popping Pod are ignored when Pod is enqueued back to queue",
       .initial = {1},
       .actions = {Happens{kEventUnschedulableTimeout}, Popped{1}, Happens{kAssignedPodAdd},
                   Enqueued{1, {"fooPlugin1"}}},
       .unschedulable = {"targetpod"},
       .registered = {{kAssignedPodAdd, "fooPlugin1", Hint::kSkip}}},
      {.name = "pod is enqueued to backoff if no failed plugin",
       .initial = {1},
       .actions = {Popped{1}, Happens{kAssignedPodAdd}, Enqueued{1}},
       .backoff = {"targetpod"},
       .registered = FooIsQueued({kAssignedPodAdd})},
      {.name = "pod is enqueued to unschedulable pod pool if no events that can make the pod schedulable",
       .initial = {1},
       .actions = {Popped{1}, Happens{kNodeAdd}, Enqueued{1, {"fooPlugin1"}}},
       .unschedulable = {"targetpod"},
       .registered = FooIsQueued({kAssignedPodAdd})},
      {.name = "pod is enqueued to unschedulable pod pool because the failed plugin has a hint fn but it returns Skip",
       .initial = {1},
       .actions = {Popped{1}, Happens{kAssignedPodAdd}, Enqueued{1, {"fooPlugin1"}}},
       .unschedulable = {"targetpod"},
       .registered = {{kAssignedPodAdd, "fooPlugin1", Hint::kSkip}}},
      {.name = "pod is enqueued to activeQ because the Pending plugins has a hint fn and it returns Queue",
       .initial = {1},
       .actions = {Popped{1}, Happens{kAssignedPodAdd}, Enqueued{1, {"fooPlugin2", "fooPlugin3"}, {"fooPlugin1"}}},
       .active = {"targetpod"},
       .registered = {{kAssignedPodAdd, "fooPlugin3", Hint::kSkip},
                      {kAssignedPodAdd, "fooPlugin2", Hint::kQueue},
                      {kAssignedPodAdd, "fooPlugin1", Hint::kQueue}}},
      {.name = "pod is enqueued to backoffQ because the failed plugin has a hint fn and it returns Queue",
       .initial = {1},
       .actions = {Popped{1}, Happens{kAssignedPodAdd}, Enqueued{1, {"fooPlugin1", "fooPlugin2"}}},
       .backoff = {"targetpod"},
       .registered = {{kAssignedPodAdd, "fooPlugin2", Hint::kSkip}, {kAssignedPodAdd, "fooPlugin1", Hint::kQueue}}},
      {.name =
           "pod is enqueued to activeQ because the pending plugin has a hint fn and it returns Queue for a concurrent "
           "event "
           "that was received while some other pod was in flight",
       .initial = {1, 2},
       .actions = {Popped{1}, Happens{kNodeAdd}, Popped{2}, Happens{kAssignedPodAdd}, Enqueued{1},
                   Enqueued{2, {"fooPlugin2", "fooPlugin3"}, {"fooPlugin1"}}},
       .active = {"targetpod2"},
       .backoff = {"targetpod"},
       .registered = {{kAssignedPodAdd, "fooPlugin3", Hint::kSkip},
                      {kAssignedPodAdd, "fooPlugin2", Hint::kQueue},
                      {kAssignedPodAdd, "fooPlugin1", Hint::kQueue}}},
      {.name = "a later event is stronger than an earlier one",
       .initial = {1},
       .actions = {Popped{1}, Happens{kNodeAdd}, Happens{kPvAdd}, Enqueued{1, {"fooPlugin2"}, {"fooPlugin1"}}},
       .active = {"targetpod"},
       .registered = {{kNodeAdd, "fooPlugin2", Hint::kQueue}, {kPvAdd, "fooPlugin1", Hint::kQueue}}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    policy = FakePolicy();
    for (const Registered& r : c.registered) policy.Register(r.plugin, r.event, r.hint);
    Make();
    for (const int pod : c.initial) {
      queue_->Add(pods_[pod - 1]);
      clock.Advance(base::kSecond);
    }
    for (const Action& action : c.actions) Act(action);
    EXPECT_EQ(InFlight(), c.in_flight);
    EXPECT_EQ(NamesIn(Place::kActive), c.active);
    EXPECT_EQ(NamesIn(Place::kBackoff), c.backoff);
    EXPECT_EQ(NamesIn(Place::kUnschedulable), c.unschedulable);
    popped_.clear();
    queue_.reset();
  }
  Make();
}

TEST_F(InFlightPodsTest, PoppedPodPreservesUnschedulablePluginsAndPendingPlugins) {
  policy.Register("fooPlugin1", kPvAdd, Hint::kQueue);
  Make();
  AddAndFail(pods_[0], {"fooPlugin2"}, {"fooPlugin1"});
  Move(kPvAdd);
  QueuedPodPtr pod = queue_->Pop();
  EXPECT_EQ(pod->unschedulable_plugins, PluginSet{Id("fooPlugin2")});
  EXPECT_EQ(pod->pending_plugins, PluginSet{Id("fooPlugin1")});
}

TEST_F(InFlightPodsTest, PopIsMadeTwiceForTheSamePodButTheCleanupStillHappenCorrectly) {
  for (const api::ClusterEvent& event : {kPvAdd, kNodeAdd, kPvcAdd, kCsiNodeUpdate}) {
    policy.Register("fooPlugin1", event, Hint::kQueue);
  }
  Make();
  queue_->Add(pods_[0]);
  clock.Advance(1);
  queue_->Add(pods_[1]);
  clock.Advance(1);
  Act(Popped{1});
  Act(Happens{kPvAdd});
  Act(Popped{2});
  Act(Created{1});  // while it is in flight
  clock.Advance(1);
  Act(Created{3});
  Act(Popped{3});  // the second object of the first pod is dropped
  EXPECT_EQ(observer.discarded, 1);
  EXPECT_EQ(queue_->scheduling_cycle(), 3);
  EXPECT_EQ(NamesIn(Place::kActive), Names{});
  for (const Action& action : std::initializer_list<Action>{Happens{kNodeAdd}, Enqueued{1}, Happens{kCsiNodeUpdate},
                                                            Enqueued{2}, Enqueued{3}}) {
    Act(action);
  }
  EXPECT_EQ(InFlight(), Names{});
  EXPECT_EQ(NamesIn(Place::kBackoff).size(), 3u);
}

TEST_F(InFlightPodsTest, EventsOfNoInterestAreNotRecorded) {
  Make();
  queue_->Add(pods_[0]);
  const QueuedPodPtr pod = queue_->Pop();
  Move(kNodeAdd);
  EXPECT_EQ(InFlight(), Names{"targetpod"});
  EXPECT_FALSE(queue_->Interested(kNodeAdd));
  EXPECT_TRUE(queue_->Interested(kEventUnschedulableTimeout));
  policy.Register("fooPlugin1", kNodeAdd, Hint::kQueue);
  queue_->RebuildRegistrations();
  EXPECT_TRUE(queue_->Interested(kNodeAdd));
  Move(kNodeAdd);
  EXPECT_EQ(InFlight(), (Names{"targetpod", "NodeAdd"}));
  queue_->Close();
  EXPECT_EQ(InFlight(), Names{});
}

}  // namespace
}  // namespace berth::queue
