// The index of existing pods' terms, while pods are added and removed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "test_pods.h"

namespace plugins::inter_pod::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

const Sel kWeb = In("app", {"web"});
FakePod Web(const char* name) { return FakePod(name).Label("app", "web"); }

class Index : public testing::Test {
 protected:
  void SetUp() override {
    world_.plugin.cluster().Add(FakeNode("a").Label("host", "a")).Add(FakeNode("b").Label("host", "b"));
    world_.Start();
    a_ = world_.plugin.cluster().RowOf("a");
    b_ = world_.plugin.cluster().RowOf("b");
  }
  std::map<std::string, Outcome> Verdicts(const FakePod& pod) {
    auto attempt = world_.plugin.Try(pod);
    if (attempt->PreFilter().code == BERTH_SKIP) return {{"a", {}}, {"b", {}}};
    return attempt->Filter().nodes;
  }

  World world_;
  uint32_t a_ = 0, b_ = 0;
};

TEST_F(Index, PodsWithoutTermsAreNotKept) {
  world_.plugin.PodAdded(Web("plain"), a_);
  EXPECT_THAT(world_.plugin.Dump(), IsEmpty());
  world_.plugin.PodRemoved(Web("plain"), a_);
  EXPECT_THAT(world_.plugin.Dump(), IsEmpty());
}

TEST_F(Index, FollowsPods) {
  const FakePod one = Away(Web("one"), {"host", kWeb}), two = Away(Web("two"), {"host", kWeb});
  world_.plugin.PodAdded(one, a_);
  world_.plugin.PodAdded(two, b_);
  EXPECT_EQ(Verdicts(Web("p")), (std::map<std::string, Outcome>{{"a", kExistingRefusal}, {"b", kExistingRefusal}}));
  world_.plugin.PodRemoved(one, a_);
  EXPECT_EQ(Verdicts(Web("p")), (std::map<std::string, Outcome>{{"a", {}}, {"b", kExistingRefusal}}));
  world_.plugin.PodRemoved(two, b_);
  EXPECT_EQ(Verdicts(Web("p")), (std::map<std::string, Outcome>{{"a", {}}, {"b", {}}}));
  EXPECT_THAT(world_.plugin.Dump(), IsEmpty());
}

// Equal states give equal dumps; the consistency checker relies on that.
TEST_F(Index, DumpDependsOnlyOnTheState) {
  const FakePod one = Away(AwayIfPossible(Web("one"), 5, {"host", kWeb}), {"host", kWeb, {"y", "x"}});
  const FakePod two = NearIfPossible(Near(Web("two"), {"host", kWeb}), 5,
                                     {.key = "host", .selector = kWeb, .namespace_selector = Sel{}});
  const FakePod three = Away(FakePod("three"), {"zone", Exists("app")});
  auto& way = world_.plugin;
  for (const FakePod& pod : {three, two, one, two}) way.PodAdded(pod, a_);
  way.PodAdded(one, b_);
  way.PodRemoved(two, a_);
  way.PodRemoved(three, a_);

  World fresh;
  fresh.Start();
  fresh.plugin.PodAdded(one, b_);
  fresh.plugin.PodAdded(one, a_);
  fresh.plugin.PodAdded(two, a_);
  EXPECT_EQ(way.Dump(), fresh.plugin.Dump());
  EXPECT_THAT(way.Dump(), HasSubstr("namespaces=x,y, " + std::to_string(a_) + ":1 " + std::to_string(b_) + ":1"));
  fresh.plugin.PodAdded(two, b_);
  EXPECT_NE(way.Dump(), fresh.plugin.Dump());
}

// Equal terms of different pods are one term. A pod with the same term twice counts twice.
TEST_F(Index, EqualTermsAreOne) {
  world_.plugin.PodAdded(NearIfPossible(Web("one"), 5, {"host", kWeb}), a_);
  world_.plugin.PodAdded(NearIfPossible(NearIfPossible(FakePod("two"), 5, {"host", kWeb}), 5, {"host", kWeb}), a_);
  const std::string dump = world_.plugin.Dump();
  EXPECT_EQ(std::count(dump.begin(), dump.end(), '\n'), 1) << dump;
  auto attempt = world_.plugin.Try(Web("p"));
  ASSERT_TRUE(attempt->PreScore().ok());
  EXPECT_EQ(attempt->Score().nodes, (Scores{{"a", 15}, {"b", 0}}));
}

// An invalid term excludes its list, and only that.
TEST_F(Index, UnreadableListsAreLeftOut) {
  const FakePod pod =
      Away(Away(NearIfPossible(Web("e"), 5, {"host", kWeb}), {"host", kWeb}), {"host", One("a", "Has")});
  world_.plugin.PodAdded(pod, a_);
  EXPECT_EQ(Verdicts(Web("p")).at("a"), Outcome{});
  auto attempt = world_.plugin.Try(Web("p"));
  ASSERT_TRUE(attempt->PreScore().ok());
  EXPECT_EQ(attempt->Score().nodes.at("a"), 5);

  auto other = world_.plugin.Try(Away(Web("p"), {"host", Exists("nothing")}));
  ASSERT_TRUE(other->PreFilter().ok());
  auto trial = other->Trial();
  ASSERT_TRUE(trial->AddPod(pod, "b").ok());
  EXPECT_EQ(trial->Filter().nodes.at("b"), Outcome{});
  ASSERT_TRUE(trial->AddPod(Away(FakePod("readable"), {"host", kWeb}), "b").ok());
  EXPECT_EQ(trial->Filter().nodes.at("b"), kExistingRefusal);
  world_.plugin.PodRemoved(pod, a_);
  EXPECT_THAT(world_.plugin.Dump(), IsEmpty());
}

// Results are cached by labels and namespace until a term is added or removed.
TEST_F(Index, RememberedAnswersEnd) {
  const FakePod first = Away(FakePod("one"), {"host", kWeb}), second = Away(FakePod("two"), {"host", Exists("app")});
  EXPECT_EQ(Verdicts(Web("p")).at("a"), Outcome{});
  world_.plugin.PodAdded(first, a_);
  EXPECT_EQ(Verdicts(Web("p")).at("a"), kExistingRefusal);
  EXPECT_EQ(Verdicts(Web("p")).at("b"), Outcome{});
  world_.plugin.PodAdded(second, b_);
  EXPECT_EQ(Verdicts(Web("p")).at("b"), kExistingRefusal);
  world_.plugin.PodRemoved(first, a_);
  EXPECT_EQ(Verdicts(Web("p")), (std::map<std::string, Outcome>{{"a", {}}, {"b", kExistingRefusal}}));
  EXPECT_EQ(Verdicts(Web("p").Namespace("other")).at("b"), Outcome{});
}

}  // namespace
}  // namespace plugins::inter_pod::test
