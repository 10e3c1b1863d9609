// The scheduling cycle: the results of every extension point, with kube-scheduler's messages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "test_scheduler.h"

namespace berth::fixture {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Scheduling, BindsToTheOnlyNode) {
  TestScheduler rig;
  rig.AddNodes({"n1"});
  rig.AddPod("p1");
  rig.Run();
  EXPECT_THAT(rig.story.Lines(), ElementsAre("p1 Scheduled n1"));
  EXPECT_EQ(rig.intern.ids.Text(rig.cluster.FindPod("default/p1")->abi.node_name), "n1");
  EXPECT_EQ(rig.cluster.FindPod("default/p1")->scheduled_condition().status, "True");
}

TEST(Scheduling, TakesTheHighestWeightedTotal) {
  TestScheduler rig({{.plugins = {"A", "B"}, .weights = {1, 3}}});
  ScriptOf("A").score = [](Cycle&, const Pod&, sdk::Node node) { return node.row() == 0 ? 100 : 10; };
  ScriptOf("B").score = [](Cycle&, const Pod&, sdk::Node node) { return node.row() == 0 ? 0 : 40; };
  rig.AddNodes({"n1", "n2"});
  rig.AddPod("p1");
  rig.Run();
  ASSERT_THAT(rig.story.Lines(), ElementsAre("p1 Scheduled n2"));
  const auto& nodes = rig.story.entries[0].nodes;
  ASSERT_EQ(nodes.size(), 2u);
  EXPECT_EQ(nodes[0].total, 100);
  EXPECT_EQ(nodes[1].total, 10 + 3 * 40);
  EXPECT_EQ(rig.story.entries[0].ties, 1u);
}

TEST(Scheduling, TiesAreBrokenBySeedAndCounted) {
  std::set<std::string> chosen;
  for (uint64_t seed = 1; seed <= 32; ++seed) {
    simulation::SimulationOptions options = TestScheduler::DefaultOptions();
    options.engine.seed = seed;
    TestScheduler rig({{}}, options);
    rig.AddNodes({"n1", "n2", "n3"});
    rig.AddPod("p1");
    rig.Run();
    ASSERT_EQ(rig.story.entries.at(0).ties, 3u);
    chosen.insert(rig.story.entries[0].node);
  }
  EXPECT_EQ(chosen.size(), 3u);
}

TEST(Scheduling, NoNodes) {
  TestScheduler rig;
  rig.AddPod("p1");
  rig.Run();
  EXPECT_THAT(rig.story.Lines(), ElementsAre("p1 Unschedulable no nodes available to schedule pods"));
  EXPECT_EQ(rig.cluster.FindPod("default/p1")->scheduled_condition().message, "no nodes available to schedule pods");
}

TEST(Scheduling, FilterReasonsAreCountedAndSorted) {
  TestScheduler rig({{.plugins = {"A", "B"}}});
  ScriptOf("A").filter = [](Cycle& c, const Pod&, sdk::Node node, sdk::Verdict& verdict) {
    if (node.row() < 2) verdict = sdk::Verdict::Unschedulable(c.Reasons({"too small", "too old"}));
    return Status::Ok();
  };
  ScriptOf("B").filter = [](Cycle& c, const Pod&, sdk::Node, sdk::Verdict& verdict) {
    verdict = sdk::Verdict::Unresolvable(c.Reasons("wrong colour"));
    return Status::Ok();
  };
  rig.AddNodes({"n1", "n2", "n3"});
  rig.AddPod("p1");
  rig.Run();
  EXPECT_THAT(rig.story.Lines(),
              ElementsAre("p1 Unschedulable 0/3 nodes are available: 1 wrong colour, 2 too old, 2 too small."));
  const auto& nodes = rig.story.entries[0].nodes;
  ASSERT_EQ(nodes.size(), 3u);
  EXPECT_EQ(nodes[0].plugin, "A");
  EXPECT_THAT(nodes[0].reasons, ElementsAre("too small", "too old"));
  EXPECT_EQ(nodes[2].plugin, "B");
  EXPECT_EQ(nodes[2].verdict, plugin::Code::kUnresolvable);
  const auto pod = rig.cluster.FindPod("default/p1");
  EXPECT_EQ(pod->scheduled_condition().reason, "Unschedulable");
}

TEST(Scheduling, PreFilterRejects) {
  TestScheduler rig;
  ScriptOf("A").pre_filter = [](Cycle&, const Pod&, sdk::NameSet&) { return Status::Unresolvable("not today"); };
  rig.AddNodes({"n1", "n2"});
  rig.AddPod("p1");
  rig.Run();
  EXPECT_THAT(rig.story.Lines(), ElementsAre("p1 Unschedulable 0/2 nodes are available: not today."));
}

