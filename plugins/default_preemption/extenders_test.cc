// The influence of HTTP extenders on the choice of a node. Cases have the names of default_preemption_test.go
// (TestPreempt). The host selects the extenders and ignores errors; its own tests cover that.
#include <algorithm>

#include <berth/testing/fake_extenders.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "berth/entry.h"
#include "test_fixture.h"

namespace default_preemption_test {
namespace {

using berth::sdk::Pod;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// node1 and node3 have two victims of different importance each. node2 is as good as node1.
struct ExtenderFixture : Fixture {
  ExtenderFixture() : Fixture(berth_entry_v1, "DefaultPreemption") {
    Nodes({"node1", "node2", "node3"});
    const auto on = [&](const std::string& node, int32_t priority) {
      On(node, {FakePod("on-" + node).Uid("on-" + node).Priority(priority).Req(VeryLarge())});
    };
    on("node1", kMid);
    on("node2", kMid);
    on("node3", kLow);
  }
  PostFilterOutcome Preempt() {
    Start();
    const auto outcome = Try(FakePod("p").Uid("p").Priority(kHigh).Req(VeryLarge()), {"node1", "node2", "node3"});
    Answer();
    return outcome;
  }
  void Keep(FakeExtenders::Candidates& candidates, const std::string& node) {
    std::erase_if(candidates, [&](const auto& candidate) { return plugin.cluster().NameOf(candidate.row) != node; });
  }
  FakeExtenders extenders{plugin.host()};
};

TEST(Extenders, AreNotCalledIfNoneIsInterested) {
  SCOPED_TRACE(
      "One scheduler extender allows only node1, but it is not interested in given pod, otherwise node1 would have "
      "been chosen");
  ExtenderFixture rig;
  EXPECT_EQ(rig.Preempt().node, "node3");
  EXPECT_THAT(rig.extenders.asked(), IsEmpty());
}

TEST(Extenders, OnlyAllowedNodesAreChosen) {
  SCOPED_TRACE("Scheduler extenders allow only node1, otherwise node3 would have been chosen");
  ExtenderFixture rig;
  rig.extenders.Rule([&rig](const Pod&, FakeExtenders::Candidates& candidates) {
    rig.Keep(candidates, "node1");
    return "";
  });
  const auto outcome = rig.Preempt();
  EXPECT_EQ(outcome.node, "node1");
  EXPECT_TRUE(outcome.ok());
  EXPECT_THAT(rig.Deleted(), ElementsAre("on-node1"));
  ASSERT_EQ(rig.extenders.asked().size(), 1u);
  EXPECT_EQ(rig.extenders.asked().front().size(), 3u) << "all candidates, not the best";
}

TEST(Extenders, NothingIsLeft) {
  SCOPED_TRACE("Scheduler extenders do not allow any preemption");
  ExtenderFixture rig;
  rig.extenders.Rule([](const Pod&, FakeExtenders::Candidates& candidates) {
    candidates.clear();
    return "";
  });
  const auto outcome = rig.Preempt();
  EXPECT_EQ(static_cast<const Outcome&>(outcome),
            (Outcome{BERTH_UNSCHEDULABLE, {"preemption: no candidate node for preemption"}}));
  EXPECT_EQ(outcome.mode, BERTH_NOMINATE_NOOP) << "upstream leaves the nomination as it is";
  EXPECT_THAT(rig.Deleted(), IsEmpty());
}

TEST(Extenders, AFailureEndsThePreemption) {
  ExtenderFixture rig;
  rig.extenders.Rule([](const Pod&, FakeExtenders::Candidates&) { return "connection refused"; });
  const auto outcome = rig.Preempt();
  EXPECT_EQ(static_cast<const Outcome&>(outcome), (Outcome{BERTH_ERROR, {"preemption: connection refused"}}));
  EXPECT_EQ(outcome.mode, BERTH_NOMINATE_NOOP);
  EXPECT_THAT(rig.Deleted(), IsEmpty());
}

TEST(Extenders, TheirVictimsAndViolationsCount) {
  ExtenderFixture rig;
  rig.extenders.Rule([&rig](const Pod&, FakeExtenders::Candidates& candidates) {
    const uint32_t node2 = rig.plugin.cluster().RowOf("node2");
    for (auto& candidate : candidates) candidate.violations = candidate.row == node2 ? 0 : 1;
    return "";
  });
  EXPECT_EQ(rig.Preempt().node, "node2") << "the one without violations, though its victim matters more than node3's";
}

TEST(Extenders, ACandidateOfTheirOwnIsTaken) {
  ExtenderFixture rig;
  rig.On("node3", {FakePod("other").Uid("other").Priority(kNegative)});
  rig.extenders.Rule([&rig](const Pod&, FakeExtenders::Candidates& candidates) {
    rig.Keep(candidates, "node3");
    candidates.front().pods.clear();
    const FakeCluster& cluster = rig.plugin.cluster();
    candidates.front().pods.emplace_back(cluster.rows()[cluster.RowOf("node3")].pods.back()->raw());
    return "";
  });
  EXPECT_EQ(rig.Preempt().node, "node3");
  EXPECT_THAT(rig.Deleted(), ElementsAre("other"));
}

}  // namespace
}  // namespace default_preemption_test
