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
  EXPECT_THAT(world.Suggest("two"), IsEmpty()) << "the other pod's anti-affinity cannot be removed from this one";
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
