// Nominated pods, and pods in Permit or PreBind that preemption gives up.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "berth/nominate.hpp"
#include "test_scheduler.h"

namespace berth::fixture {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> NamesOfPods(sdk::PodList pods) {
  std::vector<std::string> names;
  for (const Pod& pod : pods) names.emplace_back(pod.name());
  return names;
}

// Nothing fits, pods named nominee-* are nominated to n1; for the others PostFilter runs fn.
class NominationsTest : public testing::Test {
 protected:
  using InPostFilter = std::function<void(Cycle&, const Pod&, const sdk::Nominations&)>;
  void SetUp() override {
    ScriptOf("A").filter = [](Cycle& c, const Pod&, sdk::Node, sdk::Verdict& verdict) {
      verdict = sdk::Verdict::Unschedulable(c.Reasons("full"));
      return Status::Ok();
    };
    rig_.AddNodes({"n1"});
  }
  void During(InPostFilter fn) {
    ScriptOf("A").post_filter = [fn = std::move(fn)](Cycle& c, const Pod& pod, const sdk::Diagnosis&,
                                                     sdk::Nomination& out) {
      if (pod.name().starts_with("nominee")) {
        out.Set(c.snap().View(0).name());
      } else {
        fn(c, pod, sdk::Nominations(HostOf("A")));
      }
      return Status(BERTH_UNSCHEDULABLE);
    };
  }
  std::string NominatedIn(const std::string& pod) {
    return std::string(rig_.intern.ids.Text(rig_.cluster.FindPod("default/" + pod)->abi.nominated_node));
  }
  const queue::Nominator& nominator() { return rig_.simulation->engine().queue().nominator(); }

