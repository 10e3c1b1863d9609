// The results of PostFilter: messages, nominations, and the status of the pod.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "test_scheduler.h"

namespace berth::fixture {
namespace {

using testing::ElementsAre;

// A cluster of one node that A's Filter rejects; A, B and C return in PostFilter what the test sets.
class PostFilter : public testing::Test {
 protected:
  using Answer = std::function<Status(Cycle&, sdk::Nomination&)>;
  void SetUp() override {
    ScriptOf("A").filter = [](Cycle& c, const Pod&, sdk::Node, sdk::Verdict& verdict) {
      verdict = sdk::Verdict::Unschedulable(c.Reasons("full"));
      return Status::Ok();
    };
    rig_.AddNodes({"n1"});
  }
  void Answers(const char* plugin, Answer answer) {
    ScriptOf(plugin).post_filter = [this, plugin, answer = std::move(answer)](
                                       Cycle& c, const Pod&, const sdk::Diagnosis&, sdk::Nomination& out) {
      asked_ += plugin;
      return answer(c, out);
    };
  }
  // The message behind "0/1 nodes are available: 1 full.", for a pod nominated to n1 before.
  std::string Try() {
    rig_.cluster.SetPod(MakePod(rig_.intern, "p1", ""));
    rig_.cluster.PatchStatus(rig_.cluster.FindPod("default/p1"), {std::nullopt, "before"});
    rig_.Run();
    const std::string& message = rig_.story.entries.at(0).message;
    EXPECT_TRUE(message.starts_with(kFull)) << message;
    return message.substr(std::string(kFull).size());
  }
  std::string Nominated() const {
    return std::string(rig_.intern.ids.Text(rig_.cluster.FindPod("default/p1")->abi.nominated_node));
  }
  static constexpr const char* kFull = "0/1 nodes are available: 1 full.";

  TestScheduler rig_{{{.plugins = {"A", "B", "C"}}}};
  std::string asked_;
};

Id N1(Cycle& c) { return c.snap().View(0).name(); }

TEST_F(PostFilter, SuccessEndsThePointAndDropsEarlierMessages) {
  Answers("A", [](Cycle&, sdk::Nomination&) { return Status::Unschedulable("no claims"); });
  Answers("B", [](Cycle& c, sdk::Nomination& out) { return out.Set(N1(c)), Status::Ok(); });
  Answers("C", [](Cycle&, sdk::Nomination&) { return Status::Unschedulable("never asked"); });
  EXPECT_EQ(Try(), "");
  EXPECT_EQ(asked_, "AB");
  EXPECT_EQ(Nominated(), "n1");
}

TEST_F(PostFilter, RejectionsAreJoinedAndTheLastNominationCounts) {
  Answers("A", [](Cycle& c, sdk::Nomination& out) { return out.Set(N1(c)), Status::Unschedulable("one"); });
  Answers("B", [](Cycle&, sdk::Nomination& out) { return out.Clear(), Status(BERTH_UNSCHEDULABLE, {"two", "three"}); });
  Answers("C", [](Cycle&, sdk::Nomination&) { return Status::Pending("four"); });
  EXPECT_EQ(Try(), " one, two, three, four");
  EXPECT_EQ(asked_, "ABC");
  EXPECT_EQ(Nominated(), "");
}

TEST_F(PostFilter, UnresolvableEndsThePoint) {
  Answers("A", [](Cycle&, sdk::Nomination&) { return Status::Unresolvable("hopeless"); });
  EXPECT_EQ(Try(), " hopeless");
  EXPECT_EQ(Nominated(), "before") << "NOOP";
}

TEST_F(PostFilter, AnErrorIsOnlyAMessage) {
  Answers("A", [](Cycle& c, sdk::Nomination& out) { return out.Set(N1(c)), Status::Error("not found"); });
  EXPECT_EQ(Try(), " not found");
  EXPECT_EQ(asked_, "A");
  EXPECT_EQ(Nominated(), "before");
  EXPECT_EQ(rig_.story.entries[0].result, "Unschedulable");
  EXPECT_EQ(rig_.cluster.FindPod("default/p1")->scheduled_condition().reason, "Unschedulable");
}

TEST_F(PostFilter, WithoutAResultTheNominationStays) {
  EXPECT_EQ(Try(), "");
  EXPECT_EQ(Nominated(), "before");
}

// PreFilter excludes the nominated node, but the cycle tries it first: PostFilter sees the verdict of that try.
TEST_F(PostFilter, TheNominatedNodeKeepsItsVerdict) {
  ScriptOf("B").pre_filter = [](Cycle&, const Pod&, sdk::NameSet& names) {
    return names.Assign({HostOf("B").Intern("n2")}), Status::Ok();
  };
  rig_.AddNodes({"n2", "n3"});
  std::vector<int> codes;
  int absent = 0;
  ScriptOf("A").post_filter = [&](Cycle& c, const Pod&, const sdk::Diagnosis& why, sdk::Nomination&) {
    for (const char* name : {"n1", "n2", "n3"}) {
      codes.push_back(why.verdict(*c.snap().RowOf(HostOf("A").Intern(name))).code);
    }
    absent = why.absent().code;
    return Status(BERTH_UNSCHEDULABLE);
  };
  rig_.cluster.SetPod(MakePod(rig_.intern, "p1", ""));
  rig_.cluster.PatchStatus(rig_.cluster.FindPod("default/p1"), {std::nullopt, "n1"});
  rig_.Run();
  EXPECT_THAT(codes, ElementsAre(BERTH_UNSCHEDULABLE, BERTH_UNSCHEDULABLE, BERTH_SUCCESS));
  EXPECT_EQ(absent, BERTH_UNRESOLVABLE);
  EXPECT_EQ(rig_.story.entries.at(0).message,
            "0/3 nodes are available: 1 node(s) didn't satisfy plugin(s) [A B], 2 full.");
}

}  // namespace
}  // namespace berth::fixture
