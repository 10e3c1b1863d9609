// SuggestionSearch: which pods would have to leave a node so that a pod fits there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "world.h"

namespace berth::explain {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// The suggestion to delete pods; no deletes: there is none.
Suggestion Find(World& world, const std::string& pod) {
  Suggestion found;
  for (Suggestion& one : world.Suggest(pod)) {
    if (!one.deletes.empty()) found = std::move(one);
  }
  return found;
}

std::vector<std::string> PodsFor(World& world, const std::string& pod) { return Find(world, pod).deletes; }

TEST(FindRoom, TheFewestPodsOfAnyPriority) {
  World world;
  world.AddNode("a", "4");
  world.AddNode("b", "4");
  for (const char* pod : {"a-1", "a-2", "a-3", "a-4"}) world.AddPod(pod, "1", "nodeName: a");
  world.AddPod("b-large", "3", "priority: 1000, nodeName: b");
  world.AddPod("b-small", "1", "priority: 1000, nodeName: b");
  world.AddPod("web", "2");
  world.Run();
  const Suggestion room = Find(world, "web");
  EXPECT_EQ(room.node, "b");
  EXPECT_THAT(room.deletes, ElementsAre("default/b-large")) << "b-small comes back after b-large, and fits beside web";
}

TEST(FindRoom, PodsOfHighPriorityStayIfOthersCanLeave) {
  World world;
  world.AddNode("a", "4");
  world.AddPod("high", "2", "priority: 1000, nodeName: a");
  world.AddPod("low", "2", "priority: 5, nodeName: a");
  world.AddPod("web", "2", "preemptionPolicy: Never");
  world.Run();
  EXPECT_THAT(PodsFor(world, "web"), ElementsAre("default/low"));
}

TEST(FindRoom, NothingWhereNoPodIsTheReason) {
  World world;
  world.AddNode("small", "1");
  world.AddNode("tainted", "8", "{taints: [{key: k, effect: NoSchedule}]}");
  world.AddPod("here", "500m", "nodeName: small");
  world.AddPod("there", "500m", "nodeName: tainted");
  world.AddPod("web", "2");
  world.Run();
  EXPECT_THAT(PodsFor(world, "web"), IsEmpty());
}

TEST(FindRoom, NothingForAPodThatFits) {
  World world;
  world.AddNode("a", "4");
  world.AddPod("here", "1", "nodeName: a");
  world.AddPod("web", "1", "schedulingGates: [{name: wait}]");
  world.Run();
  EXPECT_THAT(PodsFor(world, "web"), IsEmpty());
}

// The trial calls the plugins for other rules than requests, too.
TEST(FindRoom, APodWithAnAntiAffinity) {
  World world;
  world.AddNode("a", "8", "{}", "{kubernetes.io/hostname: a}");
  world.AddPod("friend", "1", "nodeName: a");
  world.AddPod("enemy", "1",
               "nodeName: a, affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
               "[{topologyKey: kubernetes.io/hostname, labelSelector: {}}]}}");
  world.AddPod("web", "1");
  world.Run();
  EXPECT_THAT(PodsFor(world, "web"), ElementsAre("default/enemy"));
}

TEST(FindRoom, PodsThatComeBackOrLeaveAnywayAreNotNamed) {
  World world;
  world.AddNode("a", "4");
  world.AddPod("agent", "2", "nodeName: a",
               "ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: d, uid: u, controller: true}]");
  world.AddPod("other", "2", "nodeName: a");
  world.AddPod("small", "2");
  world.AddPod("large", "3");
  world.Run();
  EXPECT_THAT(PodsFor(world, "small"), ElementsAre("default/other"));
  EXPECT_THAT(PodsFor(world, "large"), IsEmpty());
}

TEST(FindRoom, LooksAtSomeNodesOnly) {
  World world;
  for (int i = 0; i < 20; ++i) {
    const std::string node = "n" + std::to_string(i);
    world.AddNode(node, "2");
    world.AddPod("first-" + std::to_string(i), "1", "nodeName: " + node);
    world.AddPod("second-" + std::to_string(i), "1", "nodeName: " + node);
  }
  world.AddPod("web", "2", "preemptionPolicy: Never");
  world.Run();
  EXPECT_EQ(world.engine().NodesForRoom(*world.engine().PodByKey("default/web"), 8).size(), 8u);
  EXPECT_EQ(PodsFor(world, "web").size(), 2u);
}

}  // namespace
}  // namespace berth::explain
