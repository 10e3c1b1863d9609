// HTTP extenders that preemption calls through the host's service. Source: callExtenders of
// pkg/scheduler/framework/preemption/preemption.go and convertToVictims of pkg/scheduler/extender.go.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "berth/extenders.hpp"
#include "fake_extender.h"
#include "test_scheduler.h"

namespace berth::fixture {
namespace {

using framework::NodeNameToMetaVictims;
using testing::ElementsAre;
using testing::IsEmpty;

// Nodes a and b with two pods each ("a1", "a2"), node c with none; nothing fits. PostFilter of A offers a1 and a2 on a,
// and b1 on b, with one violation on b.
class PreemptExtenders : public testing::Test {
 protected:
  void SetUp() override {
    rig_.AddNodes({"a", "b", "c"});
    for (const std::string name : {"a1", "a2", "b1", "b2"}) {
      rig_.AddPod(name, R"("nodeName":")" + name.substr(0, 1) + R"(")");
    }
    ScriptOf("A").filter = [](Cycle& c, const Pod&, sdk::Node, sdk::Verdict& verdict) {
      verdict = sdk::Verdict::Unschedulable(c.Reasons("full"));
      return Status::Ok();
    };
    ScriptOf("A").post_filter = [this](Cycle& c, const Pod& pod, const sdk::Diagnosis&, sdk::Nomination&) {
      Offer(c, pod);
      return Status(BERTH_UNSCHEDULABLE);
    };
  }
  std::shared_ptr<FakeExtender> Add(FakeExtender::Plan plan) {
    auto made = std::make_shared<FakeExtender>(std::move(plan), rig_.intern);
    extenders_.push_back(made);
    return made;
  }
  // An extender that gives this reply to every call.
  std::shared_ptr<FakeExtender> Answers(const std::string& name, NodeNameToMetaVictims answer, bool ignorable = false) {
    return Add({.name = name, .ignorable = ignorable, .preempt = [answer](const framework::NodeNameToVictims&) {
                  return base::Result<NodeNameToMetaVictims>(answer);
                }});
  }
  // The candidates that are left, such as "a: a1 a2 /0", "b: b1 /1"; the text of a failure; "": no extender was
  // interested.
  std::string Preempt() {
    auto set = BuildSet({{.has_extenders = true}}, rig_.services);
    EXPECT_TRUE(set);
    (*set)->extenders = extenders_;
    rig_.simulation->SetProfiles(*set);
    rig_.AddPod("p", R"("priority":10)");
    rig_.Run();
    return said_;
  }

 private:
  void Offer(Cycle& c, const Pod& pod) {
    const sdk::Extenders service(HostOf("A"));
    said_.clear();
    if (!service.Preempt(pod)) return;
    std::vector<std::vector<const berth_pod*>> pods;
    std::vector<berth_candidate> candidates;
    for (const uint32_t row : c.snap().order()) {
      std::vector<const berth_pod*>& of_row = pods.emplace_back();
      for (const Pod other : c.snap().Pods(row)) {
        if (other.name() != "b2") of_row.push_back(other.raw());
      }
      if (of_row.empty()) continue;
      const berth_list list{of_row.data(), static_cast<uint32_t>(of_row.size()), sizeof(const berth_pod*)};
      candidates.push_back({row, 0, of_row.size() == 1 ? 1 : 0, list});
    }
    const sdk::Extenders::Left left = service.Ask(pod, candidates);
    if (!left.status.ok()) said_ = left.status.reasons().front();
    for (const berth_candidate& candidate : left.candidates) {
      said_ += std::string(c.host().Text(c.snap().At(candidate.row).name())) + ":";
      for (const Pod victim : sdk::PodList(candidate.pods)) said_ += " " + std::string(victim.name());
      said_ += " /" + std::to_string(candidate.violations) + ";";
    }
  }

