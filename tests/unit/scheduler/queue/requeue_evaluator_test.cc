// Test_isPodWorthRequeuing of scheduling_queue_test.go, and the matching of events with registrations.
#include "scheduler/queue/requeue_evaluator.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fixture.h"

namespace berth::queue {
namespace {

struct Registered {
  std::string plugin;
  api::ClusterEvent event;
  Hint hint;
};
struct Case {
  const char* name;
  PluginSet unschedulable, pending;
  api::ClusterEvent event;
  EventObjects objects;
  Strategy want;
  size_t want_asked;  // hint functions executed
  std::vector<Registered> registered;
};

const api::ClusterEvent kNodeLabel{"Node", BERTH_ACTION_UPDATE_NODE_LABEL, {}};
const api::ClusterEvent kNodeUpdate{"Node", BERTH_ACTION_UPDATE, {}};
const api::ClusterEvent kAnyAdd{"*", BERTH_ACTION_ADD, {}};
const api::ClusterEvent kAny{"*", BERTH_ACTION_ALL, {}};

std::vector<Case> Cases() {
  const PluginSet one{Id("fooPlugin1")}, two{Id("fooPlugin1"), Id("fooPlugin2")};
  EventObjects same, other;
  same.new_pod = MakePod({.name = "pod1", .uid = "1"});
  other.new_pod = MakePod({.name = "pod-different", .ns = "ns2", .uid = "2"});
  return {
      {.name = "return Queue when no queueing hint function is registered for the event",
       .unschedulable = one,
       .event = kNodeAdd,
       .want = Strategy::kSkip,
       .want_asked = 0,
       .registered = {{"fooPlugin1", kAssignedPodAdd, Hint::kQueue}}},
      {.name = "Treat the event as Queue when QueueHintFn returns error",
       .unschedulable = one,
       .event = kNodeAdd,
       .want = Strategy::kAfterBackoff,
       .want_asked = 1,
       .registered = {{"fooPlugin1", kNodeAdd, Hint::kError}}},
      {.name = "return Queue when the event is wildcard",
       .unschedulable = one,
       .event = kEventUnschedulableTimeout,
       .want = Strategy::kAfterBackoff,
       .want_asked = 0},
      {.name = "return Queue when the wildcard targets the pod to be requeued right now",
       .unschedulable = one,
       .event = kEventForceActivate,
       .objects = same,
       .want = Strategy::kAfterBackoff,
       .want_asked = 0},
      {.name = "return Skip when the wildcard targets a different pod",
       .unschedulable = one,
       .event = kEventForceActivate,
       .objects = other,
       .want = Strategy::kSkip,
       .want_asked = 0},
      {.name = "interprets Queue from the Pending plugin as queueImmediately",
       .unschedulable = {Id("fooPlugin1"), Id("fooPlugin3")},
       .pending = {Id("fooPlugin2")},
       .event = kNodeAdd,
       .want = Strategy::kImmediately,
       .want_asked = 2,
       .registered = {{"fooPlugin1", kNodeAdd, Hint::kQueue},
                      {"fooPlugin2", kNodeAdd, Hint::kQueue},
                      {"fooPlugin3", kNodeAdd, Hint::kQueue},
                      {"fooPlugin4", kNodeAdd, Hint::kError}}},
      {.name = "interprets Queue from the Unschedulable plugin as queueAfterBackoff",
       .unschedulable = two,
       .event = kNodeAdd,
       .want = Strategy::kAfterBackoff,
       .want_asked = 2,
       .registered = {{"fooPlugin1", kNodeAdd, Hint::kSkip}, {"fooPlugin2", kNodeAdd, Hint::kQueue}}},
      {.name = "Queueing hint function that isn't from the plugin in UnschedulablePlugins/PendingPlugins is ignored",
       .unschedulable = two,
       .event = kNodeAdd,
       .want = Strategy::kSkip,
       .want_asked = 2,
       .registered = {{"fooPlugin1", kNodeAdd, Hint::kSkip},
                      {"fooPlugin2", kNodeAdd, Hint::kSkip},
                      {"fooPlugin3", kNodeAdd, Hint::kQueue}}},
      {.name = "If event is specific Node update event, queueing hint function for NodeUpdate/UpdateNodeLabel is also "
               "executed",
       .unschedulable = two,
       .event = kNodeLabel,
       .want = Strategy::kAfterBackoff,
       .want_asked = 1,
       .registered = {{"fooPlugin1", kNodeLabel, Hint::kQueue},
                      {"fooPlugin2", kNodeLabel, Hint::kQueue},
                      {"fooPlugin1", kNodeUpdate, Hint::kQueue},
                      {"fooPlugin1", kNodeAdd, Hint::kQueue}}},
      {.name = "If event with '*' Resource, queueing hint function for specified Resource is also executed",
       .unschedulable = one,
       .event = kNodeAdd,
       .want = Strategy::kAfterBackoff,
       .want_asked = 1,
       .registered = {{"fooPlugin1", kAnyAdd, Hint::kQueue}}},
      {.name = "If event is a wildcard one, queueing hint function for all kinds of events is executed",
       .unschedulable = one,
       .event = {"Node", BERTH_ACTION_UPDATE_NODE_LABEL | BERTH_ACTION_UPDATE_NODE_TAINT, {}},
       .want = Strategy::kAfterBackoff,
       .want_asked = 1,
       .registered = {{"fooPlugin1", kAny, Hint::kQueue}}},
      {.name = "no rejector plugin",
       .event = kNodeAdd,
       .want = Strategy::kAfterBackoff,
       .want_asked = 0,
       .registered = {{"fooPlugin1", kNodeAdd, Hint::kSkip}}},
      {.name = "a registration without hint",
       .unschedulable = one,
       .event = kNodeAdd,
       .want = Strategy::kAfterBackoff,
       .want_asked = 0,
       .registered = {{"fooPlugin1", kNodeAdd, Hint::kNone}}},
      {.name = "a later hint wins over an earlier Queue only if it is pending",
       .unschedulable = {Id("fooPlugin1")},
       .pending = {Id("fooPlugin2")},
       .event = kNodeAdd,
       .want = Strategy::kAfterBackoff,
       .want_asked = 2,
       .registered = {{"fooPlugin1", kNodeAdd, Hint::kQueue}, {"fooPlugin2", kNodeAdd, Hint::kSkip}}},
      {.name = "a generic update needs a registration of every update bit",
       .unschedulable = one,
       .event = kNodeUpdate,
       .want = Strategy::kSkip,
       .want_asked = 0,
       .registered = {{"fooPlugin1",
                       {"Node", BERTH_ACTION_UPDATE_NODE_LABEL | BERTH_ACTION_UPDATE_NODE_TAINT, {}},
                       Hint::kQueue}}},
      {.name = "All includes a generic update",
       .unschedulable = one,
       .event = kNodeUpdate,
       .want = Strategy::kAfterBackoff,
       .want_asked = 1,
       .registered = {{"fooPlugin1", {"Node", BERTH_ACTION_ALL, {}}, Hint::kQueue}}},
      {.name = "numbers are compared, not masks",
       .unschedulable = one,
       .event = {"Node", BERTH_ACTION_ADD | BERTH_ACTION_UPDATE_NODE_LABEL, {}},
       .want = Strategy::kAfterBackoff,
       .want_asked = 1,
       .registered = {{"fooPlugin1",
                       {"Node", BERTH_ACTION_UPDATE_NODE_LABEL | BERTH_ACTION_DELETE, {}},
                       Hint::kQueue}}},
      {.name = "Pod means unscheduled pods too",
       .unschedulable = one,
       .event = kUnscheduledPodUpdateEvent,
       .want = Strategy::kAfterBackoff,
       .want_asked = 1,
       .registered = {{"fooPlugin1", {"Pod", BERTH_ACTION_UPDATE, {}}, Hint::kQueue}}},
      {.name = "another resource",
       .unschedulable = one,
       .event = kNodeAdd,
       .want = Strategy::kSkip,
       .want_asked = 0,
       .registered = {{"fooPlugin1", kPvAdd, Hint::kQueue}}},
  };
}

TEST(RequeueEvaluator, isPodWorthRequeuing) {
  for (const Case& c : Cases()) {
    FakePolicy policy;
    for (const Registered& r : c.registered) policy.Register(r.plugin, r.event, r.hint);
    RequeueEvaluator evaluator(policy);
    PodPool pool;
    QueuedPodPtr pod = pool.Make(MakePod({.name = "pod1", .uid = "1"}), kStart);
    pod->unschedulable_plugins = c.unschedulable;
    pod->pending_plugins = c.pending;
    EXPECT_EQ(evaluator.Evaluate(*pod, c.event, c.objects).strategy, c.want) << c.name;
    EXPECT_EQ(policy.hinted_pods, c.want_asked) << c.name;
  }
}

TEST(RequeueEvaluator, ParkedPodsAreJudgedAlike) {
  for (const Case& c : Cases()) {
    if (c.unschedulable.empty() && c.pending.empty()) continue;  // never parked
    FakePolicy policy;
    for (const Registered& r : c.registered) policy.Register(r.plugin, r.event, r.hint);
    RequeueEvaluator evaluator(policy);
    PodPool pool;
    ParkedPods parked;
    QueuedPodPtr pod = pool.Make(MakePod({.name = "pod1", .uid = "1"}), kStart);
    pod->unschedulable_plugins = c.unschedulable;
    pod->pending_plugins = c.pending;
    parked.Add(*pod);
    const auto movable = evaluator.EvaluateParked(parked, c.event, c.objects, {});
    EXPECT_EQ(movable.empty() ? Strategy::kSkip : movable.front().strategy, c.want) << c.name;
    EXPECT_EQ(policy.hinted_pods, c.want_asked) << c.name;
    parked.Remove(*pod);
  }
}

TEST(RequeueEvaluator, AnEventAsksEachPluginOnceForAllPods) {
  FakePolicy policy;
  policy.AddProfile("second");
  policy.Register("a", kNodeAdd, Hint::kQueue);
  policy.Register("b", kNodeAdd, Hint::kSkip);
  policy.Register("a", kNodeAdd, Hint::kSkip, "second");
  RequeueEvaluator evaluator(policy);
  PodPool pool;
  ParkedPods parked;
  std::vector<QueuedPodPtr> pods;
  for (int i = 0; i < 30; ++i) {
    const bool second = i % 3 == 0;
    pods.push_back(pool.Make(
        MakePod({.name = "p" + std::to_string(i), .profile = second ? "second" : std::string(kProfile)}), kStart));
    pods.back()->unschedulable_plugins = {Id(i % 3 == 1 ? "b" : "a"), Id("c")};
    parked.Add(*pods.back());
  }
  int filtered = 0;
  const auto movable = evaluator.EvaluateParked(parked, kNodeAdd, {}, [&](const QueuedPod& pod) {
    ++filtered;
    return pod.pod->name() != "p2";
  });
  ASSERT_EQ(movable.size(), 9u);  // i % 3 == 2 without p2, in order of parking
  for (size_t i = 0; i < 9; ++i) EXPECT_EQ(movable[i].pod, pods[3 * i + 5].get());
  EXPECT_EQ(policy.hint_calls, 3u);
  EXPECT_EQ(policy.hinted_pods, 29u);
  EXPECT_EQ(filtered, 30);
  for (QueuedPodPtr& pod : pods) parked.Remove(*pod);
}

TEST(RequeueEvaluator, PodsOfARemovedProfileAreRequeued) {
  FakePolicy policy;
  policy.AddProfile("second");
  policy.Register("a", kNodeAdd, Hint::kSkip);
  policy.Register("a", kNodeAdd, Hint::kSkip, "second");
  RequeueEvaluator evaluator(policy);
  PodPool pool;
  ParkedPods parked;
  QueuedPodPtr pod = pool.Make(MakePod({.name = "p", .profile = "second"}), kStart);
  pod->unschedulable_plugins = {Id("a")};
  parked.Add(*pod);
  EXPECT_TRUE(evaluator.EvaluateParked(parked, kNodeAdd, {}, {}).empty());
  policy.RemoveProfile("second");
  evaluator.Rebuild();
  EXPECT_EQ(evaluator.EvaluateParked(parked, kNodeAdd, {}, {}).size(), 1u);
  EXPECT_EQ(evaluator.Evaluate(*pod, kNodeAdd, {}).strategy, Strategy::kAfterBackoff);
  parked.Remove(*pod);
}

TEST(RequeueEvaluator, RemembersABoundedNumberOfAnswers) {
  FakePolicy policy;
  policy.Register("a", {"*", BERTH_ACTION_ADD, {}}, Hint::kQueue);
  RequeueEvaluator evaluator(policy);
  for (int i = 0; i < 1000; ++i) {
    const std::string resource = "kind" + std::to_string(i) + ".v1.example.com";
    EXPECT_TRUE(evaluator.Interested({resource, BERTH_ACTION_ADD, {}}));
    EXPECT_FALSE(evaluator.Interested({resource, BERTH_ACTION_DELETE, {}}));
  }
}

}  // namespace
}  // namespace berth::queue
