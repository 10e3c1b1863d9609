// HTTP extenders in the scheduling cycle and the binding cycle: which calls they get, and what their replies do.
// Source: findNodesThatPassExtenders, prioritizeNodes, extendersBinding of pkg/scheduler/schedule_one.go.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <barrier>

#include "fake_extender.h"
#include "test_scheduler.h"

namespace berth::fixture {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

using FakeRef = std::shared_ptr<FakeExtender>;

class Extenders : public testing::Test {
 protected:
  void SetUp() override { rig_.AddNodes({"a", "b", "c"}); }
  FakeRef Add(FakeExtender::Plan plan) {
    auto made = std::make_shared<FakeExtender>(std::move(plan), rig_.intern);
    extenders_.push_back(made);
    return made;
  }
  void Use() {
    auto set = BuildSet({{.has_extenders = true}}, rig_.services);
    ASSERT_TRUE(set) << set.error().message;
    (*set)->extenders = extenders_;
    rig_.simulation->SetProfiles(*set);
  }
  void Schedule(const std::string& spec = "") {
    Use();
    rig_.AddPod("p", spec);
    rig_.Run();
  }
  std::string Line() const { return rig_.story.Lines().back(); }
  const cycle::NodeRecord& Node(const std::string& name) const {
    for (const cycle::NodeRecord& node : rig_.story.entries.back().nodes) {
      if (node.name == name) return node;
    }
    throw std::out_of_range(name);
  }