  TestScheduler rig_;
  framework::ExtenderList extenders_;
  std::string said_;
};

TEST_F(PreemptExtenders, WithoutTheVerbNoneIsCalled) {
  const auto one = Add({.name = "one", .prioritize = [](const Names&) { return framework::ExtenderPriorities{}; }});
  EXPECT_EQ(Preempt(), "");
  EXPECT_THAT(one->Asked(), IsEmpty());
}

TEST_F(PreemptExtenders, OneThatIsNotInterestedIsNotCalled) {
  Add({.name = "one", .managed = {"example.com/gpu"}, .preempt = [](const framework::NodeNameToVictims&) {
         return NodeNameToMetaVictims{};
       }});
  EXPECT_EQ(Preempt(), "");
}

TEST_F(PreemptExtenders, GetVictimsByUid) {
  framework::NodeNameToVictims asked;
  Add({.name = "one", .preempt = [&](const framework::NodeNameToVictims& victims) {
         asked = victims;
         return NodeNameToMetaVictims{{"a", {{"pod-a1", "pod-a2"}, 0}}, {"b", {{"pod-b1"}, 1}}};
       }});
  EXPECT_EQ(Preempt(), "a: a1 a2 /0;b: b1 /1;");
  ASSERT_EQ(asked.size(), 2u);
  EXPECT_EQ(asked["b"].pods.at(0).uid, "pod-b1");
  EXPECT_EQ(asked["b"].pdb_violations, 1);
  EXPECT_EQ(asked["b"].pods.at(0).manifest, "");
}

TEST_F(PreemptExtenders, WholeVictimsHaveANodeName) {
  std::string text;
  Add({.name = "one", .node_cache_capable = false, .preempt = [&](const framework::NodeNameToVictims& victims) {
         text = victims.at("b").pods.at(0).manifest;
         return NodeNameToMetaVictims{};
       }});
  EXPECT_EQ(Preempt(), "");
  EXPECT_THAT(text, testing::HasSubstr(R"("uid":"pod-b1")"));
}

TEST_F(PreemptExtenders, EachGetsTheCandidatesThatThePreviousOneLeft) {
  Answers("one", {{"b", {{"pod-b2"}, 7}}});
  const auto two = Answers("two", {{"b", {{"pod-b2", "pod-b1"}, 7}}});
  EXPECT_EQ(Preempt(), "b: b2 b1 /7;") << "other victims than before, in the extender's order";
  EXPECT_THAT(two->Asked(), ElementsAre("preempt b"));
}

TEST_F(PreemptExtenders, WithoutCandidatesTheNextIsNotCalled) {
  Answers("one", {});
  const auto two = Answers("two", {{"a", {{"pod-a1"}, 0}}});
  EXPECT_EQ(Preempt(), "");
  EXPECT_THAT(two->Asked(), IsEmpty());
}

TEST_F(PreemptExtenders, AFailureEndsTheCalls) {
  Add({.name = "one", .preempt = [](const framework::NodeNameToVictims&) -> base::Result<NodeNameToMetaVictims> {
         return base::Fail("broken");
       }});
  EXPECT_EQ(Preempt(), "broken");
}

TEST_F(PreemptExtenders, AnIgnorableFailureLeavesAllCandidates) {
  Add({.name = "one",
       .ignorable = true,
       .preempt = [](const framework::NodeNameToVictims&) -> base::Result<NodeNameToMetaVictims> {
         return base::Fail("broken");
       }});
  Answers("two", {{"a", {{"pod-a1"}, 0}}});
  EXPECT_EQ(Preempt(), "a: a1 /0;");
}

TEST_F(PreemptExtenders, AVictimMustBeOnItsNode) {
  Answers("one", {{"a", {{"pod-b1"}, 0}}});
  EXPECT_EQ(Preempt(), framework::VictimNotFoundText("one", "pod-b1", "a"));
}

TEST_F(PreemptExtenders, ANodeMustExist) {
  Answers("one", {{"nowhere", {{"pod-b1"}, 0}}});
  EXPECT_EQ(Preempt(), "nodeinfo not found for node name \"nowhere\"");
}

TEST_F(PreemptExtenders, ANodeMustHaveAVictim) {
  Answers("one", {{"a", {{}, 0}}, {"b", {{"pod-b1"}, 0}}});
  EXPECT_EQ(Preempt(), "expected at least one victim pod on node \"a\"");
}

TEST_F(PreemptExtenders, ANodeWithoutVictimIsDroppedFromAnIgnorableReply) {
  Answers("one", {{"a", {{}, 0}}, {"b", {{"pod-b1"}, 0}}}, true);
  EXPECT_EQ(Preempt(), "b: b1 /0;");
}

TEST_F(PreemptExtenders, NewNodesComeLast) {
  Answers("one", {{"a", {{"pod-a1"}, 0}}, {"b", {{"pod-b1"}, 0}}});
  Answers("two", {{"b", {{"pod-b1"}, 0}}, {"a", {{"pod-a2"}, 0}}});
  EXPECT_EQ(Preempt(), "a: a2 /0;b: b1 /0;");
}

}  // namespace
}  // namespace berth::fixture
