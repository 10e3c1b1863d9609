// What the explanation of a pod says, with the real plugin libraries.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "world.h"

namespace berth::explain {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::Field;
using testing::HasSubstr;
using testing::StartsWith;

// Twenty small nodes, nine large ones with a taint, and a cordoned one.
void AddNodes(World& world) {
  for (int i = 0; i < 20; ++i) world.AddNode("small-" + std::to_string(i), "2");
  for (int i = 0; i < 9; ++i) {
    world.AddNode("large-" + std::to_string(i), "8", "{taints: [{key: dedicated, value: gpu, effect: NoSchedule}]}");
  }
  world.AddNode("cordoned", "8", "{unschedulable: true}");
}

TEST(ExplainPod, NamesEveryCauseWithItsNodes) {
  World world;
  AddNodes(world);
  world.AddPod("web", "2500m");
  world.Run();
  const Explanation why = world.Explain("web");
  EXPECT_EQ(why.state, State::kPending);
  EXPECT_EQ(why.n_nodes, 30u);
  EXPECT_EQ(why.n_fitting, 0u);
  EXPECT_THAT(why.summary,
              AllOf(StartsWith("0 of 30 nodes fit: 20 lack cpu (the closest, small-0, lacks 500m); 9 have a "
                               "taint that the pod does not tolerate (dedicated=gpu:NoSchedule); 1 is "
                               "cordoned. It is tried again when an event can change the answer of "),
                    HasSubstr(", or "), EndsWith(", and after 5 minutes (the default) at the latest.")));
  EXPECT_THAT(why.groups, ElementsAre(AllOf(Field(&Group::plugin, "NodeResourcesFit"), Field(&Group::nodes, 20u)),
                                      AllOf(Field(&Group::plugin, "TaintToleration"), Field(&Group::nodes, 9u)),
                                      AllOf(Field(&Group::plugin, "NodeUnschedulable"), Field(&Group::nodes, 1u))));
  EXPECT_EQ(why.queue.where, "unschedulable");
  EXPECT_EQ(why.queue.attempts, 1u);
  ASSERT_NE(why.decision, nullptr);
  EXPECT_EQ(why.decision->result, decisions::Result::kUnschedulable);
}

TEST(ExplainPod, TheClosestNodeIsTheOneThatLacksTheLeast) {
  World world;
  world.AddNode("a", "2");
  world.AddNode("b", "3");
  world.AddNode("c", "1");
  world.AddPod("filler", "1500m", "nodeSelector: {kubernetes.io/hostname: b}");
  world.AddPod("web", "4");
  world.Run();
  EXPECT_THAT(world.Explain("web").summary,
              HasSubstr("3 lack cpu (the closest, b, lacks 1). It is tried again when an event can change the answer "
                        "of NodeResourcesFit, and after 5 minutes"))
      << "filler has no node";
}

TEST(ExplainPod, AnswersForOneNode) {
  World world;
  AddNodes(world);
  world.AddPod("web", "2500m");
  world.Run();
  const NodeAnswer small = world.Explain("web", "small-3").on_node;
  EXPECT_TRUE(small.examined);
  EXPECT_FALSE(small.fits);
  EXPECT_EQ(small.plugin, "NodeResourcesFit");
  EXPECT_THAT(small.reasons, ElementsAre("Insufficient cpu"));
  EXPECT_FALSE(world.Explain("web", "no-such-node").on_node.examined);
}

TEST(ExplainPod, SaysThatAPodFitsNow) {
  World world;
  world.AddNode("a", "2");
  world.AddPod("web", "4");
  world.Run();
  world.engine().cache().SetNode(  // without an event, so that the queue does not try the pod again
      *api::DecodeNode(world.intern, R"({"metadata":{"name":"b"},"status":{"allocatable":{"cpu":"8","pods":"9"}}})"));
  const Explanation why = world.Explain("web");
  EXPECT_EQ(why.n_fitting, 1u);
  EXPECT_THAT(why.summary, StartsWith("It fits on 1 of 2 nodes now."));
}

TEST(ExplainPod, SaysWhyAPodIsOnItsNode) {
  World world;
  world.AddNode("a", "8");
  world.AddNode("b", "2");
  world.AddPod("web", "1");
  world.Run();
  const Explanation why = world.Explain("web");
  EXPECT_EQ(why.state, State::kScheduled);
  EXPECT_EQ(why.node, "a");
  EXPECT_THAT(why.summary, AllOf(StartsWith("It is on a. The pod fits on 2 nodes of 2. Its total of "),
                                 HasSubstr(" is the highest. Next is b with "), HasSubstr("NodeResourcesFit")));
}

TEST(ExplainPod, ANodeThatIsTheOnlyOneSaysSo) {
  World world;
  world.AddNode("a", "8");
  world.AddNode("b", "1");
  world.AddPod("web", "4");
  world.Run();
  EXPECT_EQ(world.Explain("web").summary,
            "It is on a. It was the only one that fits of the 2 nodes that were examined.");
}

// NodeAffinity narrows the nodes, and then PodTopologySpread fails: no plugin has looked at any node.
TEST(ExplainPod, APodThatMakesAPluginFailHasNoTable) {
  World world;
  world.AddNode("a", "8");
  world.AddPod(
      "web", "1",
      "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: "
      "[{matchFields: [{key: metadata.name, operator: In, values: [a]}]}]}}}, "
      "topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: "
      "{matchExpressions: [{key: app, operator: In, values: ['no label value!']}]}}]");
  world.Run();
  const Explanation why = world.Explain("web");
  EXPECT_THAT(why.summary, HasSubstr("The evaluation failed: ")) << why.summary;
  EXPECT_THAT(why.groups, ElementsAre());
  ASSERT_NE(why.decision, nullptr);
  EXPECT_EQ(why.decision->result, decisions::Result::kError);
  EXPECT_EQ(why.decision->nodes, nullptr);
}

TEST(ExplainPod, APendingPodKeepsItsTable) {
  World world;
  world.AddNode("a", "2");
  world.AddPod("web", "4");
  world.Run();
  const uint64_t id = world.Explain("web").decision_with_nodes;
  ASSERT_NE(id, 0u);
  decisions::Ring& ring = world.engine().decisions().ring();
  for (size_t i = 0; i < 2 * ring.limits().decisions; ++i) ring.Add({}, {.pod = "p"}, {});
  EXPECT_EQ(ring.Find(id), nullptr);
  EXPECT_EQ(world.Explain("web").decision_with_nodes, id);
  const auto kept = FindDecision(world.engine(), id);
  ASSERT_NE(kept, nullptr);
  EXPECT_NE(kept->nodes, nullptr);
}

TEST(ExplainPod, KnowsGatedAndForeignPods) {
  World world;
  world.AddNode("a", "8");
  world.AddPod("gated", "1", "schedulingGates: [{name: example.com/quota}]");
  world.AddPod("foreign", "1", "schedulerName: other");
  world.Run();
  EXPECT_EQ(world.Explain("gated").state, State::kGated);
  EXPECT_THAT(world.Explain("gated").summary, HasSubstr("example.com/quota"));
  EXPECT_EQ(world.Explain("foreign").state, State::kForeign);
  EXPECT_THAT(world.Explain("foreign").summary, HasSubstr("\"other\""));
  EXPECT_EQ(ExplainPod(world.engine(), world.intern, 0, "default/none"), std::nullopt);
}

TEST(ExplainPod, PreFilterRejectionsConcernEveryNode) {
  World world;
  world.AddNode("a", "8");
  world.AddNode("b", "8");
  world.AddPod("web", "1", "volumes: [{name: v, persistentVolumeClaim: {claimName: missing}}]");
  world.Run();
  const Explanation why = world.Explain("web");
  ASSERT_EQ(why.groups.size(), 1u);
  EXPECT_EQ(why.groups[0].nodes, 2u);
  EXPECT_THAT(why.groups[0].reason, HasSubstr("missing"));
}

TEST(ExplainPod, AnEvaluationChangesNothing) {
  World world;
  AddNodes(world);
  world.AddPod("web", "2500m");
  world.AddPod("other", "1");
  world.Run();
  const uint64_t decisions = world.engine().decisions().ring().last_id();
  for (int i = 0; i < 3; ++i) world.Explain("web");
  world.Suggest("web");
  EXPECT_EQ(world.engine().decisions().ring().last_id(), decisions);
  EXPECT_THAT(world.engine().CheckConsistency(), ElementsAre());
  EXPECT_EQ(world.Explain("web").queue.attempts, 1u);
}

}  // namespace
}  // namespace berth::explain
