// The note of the Event FailedScheduling with the details.
#include "scheduler/explain/failure_details.h"

#include <gtest/gtest.h>

#include <string>

#include "world.h"

namespace berth::explain {
namespace {

struct Case {
  const char* name;
  const char* cpu;
  const char* spec;     // of the pod
  const char* details;  // after kube-scheduler's message; "": nothing
};

class DetailedNote : public testing::TestWithParam<Case> {};

std::string ConditionOf(World& world, const std::string& pod) {
  return world.engine().PodByKey("default/" + pod)->scheduled_condition().message;
}

TEST_P(DetailedNote, FollowsTheMessage) {
  FailureDetails details;
  World world(&details);
  world.AddNode("n1", "2");
  world.AddNode("n2", "3", "{}", "{disk: hdd}");
  world.AddNode("n3", "8", "{taints: [{key: dedicated, value: gpu, effect: NoSchedule}]}");
  world.AddNode("n4", "8", "{taints: [{key: dedicated, value: gpu, effect: NoSchedule}]}");
  world.AddNode("n5", "8", "{taints: [{key: dedicated, value: db, effect: NoExecute}]}");
  world.AddPod("web", GetParam().cpu, GetParam().spec);
  world.Run();
  const std::string message = ConditionOf(world, "web"), more = GetParam().details;
  ASSERT_TRUE(message.starts_with("0/5 nodes are available: ")) << message;
  EXPECT_EQ(world.NoteAbout("web"), message + (more.empty() ? "" : " " + more));
}

INSTANTIATE_TEST_SUITE_P(
    Details, DetailedNote,
    testing::Values(
        Case{
            "Lack", "3300m", "",
            "Closest: n2 lacks 300m cpu. Taints: dedicated=gpu:NoSchedule (2 nodes), dedicated=db:NoExecute (1 node)."},
        Case{"Selector", "1", "tolerations: [{operator: Exists}], nodeSelector: {disk: ssd}",
             "NodeAffinity: disk=ssd."},
        Case{"TwoResources", "9", "tolerations: [{operator: Exists}], overhead: {memory: 9Gi}",
             "Closest: n3 lacks 1 cpu, n1 lacks 1Gi memory."},
        Case{"NothingMore", "1",
             "tolerations: [{operator: Exists}], topologySpreadConstraints: [{maxSkew: 1, topologyKey: rack, "
             "whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: web}}}]",
             ""}),
    [](const auto& info) { return info.param.name; });

TEST(DetailedNote, MoreThanThreeTaintsAreCounted) {
  FailureDetails details;
  World world(&details);
  for (const char* team : {"a", "b", "c", "d", "e"}) {
    world.AddNode(team, "8", std::string("{taints: [{key: team, value: ") + team + ", effect: NoSchedule}]}");
  }
  world.AddPod("web", "1");
  world.Run();
  EXPECT_TRUE(world.NoteAbout("web").ends_with(
      " Taints: team=a:NoSchedule (1 node), team=b:NoSchedule (1 node), team=c:NoSchedule (1 node), and 2 more."))
      << world.NoteAbout("web");
}

TEST(DetailedNote, IsOffByDefault) {
  World world;
  world.AddNode("n1", "2");
  world.AddPod("web", "3");
  world.Run();
  EXPECT_EQ(world.NoteAbout("web"), ConditionOf(world, "web"));
}

}  // namespace
}  // namespace berth::explain
