// HTTP extenders as preemption asks them through the host's service. Source of the rules: callExtenders of
// framework/preemption/preemption.go and convertToVictims of extender.go.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "berth/extenders.hpp"
#include "fake_extender.h"
#include "rig.h"

namespace berth::fixture {
namespace {

using extender::MetaVictimsByNode;
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
    auto made = std::make_shared<FakeExtender>(std::move(plan), rig_.words);
    extenders_.push_back(made);
    return made;
  }
  // An extender that answers so, whatever it is asked.
  std::shared_ptr<FakeExtender> Answers(const std::string& name, MetaVictimsByNode answer, bool ignorable = false) {
    return Add({.name = name, .ignorable = ignorable, .preempt = [answer](const extender::VictimsByNode&) {
                  return base::Result<MetaVictimsByNode>(answer);
                }});
  }
  // "a: a1 a2 /0", "b: b1 /1" of what is left; the failure's text; "" when nobody was interested.
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

  Rig rig_;
  framework::ExtenderList extenders_;
  std::string said_;
};

TEST_F(PreemptExtenders, NobodyWithTheVerbIsNobody) {
  const auto one = Add({.name = "one", .prioritize = [](const Names&) { return extender::Prioritized{}; }});
  EXPECT_EQ(Preempt(), "");
  EXPECT_THAT(one->Asked(), IsEmpty());
}

TEST_F(PreemptExtenders, WhoeverIsNotInterestedIsNotAsked) {
  Add({.name = "one", .managed = {"example.com/gpu"}, .preempt = [](const extender::VictimsByNode&) {
         return MetaVictimsByNode{};
       }});
  EXPECT_EQ(Preempt(), "");
}

TEST_F(PreemptExtenders, AreAskedAboutVictimsByUid) {
  extender::VictimsByNode asked;
  Add({.name = "one", .preempt = [&](const extender::VictimsByNode& victims) {
         asked = victims;
         return MetaVictimsByNode{{"a", {{"pod-a1", "pod-a2"}, 0}}, {"b", {{"pod-b1"}, 1}}};
       }});
  EXPECT_EQ(Preempt(), "a: a1 a2 /0;b: b1 /1;");
  ASSERT_EQ(asked.size(), 2u);
  EXPECT_EQ(asked["b"].pods.at(0).uid, "pod-b1");
  EXPECT_EQ(asked["b"].pdb_violations, 1);
  EXPECT_EQ(asked["b"].pods.at(0).manifest, "");
}

TEST_F(PreemptExtenders, WholeVictimsSayWhereTheyAre) {
  std::string text;
  Add({.name = "one", .node_cache_capable = false, .preempt = [&](const extender::VictimsByNode& victims) {
         text = victims.at("b").pods.at(0).manifest;
         return MetaVictimsByNode{};
       }});
  EXPECT_EQ(Preempt(), "");
  EXPECT_THAT(text, testing::HasSubstr(R"("uid":"pod-b1")"));
}

TEST_F(PreemptExtenders, EachIsAskedAboutWhatTheOneBeforeLeft) {
  Answers("one", {{"b", {{"pod-b2"}, 7}}});
  const auto two = Answers("two", {{"b", {{"pod-b2", "pod-b1"}, 7}}});
  EXPECT_EQ(Preempt(), "b: b2 b1 /7;") << "other victims than before, in the extender's order";
  EXPECT_THAT(two->Asked(), ElementsAre("preempt b"));
}

TEST_F(PreemptExtenders, NothingLeftEndsTheQuestions) {
  Answers("one", {});
  const auto two = Answers("two", {{"a", {{"pod-a1"}, 0}}});
  EXPECT_EQ(Preempt(), "");
  EXPECT_THAT(two->Asked(), IsEmpty());
}

TEST_F(PreemptExtenders, AFailureIsTheEnd) {
  Add({.name = "one", .preempt = [](const extender::VictimsByNode&) -> base::Result<MetaVictimsByNode> {
         return base::Fail("broken");
       }});
  EXPECT_EQ(Preempt(), "broken");
}

TEST_F(PreemptExtenders, AFailureThatMayBeIgnoredLeavesEverything) {
  Add({.name = "one",
       .ignorable = true,
       .preempt = [](const extender::VictimsByNode&) -> base::Result<MetaVictimsByNode> {
         return base::Fail("broken");
       }});
  Answers("two", {{"a", {{"pod-a1"}, 0}}});
  EXPECT_EQ(Preempt(), "a: a1 /0;");
}

TEST_F(PreemptExtenders, AVictimMustBeOnItsNode) {
  Answers("one", {{"a", {{"pod-b1"}, 0}}});
  EXPECT_EQ(Preempt(), extender::VictimNotFoundText("one", "pod-b1", "a"));
}

TEST_F(PreemptExtenders, ANodeMustBeThere) {
  Answers("one", {{"nowhere", {{"pod-b1"}, 0}}});
  EXPECT_EQ(Preempt(), "nodeinfo not found for node name \"nowhere\"");
}

TEST_F(PreemptExtenders, ANodeMustHaveAVictim) {
  Answers("one", {{"a", {{}, 0}}, {"b", {{"pod-b1"}, 0}}});
  EXPECT_EQ(Preempt(), "expected at least one victim pod on node \"a\"");
}

TEST_F(PreemptExtenders, ANodeWithoutVictimIsLeftOutOfAnIgnorableAnswer) {
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