TEST(Scheduling, PreFilterRestrictsTheNodesAndSkipOmitsFilter) {
  TestScheduler rig({{.plugins = {"A", "B"}}});
  ScriptOf("A").pre_filter = [](Cycle&, const Pod&, sdk::NameSet& names) {
    names.Assign({HostOf("A").Intern("n2"), HostOf("A").Intern("nowhere")});
    return Status::Ok();
  };
  ScriptOf("B").pre_filter = [](Cycle&, const Pod&, sdk::NameSet&) { return Status::Skip(); };
  ScriptOf("B").filter = [](Cycle& c, const Pod&, sdk::Node, sdk::Verdict& verdict) {
    verdict = sdk::Verdict::Unschedulable(c.Reasons("must not be asked"));
    return Status::Ok();
  };
  rig.AddNodes({"n1", "n2", "n3"});
  rig.AddPod("p1");
  rig.Run();
  EXPECT_THAT(rig.story.Lines(), ElementsAre("p1 Scheduled n2"));
}

TEST(Scheduling, DisjointPreFilterResultsNameTheirPlugins) {
  TestScheduler rig({{.plugins = {"A", "B"}}});
  ScriptOf("A").pre_filter = [](Cycle&, const Pod&, sdk::NameSet& names) {
    return names.Assign({HostOf("A").Intern("n1")}), Status::Ok();
  };
  ScriptOf("B").pre_filter = [](Cycle&, const Pod&, sdk::NameSet& names) {
    return names.Assign({HostOf("B").Intern("n2")}), Status::Ok();
  };
  rig.AddNodes({"n1", "n2"});
  rig.AddPod("p1");
  rig.Run();
  EXPECT_THAT(rig.story.Lines(),
              ElementsAre("p1 Unschedulable 0/2 nodes are available: node(s) didn't satisfy plugin(s) "
                          "[A B] simultaneously."));
}

TEST(Scheduling, PreScoreSkipOmitsScore) {
  TestScheduler rig({{.plugins = {"A", "B"}}});
  ScriptOf("A").score = [](Cycle&, const Pod&, sdk::Node node) { return node.row() == 0 ? 9 : 5; };
  ScriptOf("B").pre_score = [](Cycle&, const Pod&, sdk::Rows) { return Status::Skip(); };
  ScriptOf("B").score = [](Cycle&, const Pod&, sdk::Node node) { return node.row() == 0 ? 0 : 50; };
  rig.AddNodes({"n1", "n2"});
  rig.AddPod("p1");
  rig.Run();
  EXPECT_THAT(rig.story.Lines(), ElementsAre("p1 Scheduled n1"));
  EXPECT_EQ(rig.story.entries[0].nodes[0].scores.size(), 1u);
}

// Source: hasScoring in findNodesThatPassFilters of pkg/scheduler/schedule_one.go.
TEST(Scheduling, AProfileWithoutScorePluginsTakesTheFirstFeasibleNodeWithoutPreScore) {
  TestScheduler rig({ProfilePlan{.scores = false}});
  int prepared = 0;
  ScriptOf("A").pre_score = [&](Cycle&, const Pod&, sdk::Rows) {
    ++prepared;
    return Status::Error("no data");
  };
  rig.AddNodes({"n1", "n2"});
  rig.AddPod("p1");
  rig.Run();
  EXPECT_EQ(prepared, 0);
  ASSERT_EQ(rig.story.entries.size(), 1u);
  EXPECT_EQ(rig.story.entries[0].ties, 1u);
  EXPECT_EQ(rig.story.entries[0].node, "n1");
}

TEST(Scheduling, OneFeasibleNodeIsNotScored) {
  TestScheduler rig;
  int scored = 0;
  ScriptOf("A").score = [&](Cycle&, const Pod&, sdk::Node) { return ++scored; };
  rig.AddNodes({"n1"});
  rig.AddPod("p1");
  rig.Run();
  EXPECT_EQ(scored, 0);
  EXPECT_THAT(rig.story.entries.at(0).nodes.at(0).scores, IsEmpty());
}

TEST(Scheduling, PostFilterNominatesAndItsMessageIsAppended) {
  TestScheduler rig;
  ScriptOf("A").filter = [](Cycle& c, const Pod&, sdk::Node, sdk::Verdict& verdict) {
    verdict = sdk::Verdict::Unschedulable(c.Reasons("full"));
    return Status::Ok();
  };
  ScriptOf("A").post_filter = [](Cycle& c, const Pod&, const sdk::Diagnosis& why, sdk::Nomination& out) {
    EXPECT_EQ(why.verdict(0).code, BERTH_UNSCHEDULABLE);
    out.Set(c.snap().View(0).name());
    return Status::Ok();
  };
  rig.AddNodes({"n1"});
  rig.AddPod("p1");
  rig.Run();
  EXPECT_THAT(rig.story.Lines(), ElementsAre("p1 Unschedulable 0/1 nodes are available: 1 full."));
  EXPECT_EQ(rig.story.entries[0].nominated_node, "n1");
  EXPECT_EQ(rig.intern.ids.Text(rig.cluster.FindPod("default/p1")->abi.nominated_node), "n1");
}

