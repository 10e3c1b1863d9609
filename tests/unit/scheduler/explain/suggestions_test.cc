// Changes after which a pod would fit: each is true, none is offered that does not help.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/explain/facts.h"
#include "world.h"

namespace berth::explain {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kTainted = "{taints: [{key: dedicated, value: gpu, effect: NoSchedule}]}";

auto Change(const std::string& text, uint32_t nodes) {
  return AllOf(Field(&Suggestion::change, text), Field(&Suggestion::nodes, nodes));
}

TEST(Suggestions, LowerTheRequestToWhatTheClosestNodeHas) {
  World world;
  world.AddNode("a", "2");
  world.AddNode("b", "3");
  world.AddPod("web", "4");
  world.Run();
  EXPECT_THAT(world.Suggest("web"), ElementsAre(Change("lower its request for cpu from 4 to 3", 1)));
}

// Preemption makes room for a nominated pod, and Filter counts it.
TEST(Suggestions, LeaveRoomForANominatedPod) {
  World world;
  world.AddNode("a", "8");
  world.AddPod("nominated", "6", "nodeSelector: {disk: ssd}");
  world.Run();
  world.engine().queue().AddNominatedPod(
      world.engine().PodByKey("default/nominated"),
      {.mode = queue::NominatingMode::kOverride, .node = world.intern.ids.Find("a")});
  world.AddPod("web", "4");
  world.Run();
  EXPECT_THAT(world.Suggest("web"), ElementsAre(Change("lower its request for cpu from 4 to 2", 1)));
  EXPECT_THAT(world.Explain("web").summary, HasSubstr("1 lacks cpu (the closest, a, lacks 2)"));
}

TEST(Suggestions, TolerateATaint) {
  World world;
  world.AddNode("a", "8", kTainted);
  world.AddNode("b", "1");
  world.AddPod("web", "4");
  world.Run();
  EXPECT_THAT(world.Suggest("web"), ElementsAre(Change("lower its request for cpu from 4 to 1", 1),
                                                Change("tolerate the taint dedicated=gpu:NoSchedule", 1)));
}

TEST(Suggestions, ARareTaintMayBeTheOnlyOneInTheWay) {
  World world;
  for (const char* name : {"a", "b", "c"}) world.AddNode(name, "1", "{taints: [{key: common, effect: NoSchedule}]}");
  world.AddNode("d", "8", "{taints: [{key: rare, effect: NoSchedule}]}");
  world.AddPod("web", "4");
  world.Run();
  EXPECT_THAT(world.Suggest("web"), ElementsAre(Change("tolerate the taint rare:NoSchedule", 1)));
}

TEST(Suggestions, ATaintWithoutAValue) {
  World world;
  world.AddNode("a", "8", "{taints: [{key: maintenance, effect: NoExecute}]}");
  world.AddPod("web", "4");
  world.Run();
  EXPECT_THAT(world.Suggest("web"), ElementsAre(Change("tolerate the taint maintenance:NoExecute", 1)));
}

TEST(Suggestions, RemoveTheNodeSelector) {
  World world;
  world.AddNode("a", "8");
  world.AddPod("web", "4", "nodeSelector: {disk: ssd}");
  world.Run();
  EXPECT_THAT(world.Suggest("web"), ElementsAre(Change("remove its node selector and required node affinity", 1)));
}

TEST(Suggestions, RelaxTopologySpreadAndAntiAffinity) {
  World world;
  world.AddNode("a", "8", "{}", "{zone: z}");
  world.AddPod("one", "1",
               "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
               "[{topologyKey: zone, labelSelector: {matchLabels: {app: web}}}]}}");
  world.Run();
  world.AddPod("two", "1");
  world.AddPod("spread", "1",
               "topologySpreadConstraints: [{maxSkew: 1, topologyKey: absent, "
               "whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: web}}}]");
  world.Run();
  const auto found = world.Suggest("two");
  EXPECT_THAT(found, ElementsAre(Change("delete default/one from a", 1))) << "its anti-affinity is not that of two";
  EXPECT_THAT(found[0].deletes, ElementsAre("default/one"));
}

// The first rejection of a node hides the others: they show when it is gone.
TEST(Suggestions, CombineChangesIfNoneAloneHelps) {
  World world;
  world.AddNode("a", "3", kTainted, "{disk: hdd}");
  world.AddPod("web", "4", "nodeSelector: {disk: ssd}");
  world.Run();
  const std::vector<Suggestion> found = world.Suggest("web");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(found[0].change, AllOf(HasSubstr("tolerate the taint dedicated=gpu:NoSchedule"),
                                     HasSubstr("remove its node selector and required node affinity"),
                                     HasSubstr("lower its request for cpu from 4 to 3")));
}

TEST(Suggestions, NeverSuggestWhatDoesNotHelp) {
  World world;
  world.AddNode("a", "8", "{unschedulable: true}");
  world.AddPod("web", "4");
  world.Run();
  for (const Suggestion& one : world.Suggest("web")) EXPECT_GT(one.nodes, 0u) << one.change;
}

TEST(Suggestions, AnInitContainerThatNeedsAsMuchPreventsALowerRequest) {
  World world;
  world.AddNode("a", "2");
  world.AddPod("web", "4", "initContainers: [{name: i, image: i, resources: {requests: {cpu: '4'}}}]");
  world.Run();
  EXPECT_THAT(world.Suggest("web"), IsEmpty());
}

std::vector<std::string> Patches(World& world, const std::string& pod) {
  std::vector<std::string> patches;
  for (const Suggestion& one : world.Suggest(pod)) {
    if (one.deletes.empty()) patches.push_back(json::Dump(one.patch));
  }
  return patches;
}

TEST(Patches, AToleration) {
  World world;
  world.AddNode("a", "8", kTainted);
  world.AddPod("web", "4");
  world.Run();
  EXPECT_THAT(Patches(world, "web"),
              ElementsAre(R"([{"op":"add","path":"/spec/tolerations/-","value":{"key":"dedicated",)"
                          R"("effect":"NoSchedule","operator":"Equal","value":"gpu"}}])"))
      << "the pod has the tolerations that the API server adds";
}

TEST(Patches, EscapeTheNamesOfResources) {
  World world;
  world.AddManifest(
      "{apiVersion: v1, kind: Node, metadata: {name: a}, "
      "status: {allocatable: {cpu: '8', memory: 8Gi, pods: '10', example.com/gpu: '2'}}}");
  world.AddManifest(
      "{apiVersion: v1, kind: Pod, metadata: {name: gpu}, "
      "spec: {containers: [{name: c, image: i, resources: {limits: {example.com/gpu: '4'}}}]}}");
  world.Run();
  EXPECT_THAT(
      Patches(world, "gpu"),
      ElementsAre(R"([{"op":"replace","path":"/spec/containers/0/resources/requests/example.com~1gpu","value":"2"},)"
                  R"({"op":"replace","path":"/spec/containers/0/resources/limits/example.com~1gpu","value":"2"}])"));
}

TEST(Patches, RemoveOnlyTheSelectorThatThereIs) {
  World world;
  world.AddNode("a", "8");
  world.AddPod("web", "4", "nodeSelector: {disk: ssd}");
  world.Run();
  EXPECT_THAT(Patches(world, "web"), ElementsAre(R"([{"op":"remove","path":"/spec/nodeSelector"}])"));
}

constexpr const char* kHardConstraint =
    "topologySpreadConstraints: [{maxSkew: 1, topologyKey: absent, whenUnsatisfiable: DoNotSchedule, "
    "labelSelector: {matchLabels: {app: web}}";
const std::string kSoft = R"({"op":"replace","path":"/spec/topologySpreadConstraints/0/whenUnsatisfiable",)"
                          R"("value":"ScheduleAnyway"})";

// The API server refuses minDomains in a soft constraint, whatever its value.
TEST(Patches, RemoveMinDomainsOfASoftConstraint) {
  World world;
  world.AddNode("a", "8");
  world.AddPod("plain", "1", std::string(kHardConstraint) + "}]");
  world.AddPod("one", "1", std::string(kHardConstraint) + ", minDomains: 1}]");
  world.Run();
  EXPECT_THAT(Patches(world, "plain"), ElementsAre("[" + kSoft + "]"));
  EXPECT_THAT(Patches(world, "one"),
              ElementsAre("[" + kSoft + R"(,{"op":"remove","path":"/spec/topologySpreadConstraints/0/minDomains"}])"));
}

// The API server refuses two soft constraints with the same key.
TEST(Patches, RemoveAHardConstraintBesideASoftOne) {
  World world;
  world.AddNode("a", "8");
  world.AddPod("web", "1",
               std::string(kHardConstraint) +
                   "}, {maxSkew: 2, topologyKey: absent, whenUnsatisfiable: ScheduleAnyway, "
                   "labelSelector: {matchLabels: {app: web}}}]");
  world.Run();
  EXPECT_THAT(Patches(world, "web"), ElementsAre(R"([{"op":"remove","path":"/spec/topologySpreadConstraints/0"}])"));
}

// Other ports stay: a Service may name them.
TEST(Patches, RemoveHostPortsWhereTheyAre) {
  World world;
  world.AddNode("a", "8");
  world.AddPod(
      "holder", "1",
      "initContainers: [{name: s, image: i, restartPolicy: Always, ports: [{hostPort: 80, containerPort: 80}]}]");
  world.Run();
  world.AddPod("web", "1",
               "initContainers: [{name: i, image: i}, {name: s, image: i, restartPolicy: Always, "
               "ports: [{containerPort: 81}, {hostPort: 80, containerPort: 80}]}]");
  world.Run();
  EXPECT_THAT(world.Suggest("web"),
              ElementsAre(Change("use no host ports", 1), Change("delete default/holder from a", 1)));
  EXPECT_THAT(Patches(world, "web"),
              ElementsAre(R"([{"op":"remove","path":"/spec/initContainers/1/ports/1/hostPort"}])"));
}

// With the host network, the API server makes each port of a container a host port.
TEST(Patches, LeaveTheHostNetworkWithTheHostPorts) {
  World world;
  world.AddNode("a", "8");
  const std::string sidecar =
      "initContainers: [{name: s, image: i, restartPolicy: Always, ports: [{hostPort: 80, containerPort: 80}]}]";
  world.AddPod("holder", "1", sidecar);
  world.Run();
  world.AddPod("web", "1", "hostNetwork: true, " + sidecar);
  world.Run();
  EXPECT_THAT(world.Suggest("web"), ElementsAre(Change("use neither the host network nor host ports", 1),
                                                Change("delete default/holder from a", 1)));
  EXPECT_THAT(Patches(world, "web"),
              ElementsAre(R"([{"op":"replace","path":"/spec/hostNetwork","value":false},)"
                          R"({"op":"remove","path":"/spec/initContainers/0/ports/0/hostPort"}])"));
}

TEST(AmountText, IsWhatAManifestHas) {
  EXPECT_EQ(AmountText("cpu", 300), "300m");
  EXPECT_EQ(AmountText("cpu", 2000), "2");
  EXPECT_EQ(AmountText("memory", 0), "0");
  EXPECT_EQ(AmountText("memory", 1536 * 1024 * 1024LL), "1536Mi");
  EXPECT_EQ(AmountText("memory", 1000), "1000");
  EXPECT_EQ(AmountText("example.com/gpu", 3), "3");
}

}  // namespace
}  // namespace berth::explain