  TestScheduler rig_;
};

TEST_F(NominationsTest, AreListedByNodeInOrderOfNomination) {
  std::vector<std::string> here, nowhere;
  During([&](Cycle& c, const Pod&, const sdk::Nominations& nominations) {
    const sdk::PodList list = nominations.OfNode(c.snap().View(0).name());
    nowhere = NamesOfPods(nominations.OfNode(HostOf("A").Intern("n2")));
    here = NamesOfPods(list);  // still valid after the other call
    ASSERT_EQ(list.size(), 2u);
    EXPECT_EQ(list[1].priority(), 7);
  });
  rig_.AddPod("nominee-2", R"("priority":3)");
  rig_.Run();
  rig_.AddPod("nominee-1", R"("priority":7)");
  rig_.Run();
  rig_.AddPod("p1");
  rig_.Run();
  EXPECT_THAT(here, ElementsAre("nominee-2", "nominee-1"));
  EXPECT_THAT(nowhere, IsEmpty());
}

TEST_F(NominationsTest, NodesWithNominatedPodsAreListed) {
  std::vector<std::vector<std::string_view>> seen;
  During([&](Cycle& c, const Pod&, const sdk::Nominations& nominations) {
    auto& nodes = seen.emplace_back();
    for (const Id node : nominations.Nodes()) nodes.push_back(c.host().Text(node));
  });
  rig_.AddPod("p1");
  rig_.Run();
  rig_.AddPod("nominee-1");
  rig_.AddPod("nominee-2");
  rig_.Run();
  rig_.AddPod("p2");
  rig_.Run();
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_THAT(seen[0], IsEmpty());
  EXPECT_THAT(seen[1], ElementsAre("n1"));
}

TEST_F(NominationsTest, ClearChangesTheQueueAtOnceAndTheStatus) {
  size_t left = 99;
  During([&](Cycle& c, const Pod& pod, const sdk::Nominations& nominations) {
    const Id node = c.snap().View(0).name();
    for (const Pod& other : nominations.OfNode(node)) {
      if (other.priority() < pod.priority()) nominations.Clear(other);
    }
    left = nominations.OfNode(node).size();
  });
  rig_.AddPod("nominee-low", R"("priority":3)");
  rig_.AddPod("nominee-high", R"("priority":30)");
  rig_.Run();
  ASSERT_EQ(NominatedIn("nominee-low"), "n1");
  rig_.AddPod("p1", R"("priority":10)");
  rig_.Run();
  EXPECT_EQ(left, 1u);
  EXPECT_EQ(NominatedIn("nominee-high"), "n1");
  EXPECT_THAT(nominator().NodeOf("pod-nominee-high"), rig_.intern.ids.Find("n1"));
}

// When a nomination ends, pods of the same or a lower priority get the event of a deleted pod.
TEST_F(NominationsTest, TheEndOfANominationIsAnEventForOtherPods) {
  ScriptOf("A").interests = {{"Pod", BERTH_ACTION_DELETE}};
  rig_.simulation->SetProfiles(*BuildSet({{}}, rig_.services, 2));
  std::vector<std::string> woken;
  ScriptOf("A").hint = [&](Cycle&, const sdk::Event& event, const Pod& pod) {
    woken.push_back(std::string(event.old_pod().name()) + " -> " + std::string(pod.name()));
    return false;
  };
  During([](Cycle&, const Pod&, const sdk::Nominations&) {});
  rig_.AddPod("nominee", R"("priority":5)");
  rig_.AddPod("lower", R"("priority":4)");
  rig_.AddPod("higher", R"("priority":6)");
  rig_.Run();
  ASSERT_EQ(NominatedIn("nominee"), "n1");
  rig_.cluster.RemovePod("default/nominee");
  rig_.Run();
  EXPECT_THAT(woken, ElementsAre("nominee -> lower"));
  EXPECT_TRUE(nominator().empty());
}

TEST_F(NominationsTest, ANomineeThatIsBoundElsewhereIsForgotten) {
  During([](Cycle&, const Pod&, const sdk::Nominations&) {});
  rig_.AddPod("nominee");
  rig_.Run();
  ASSERT_FALSE(nominator().empty());
  rig_.cluster.SetPod(api::WithNodeName(rig_.intern, *rig_.cluster.FindPod("default/nominee"), "n1"));
  rig_.Run();
  EXPECT_TRUE(nominator().empty());
}

// ---- pods in Permit or PreBind ----

class GiveUp : public testing::Test {
 protected:
  void SetUp() override {
    ScriptOf("A").unreserve = [this](Cycle&, const Pod&, Id) { ++unreserved_; };
    rig_.AddNodes({"n1"});
  }
  static bool Now(const std::string& pod) { return sdk::Nominations(HostOf("A")).GiveUp("pod-" + pod, "preempted"); }
  // Pod "urgent" does not fit and gives "victim" up, once.
  void UrgentTakesVictim() {
    ScriptOf("A").filter = [](Cycle& c, const Pod& pod, sdk::Node, sdk::Verdict& verdict) {
      if (pod.name() == "urgent") verdict = sdk::Verdict::Unschedulable(c.Reasons("full"));
      return Status::Ok();
    };
    ScriptOf("A").post_filter = [this](Cycle&, const Pod&, const sdk::Diagnosis&, sdk::Nomination&) {
      taken_.push_back(Now("victim"));
      return Status(BERTH_UNSCHEDULABLE);
    };
  }
  const results::AttemptEntry& FirstOf(const std::string& pod) {
    for (const auto& entry : rig_.story.entries) {
      if (entry.pod == "default/" + pod) return entry;
    }
    ADD_FAILURE() << "no attempt of " << pod;
    return rig_.story.entries.at(0);
  }