  TestScheduler rig_;
  framework::ExtenderList extenders_;
};

// ---- filter

TEST_F(Extenders, FilterTheNodesThatPluginsLetPass) {
  ScriptOf("A").filter = [](Cycle& c, const Pod&, sdk::Node node, sdk::Verdict& verdict) {
    if (c.host().Text(node.name()) == "a") verdict = sdk::Verdict::Unschedulable(c.Reasons("no"));
    return Status::Ok();
  };
  const FakeRef one = Add({.name = "one", .filter = Passes({"b"}, "not here")});
  Schedule();
  EXPECT_THAT(one->Asked(), ElementsAre("filter b c"));
  EXPECT_EQ(Line(), "p Scheduled b");
  EXPECT_EQ(Node("c").plugin, "one");
  EXPECT_THAT(Node("c").reasons, ElementsAre("not here"));
  EXPECT_EQ(Node("a").plugin, "A");
}

TEST_F(Extenders, EachGetsTheNodesThatThePreviousOneLeft) {
  const FakeRef one = Add({.name = "one", .filter = Passes({"a", "b"})});
  const FakeRef two = Add({.name = "two", .filter = Passes({"b", "c"})});
  const FakeRef no_verb =
      Add({.name = "three", .prioritize = [](const Names&) { return framework::ExtenderPriorities{}; }});
  Schedule();
  EXPECT_THAT(one->Asked(), ElementsAre("filter a b c"));
  EXPECT_THAT(two->Asked(), ElementsAre("filter a b"));
  EXPECT_THAT(no_verb->Asked(), IsEmpty()) << "one node needs no score";
  EXPECT_EQ(Line(), "p Scheduled b");
}

TEST_F(Extenders, RejectionsAppearInTheMessage) {
  Add({.name = "one", .filter = Passes({"b"}, "not here")});
  const FakeRef two = Add({.name = "two", .filter = Passes({}, "nor there", true)});
  const FakeRef last = Add({.name = "three", .filter = Passes({})});
  Schedule();
  EXPECT_EQ(Line(), "p Unschedulable 0/3 nodes are available: 1 nor there, 2 not here.");
  EXPECT_THAT(two->Asked(), Each("filter b"));
  EXPECT_THAT(last->Asked(), IsEmpty()) << "nothing is left to ask about";
  EXPECT_EQ(Node("a").verdict, plugin::Code::kUnschedulable);
  EXPECT_EQ(Node("b").verdict, plugin::Code::kUnresolvable);
}

TEST_F(Extenders, ANodeDroppedWithoutAMessageHasNoReason) {
  Add({.name = "one", .filter = Passes({})});
  Schedule();
  EXPECT_EQ(Line(), "p Unschedulable 0/3 nodes are available:");
  EXPECT_EQ(Node("a").verdict, plugin::Code::kUnresolvable);
  EXPECT_EQ(Node("a").plugin, "one");
}

TEST_F(Extenders, TheirMessageReplacesThatOfAPlugin) {
  ScriptOf("A").filter = [](Cycle& c, const Pod&, sdk::Node node, sdk::Verdict& verdict) {
    if (c.host().Text(node.name()) == "a") verdict = sdk::Verdict::Unschedulable(c.Reasons("full"));
    return Status::Ok();
  };
  Add({.name = "one", .filter = [](const Names&) -> base::Result<framework::ExtenderFilterResult> {
         return framework::ExtenderFilterResult{
             {}, {{"a", "mine", true}, {"b", "mine", false}, {"nowhere", "foreign", false}}};
       }});
  Schedule();
  EXPECT_EQ(Line(), "p Unschedulable 0/3 nodes are available: 1 foreign, 2 mine.");
  EXPECT_EQ(Node("a").verdict, plugin::Code::kUnresolvable);
}

TEST_F(Extenders, PostFilterSeesTheirVerdicts) {
  std::map<std::string, int32_t> seen;
  ScriptOf("A").post_filter = [&](Cycle& c, const Pod&, const sdk::Diagnosis& why, sdk::Nomination&) {
    for (const uint32_t row : c.snap().order()) {
      seen[std::string(c.host().Text(c.snap().At(row).name()))] = why.verdict(row).code;
    }
    return Status(BERTH_UNSCHEDULABLE);
  };
  Add({.name = "one", .filter = [](const Names&) -> base::Result<framework::ExtenderFilterResult> {
         return framework::ExtenderFilterResult{{}, {{"a", "x", true}, {"b", "x", false}}};
       }});
  Schedule();
  EXPECT_THAT(seen,
              ElementsAre(Pair("a", BERTH_UNRESOLVABLE), Pair("b", BERTH_UNSCHEDULABLE), Pair("c", BERTH_SUCCESS)))
      << "c has no verdict of its own, so that the absent one counts";
}

TEST_F(Extenders, AFailureFailsTheAttempt) {
  Add({.name = "one",
       .filter = [](const Names&) -> base::Result<framework::ExtenderFilterResult> { return base::Fail("broken"); }});
  Schedule();
  EXPECT_EQ(Line(), "p Error broken");
  EXPECT_EQ(rig_.cluster.FindPod("default/p")->scheduled_condition().reason, "SchedulerError");
}

TEST_F(Extenders, AnIgnorableFailureIsIgnored) {
  Add({.name = "one", .ignorable = true, .filter = [](const Names&) -> base::Result<framework::ExtenderFilterResult> {
         return base::Fail("broken");
       }});
  Add({.name = "two", .filter = Passes({"c"})});
  Schedule();
  EXPECT_EQ(Line(), "p Scheduled c");
}

TEST_F(Extenders, OnlyThoseThatManageItsResourcesAreCalled) {
  const FakeRef one = Add({.name = "one", .managed = {"example.com/gpu"}, .filter = Passes({})});
  Schedule();
  EXPECT_THAT(one->Asked(), IsEmpty());
  EXPECT_TRUE(Line().starts_with("p Scheduled"));
  rig_.AddPod("q", R"("initContainers":[{"name":"i","resources":{"limits":{"example.com/gpu":"0"}}}])");
  rig_.Run();
  EXPECT_THAT(one->Asked(), Contains("filter a b c"));
}

// An extender has no event hints, so every event moves a pod that it rejected, as in kube-scheduler: even the update of
// the pod's own condition.
TEST_F(Extenders, AnyEventMovesAPodThatTheyRejected) {
  const FakeRef one = Add({.name = "one", .filter = Passes({}, "no")});
  Schedule();
  ASSERT_EQ(rig_.story.entries.size(), 2u) << "the second changes nothing";
  rig_.cluster.SetNode(MakeNode(rig_.intern, "a", "", R"("labels":{"x":"y"})"));
  rig_.Run();
  EXPECT_EQ(rig_.story.entries.size(), 3u) << "a label of a node";
  rig_.cluster.RemoveNode("c");
  rig_.Run();
  EXPECT_EQ(rig_.story.entries.size(), 5u) << "a node that went, and a message that changed";
}

TEST_F(Extenders, OtherEventsDoNotMoveAPodThatOnlyPluginsRejected) {
  ScriptOf("A").filter = [](Cycle& c, const Pod&, sdk::Node, sdk::Verdict& verdict) {
    verdict = sdk::Verdict::Unschedulable(c.Reasons("no"));
    return Status::Ok();
  };
  Add({.name = "one", .filter = Passes({}, "no")});
  Schedule();
  rig_.cluster.RemoveNode("c");
  rig_.Run();
  EXPECT_EQ(rig_.story.entries.size(), 1u);
}

TEST_F(Extenders, TheNominatedNodeIsTriedAlone) {
  const FakeRef one = Add({.name = "one", .filter = Passes({"a", "b"}, "no")});
  Use();
  rig_.AddPod("p");
  rig_.cluster.PatchStatus(rig_.cluster.FindPod("default/p"), {std::nullopt, "b"});
  rig_.Run();
  EXPECT_EQ(Line(), "p Scheduled b");
  EXPECT_THAT(one->Asked(), ElementsAre("filter b"));
  EXPECT_THAT(one->PodText(), testing::HasSubstr(R"("uid":"pod-p")"));
}

TEST_F(Extenders, ARejectedNominatedNodeLeadsToTheOthers) {
  const FakeRef one = Add({.name = "one", .filter = Passes({"a"}, "no")});
  Use();
  rig_.AddPod("p");
  rig_.cluster.PatchStatus(rig_.cluster.FindPod("default/p"), {std::nullopt, "b"});
  rig_.Run();
  EXPECT_EQ(Line(), "p Scheduled a");
  EXPECT_THAT(one->Asked(), ElementsAre("filter b", "filter a b c"));
}

// A heartbeat changes nothing that the scheduler uses, but an extender may read it.
TEST_F(Extenders, GetTheCurrentNodes) {
  const auto node = [&](const std::string& kubelet) {
    const std::string json =
        R"({"metadata":{"name":"only"},"status":{"allocatable":{"pods":"9"},"nodeInfo":{"kubeletVersion":")" + kubelet +
        R"("}}})";
    return *api::DecodeNode(rig_.intern, json, api::KeepManifest::kYes);
  };
  for (const char* name : {"a", "b", "c"}) rig_.cluster.RemoveNode(name);
  rig_.cluster.SetNode(node("v1"));
  const FakeRef one = Add({.name = "one", .node_cache_capable = false, .filter = Passes({"only"})});
  Schedule();
  EXPECT_THAT(one->NodeText(), testing::HasSubstr("v1"));
  rig_.cluster.SetNode(node("v2"));
  rig_.AddPod("q");
  rig_.Run();
  EXPECT_THAT(one->NodeText(), testing::HasSubstr("v2"));
}

