// Engine::FindRoom: which pods would have to leave a node so that a pod fits there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "world.h"

namespace berth::explain {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

engine::RoomOnNode Find(World& world, const std::string& pod, size_t most_nodes = 16) {
  return world.engine().FindRoom(*world.engine().PodByKey("default/" + pod), most_nodes);
}

TEST(FindRoom, TheFewestPodsOfAnyPriority) {
  World world;
  world.AddNode("a", "4");
  world.AddNode("b", "4");
  for (const char* pod : {"a-1", "a-2", "a-3", "a-4"}) world.AddPod(pod, "1", "nodeName: a");
  world.AddPod("b-large", "3", "priority: 1000, nodeName: b");
  world.AddPod("b-small", "1", "priority: 1000, nodeName: b");
  world.AddPod("web", "2");
  world.Run();
  const engine::RoomOnNode room = Find(world, "web");
  EXPECT_EQ(room.node, "b");
  EXPECT_THAT(room.pods, ElementsAre("default/b-large")) << "b-small comes back after b-large, and fits beside web";
}

TEST(FindRoom, PodsOfHighPriorityStayIfOthersCanLeave) {
  World world;
  world.AddNode("a", "4");
  world.AddPod("high", "2", "priority: 1000, nodeName: a");
  world.AddPod("low", "2", "priority: 5, nodeName: a");
  world.AddPod("web", "2", "preemptionPolicy: Never");
  world.Run();
  EXPECT_THAT(Find(world, "web").pods, ElementsAre("default/low"));
}

TEST(FindRoom, NothingWhereNoPodIsTheReason) {
  World world;
  world.AddNode("small", "1");
  world.AddNode("tainted", "8", "{taints: [{key: k, effect: NoSchedule}]}");
  world.AddPod("here", "500m", "nodeName: small");
  world.AddPod("there", "500m", "nodeName: tainted");
  world.AddPod("web", "2");
  world.Run();
  EXPECT_THAT(Find(world, "web").pods, IsEmpty());
}

TEST(FindRoom, NothingForAPodThatFits) {
  World world;
  world.AddNode("a", "4");
  world.AddPod("here", "1", "nodeName: a");
  world.AddPod("web", "1", "schedulingGates: [{name: wait}]");
  world.Run();
  EXPECT_THAT(Find(world, "web").pods, IsEmpty());
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
  EXPECT_THAT(Find(world, "web").pods, ElementsAre("default/enemy"));
}

TEST(FindRoom, LooksAtSomeNodesOnly) {
  World world;
  for (int i = 0; i < 8; ++i) {
    const std::string node = "n" + std::to_string(i);
    world.AddNode(node, "2");
    world.AddPod("first-" + std::to_string(i), i == 7 ? "2" : "1", "nodeName: " + node);
    if (i != 7) world.AddPod("second-" + std::to_string(i), "1", "nodeName: " + node);
  }
  world.AddPod("web", "2", "preemptionPolicy: Never");
  world.Run();
  EXPECT_THAT(Find(world, "web", 8).pods, ElementsAre("default/first-7"));
  EXPECT_EQ(Find(world, "web", 2).pods.size(), 2u);
}

}  // namespace
}  // namespace berth::explain