  TestScheduler rig_;
  int unreserved_ = 0;
  std::vector<bool> taken_;
};

TEST_F(GiveUp, APodThatWaitsInPermit) {
  UrgentTakesVictim();
  bool first = true;
  ScriptOf("A").permit = [&](Cycle&, const Pod& pod, Id, std::chrono::nanoseconds& wait) {
    if (pod.name() != "victim" || !std::exchange(first, false)) return Status::Ok();
    wait = std::chrono::seconds(60);
    return Status::Wait();
  };
  rig_.AddPod("victim");
  rig_.AddPod("urgent");
  rig_.Run();
  EXPECT_THAT(taken_, testing::Contains(true));
  EXPECT_EQ(FirstOf("victim").result, "Error");
  EXPECT_EQ(FirstOf("victim").message, "waiting on permit for pod: preempted");
  EXPECT_EQ(unreserved_, 1);
  EXPECT_FALSE(rig_.simulation->engine().cache().IsAssumed("pod-victim"));
}

TEST_F(GiveUp, APodWhosePreBindEndsLater) {
  UrgentTakesVictim();
  sdk::Op kept(nullptr);
  int calls = 0;
  ScriptOf("A").pre_bind = [&](Cycle&, const Pod&, Id, sdk::Op& op) {
    if (++calls > 1) return Status::Ok();
    kept = std::move(op);
    return Status::Later();
  };
  rig_.AddPod("victim");
  rig_.AddPod("urgent");
  rig_.Run();
  EXPECT_THAT(taken_, testing::Contains(true));
  EXPECT_EQ(FirstOf("victim").message, "running PreBind plugin \"A\": preempted by A");
  EXPECT_EQ(unreserved_, 1);
  EXPECT_FALSE(rig_.simulation->engine().cache().IsAssumed("pod-victim"));
  const size_t entries = rig_.story.entries.size();
  kept.Done(Status::Ok());  // has no effect
  rig_.Run();
  EXPECT_EQ(rig_.story.entries.size(), entries);
  rig_.AddNodes({"n2"});  // an event, so that the simulation tries the pod again
  rig_.Run();
  EXPECT_NE(rig_.cluster.FindPod("default/victim")->abi.node_name, base::kNoId);
}

TEST_F(GiveUp, APodWhosePreBindIsRunningSeesThatItIsOver) {
  std::vector<bool> cancelled;
  bool first = true;
  ScriptOf("A").pre_bind = [&](Cycle& c, const Pod&, Id, sdk::Op&) {
    if (std::exchange(first, false)) {
      cancelled.push_back(c.Cancelled());
      EXPECT_TRUE(Now("victim"));
      EXPECT_TRUE(Now("victim")) << "it is given up";
      cancelled.push_back(c.Cancelled());
    }
    return Status::Ok();
  };
  rig_.AddPod("victim");
  rig_.Run();
  EXPECT_THAT(cancelled, ElementsAre(false, true));
  EXPECT_EQ(FirstOf("victim").message, "preempted by A");
  EXPECT_EQ(unreserved_, 1);
}

TEST_F(GiveUp, NotAfterTheStartOfBindingOrForAnUnknownPod) {
  const auto bind = ScriptOf("A").bind;
  ScriptOf("A").bind = [&](Cycle& c, const Pod& pod, Id node, sdk::Op& op) {
    taken_.push_back(Now("victim"));
    return bind(c, pod, node, op);
  };
  rig_.AddPod("victim");
  rig_.Run();
  taken_.push_back(Now("victim"));
  taken_.push_back(Now("nobody"));
  EXPECT_THAT(taken_, ElementsAre(false, false, false));
  EXPECT_THAT(rig_.story.Lines(), ElementsAre("victim Scheduled n1"));
}

// PreBind has nothing to do for the pod, so GiveUp comes too late.
TEST_F(GiveUp, NotWhenAllPreBindPluginsSkip) {
  ScriptOf("A").pre_flight = [&](Cycle&, const Pod&, Id) {
    taken_.push_back(Now("victim"));
    return Status::Skip();
  };
  rig_.AddPod("victim");
  rig_.Run();
  EXPECT_THAT(taken_, ElementsAre(false));
  EXPECT_THAT(rig_.story.Lines(), ElementsAre("victim Scheduled n1"));
}

}  // namespace
}  // namespace berth::fixture