// ---- prioritize

auto Scores(std::vector<framework::HostPriority> scores) {
  return [scores = std::move(scores)](const Names&) -> base::Result<framework::ExtenderPriorities> {
    return framework::ExtenderPriorities{scores, 0};
  };
}

TEST_F(Extenders, ScoresAreAddedTenfoldTimesWeight) {
  ScriptOf("A").score = [](Cycle& c, const Pod&, sdk::Node node) {
    return c.host().Text(node.name()) == "a" ? 100 : 0;
  };
  const FakeRef one = Add({.name = "one", .weight = 3, .prioritize = Scores({{"b", 4}, {"nowhere", 10}, {"c", 1}})});
  Schedule();
  EXPECT_EQ(Line(), "p Scheduled b");
  EXPECT_THAT(one->Asked(), ElementsAre("prioritize a b c"));
  EXPECT_EQ(Node("b").total, 120);
  EXPECT_THAT(Node("b").scores, ElementsAre(Pair("A", 0), Pair("one", 120)));
  EXPECT_THAT(Node("a").scores, ElementsAre(Pair("A", 100), Pair("one", 0)));
  EXPECT_EQ(Node("c").total, 30);
}

TEST_F(Extenders, AFailureToScoreDoesNotFailTheAttempt) {
  Add({.name = "one",
       .prioritize = [](const Names&) -> base::Result<framework::ExtenderPriorities> { return base::Fail("broken"); }});
  Add({.name = "two", .prioritize = Scores({{"c", 1}})});
  Schedule();
  EXPECT_EQ(Line(), "p Scheduled c");
  EXPECT_THAT(Node("c").scores, ElementsAre(Pair("A", 0), Pair("two", 10)));
}