TEST(Scheduling, ReserveFailureUnreservesInReverseAndForgets) {
  TestScheduler rig({{.plugins = {"A", "B", "C"}}});
  std::vector<std::string> calls;
  for (const char* name : {"A", "B", "C"}) {
    ScriptOf(name).reserve = [&calls, name](Cycle&, const Pod&, Id) {
      calls.push_back(std::string("reserve ") + name);
      return name[0] == 'B' ? Status::Unschedulable("taken") : Status::Ok();
    };
    ScriptOf(name).unreserve = [&calls, name](Cycle&, const Pod&, Id) {
      calls.push_back(std::string("unreserve ") + name);
    };
  }
  rig.AddNodes({"n1"});
  rig.AddPod("p1");
  rig.Run();
  EXPECT_THAT(calls, ElementsAre("reserve A", "reserve B", "unreserve C", "unreserve B", "unreserve A"));
  EXPECT_THAT(rig.story.Lines(), ElementsAre("p1 Unschedulable 0/1 nodes are available: 1 taken."));
  EXPECT_FALSE(rig.simulation->engine().cache().IsAssumed("pod-p1"));
}

TEST(Scheduling, PreEnqueueGatesUntilAHintQueues) {
  TestScheduler rig;
  ScriptOf("A").interests = {{"Pod", BERTH_ACTION_UPDATE_POD_LABEL}};
  rig.simulation->SetProfiles(*BuildSet({{}}, rig.services, 2));
  bool open = false;
  ScriptOf("A").pre_enqueue = [&](Cycle&, const Pod&) {
    return open ? Status::Ok() : Status::Unresolvable("waiting for the door");
  };
  rig.AddNodes({"n1"});
  rig.AddPod("p1");
  rig.Run();
  EXPECT_THAT(rig.story.Lines(), ElementsAre("p1 Gated waiting for the door"));
  open = true;
  rig.AddPod("p1", "", R"("labels":{"a":"b"})");
  rig.Run();
  EXPECT_THAT(rig.story.Lines(), ElementsAre("p1 Gated waiting for the door", "p1 Scheduled n1"));
}

TEST(Scheduling, RejectedPodIsRetriedByARegisteredEvent) {
  simulation::SimulationOptions options = TestScheduler::DefaultOptions();
  ClearScripts();
  TestScheduler rig({{}}, options);
  ScriptOf("A").interests = {{"Node", BERTH_ACTION_ADD}};
  rig.simulation->SetProfiles(*BuildSet({{}}, rig.services, 2));
  int hints = 0;
  ScriptOf("A").hint = [&](Cycle&, const sdk::Event& event, const Pod&) {
    ++hints;
    return event.new_node() && HostOf("A").Text(event.new_node().name()) == "good";
  };
  ScriptOf("A").filter = [](Cycle& c, const Pod&, sdk::Node node, sdk::Verdict& verdict) {
    if (HostOf("A").Text(node.name()) != "good") verdict = sdk::Verdict::Unschedulable(c.Reasons("bad"));
    return Status::Ok();
  };
  rig.AddNodes({"bad1"});
  rig.AddPod("p1");
  rig.Run();
  rig.AddNodes({"bad2"});
  rig.Run();
  EXPECT_EQ(hints, 1);
  EXPECT_EQ(rig.story.Lines().size(), 1u) << "the hint said that bad2 does not help";
  rig.AddNodes({"good"});
  rig.Run();
  EXPECT_THAT(rig.story.Lines(), ElementsAre("p1 Unschedulable 0/1 nodes are available: 1 bad.", "p1 Scheduled good"));
}

TEST(Scheduling, UnservedSchedulerNameIsReported) {
  TestScheduler rig;
  rig.AddNodes({"n1"});
  rig.AddPod("p1", R"("schedulerName":"somebody-else")");
  rig.Run();
  EXPECT_THAT(rig.story.Lines(), ElementsAre("p1 Unserved no profile has schedulerName \"somebody-else\""));
}

TEST(Scheduling, NominatedPodsCountOnTheirNode) {
  TestScheduler rig;
  ScriptOf("A").filter = [](Cycle& c, const Pod& pod, sdk::Node node, sdk::Verdict& verdict) {
    if (pod.name() == "first") verdict = sdk::Verdict::Unschedulable(c.Reasons("not yet"));
    if (pod.name() != "first" && !node.pods().empty()) verdict = sdk::Verdict::Unschedulable(c.Reasons("occupied"));
    return Status::Ok();
  };
  ScriptOf("A").post_filter = [](Cycle& c, const Pod& pod, const sdk::Diagnosis&, sdk::Nomination& out) {
    if (pod.name() == "first") out.Set(c.snap().View(0).name());
    return Status(BERTH_UNSCHEDULABLE);
  };
  rig.AddNodes({"n1"});
  rig.AddPod("first", R"("priority":10)");
  rig.Run();
  rig.AddPod("lower", R"("priority":5)");
  rig.AddPod("higher", R"("priority":11)");
  rig.Run();
  EXPECT_THAT(rig.story.Lines(),
              ElementsAre("first Unschedulable 0/1 nodes are available: 1 not yet.",
                          "lower Unschedulable 0/1 nodes are available: 1 occupied.", "higher Scheduled n1"));
  EXPECT_EQ(rig.story.entries[0].nominated_node, "n1");
}

}  // namespace
}  // namespace berth::fixture