TEST_F(Extenders, AreCalledForScoresAtTheSameTime) {
  std::barrier both(2);  // hangs unless both are called at the same time
  const auto meet = [&](const Names&) -> base::Result<framework::ExtenderPriorities> {
    both.arrive_and_wait();
    return framework::ExtenderPriorities{{{"b", 1}}, 0};
  };
  Add({.name = "one", .prioritize = meet});
  Add({.name = "two", .prioritize = meet});
  Schedule();
  EXPECT_EQ(Line(), "p Scheduled b");
  EXPECT_EQ(Node("b").total, 20);
}

// ---- bind

TEST_F(Extenders, OneBindsInsteadOfThePlugins) {
  bool plugin_asked = false;
  ScriptOf("A").bind = [&](Cycle&, const Pod&, Id, sdk::Op&) { return plugin_asked = true, Status::Ok(); };
  const FakeRef one = Add({.name = "one", .filter = Passes({"b"}), .bind = [](const framework::ExtenderBinding&) {
                             return base::Result<void>();
                           }});
  Schedule();
  EXPECT_EQ(Line(), "p Scheduled b");
  EXPECT_FALSE(plugin_asked);
  EXPECT_THAT(one->Asked(), ElementsAre("filter a b c", "bind default/p pod-p b"));
  EXPECT_EQ(rig_.intern.ids.Text(rig_.cluster.FindPod("default/p")->abi.node_name), "b")
      << "the simulated API server has what the extender would have sent it";
  EXPECT_EQ(rig_.cluster.events().back().reason, "Scheduled");
}

TEST_F(Extenders, AFailureToBindFailsTheAttempt) {
  int unreserved = 0;
  ScriptOf("A").unreserve = [&](Cycle&, const Pod&, Id) { ++unreserved; };
  Add({.name = "one",
       .bind = [](const framework::ExtenderBinding&) -> base::Result<void> { return base::Fail("refused"); }});
  Schedule();
  EXPECT_EQ(rig_.story.Lines().front(), "p Error refused");
  EXPECT_GE(unreserved, 1);
}

TEST_F(Extenders, AfterAnIgnorableFailureToBindThePluginsBind) {
  Add({.name = "one",
       .ignorable = true,
       .filter = Passes({"c"}),
       .bind = [](const framework::ExtenderBinding&) -> base::Result<void> { return base::Fail("refused"); }});
  Schedule();
  EXPECT_EQ(Line(), "p Scheduled c");
}

TEST_F(Extenders, PodsOfNoInterestAreBoundByPlugins) {
  const FakeRef one =
      Add({.name = "one", .managed = {"example.com/gpu"}, .bind = [](const framework::ExtenderBinding&) {
             return base::Result<void>();
           }});
  Schedule();
  EXPECT_THAT(one->Asked(), IsEmpty());
  EXPECT_TRUE(Line().starts_with("p Scheduled"));
}

}  // namespace
}  // namespace berth::fixture
