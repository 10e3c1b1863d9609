#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include <berth/testing/plugin_under_test.hpp>

#include "label_score.h"

namespace {

using namespace berth::sdk::testing;  // NOLINT: tests use the fake host's names
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* kLabel = "priority.lixueduan.com";
constexpr int64_t kMax = std::numeric_limits<int64_t>::max(), kMin = std::numeric_limits<int64_t>::min();

TEST(LabelScore, ReadsIntegersOnly) {
  EXPECT_EQ(priority::ReadInteger("10"), 10);
  EXPECT_EQ(priority::ReadInteger("-3"), -3);
  EXPECT_EQ(priority::ReadInteger("007"), 7);
  EXPECT_EQ(priority::ReadInteger("9223372036854775807"), kMax);
  for (const char* text : {"", "high", "10x", "1.5", "0x10", " 1", "9223372036854775808"}) {
    EXPECT_EQ(priority::ReadInteger(text), std::nullopt) << text;
  }
}

TEST(LabelScore, ScalesOnlyWhatDoesNotFit) {
  struct Case {
    std::vector<int64_t> scores, want;
  };
  const Case kCases[] = {
      {{}, {}},
      {{10, 20}, {10, 20}},
      {{0, 100}, {0, 100}},
      {{30, 30}, {30, 30}},
      {{10, 200}, {5, 100}},
      {{1, 101}, {0, 100}},
      {{500, 500}, {100, 100}},
      {{-10, 20}, {0, 100}},
      {{-10, 0, 10}, {0, 50, 100}},
      {{-5, -10}, {50, 0}},
      {{-1, 300}, {0, 100}},
      {{kMin, 0, kMax}, {0, 50, 100}},
      {{kMax, kMax / 2, 0}, {100, 49, 0}},
      {{kMin, kMin}, {0, 0}},
  };
  for (const Case& c : kCases) {
    std::vector<int64_t> scores = c.scores;
    priority::ScaleIfNeeded(scores);
    EXPECT_EQ(scores, c.want);
  }
}

class PriorityTest : public ::testing::Test {
 protected:
  ~PriorityTest() override { EXPECT_THAT(plugin_.Violations(), IsEmpty()); }
  FakeCluster& cluster() { return plugin_.cluster(); }

  PluginUnderTest plugin_{berth_entry_v1, "Priority"};
};

TEST_F(PriorityTest, NodesWithoutTheLabelGetNoPods) {
  cluster().Add(FakeNode("scheduler-1")).Add(FakeNode("scheduler-2").Label("other", "10"));
  ASSERT_TRUE(plugin_.Start().ok());
  const auto nodes = plugin_.Try(FakePod("test"))->Filter().nodes;
  EXPECT_EQ(nodes.at("scheduler-1"),
            (Outcome{BERTH_UNSCHEDULABLE, {"Node:Node: scheduler-1 does not have label priority.lixueduan.com"}}));
  EXPECT_EQ(nodes.at("scheduler-2"),
            (Outcome{BERTH_UNSCHEDULABLE, {"Node:Node: scheduler-2 does not have label priority.lixueduan.com"}}));
}

TEST_F(PriorityTest, AValueThatIsNoIntegerIsSaid) {
  cluster().Add(FakeNode("a").Label(kLabel, "10")).Add(FakeNode("b").Label(kLabel, "high"));
  cluster().Add(FakeNode("c").Label(kLabel, ""));
  ASSERT_TRUE(plugin_.Start().ok());
  const auto nodes = plugin_.Try(FakePod("test"))->Filter().nodes;
  EXPECT_TRUE(nodes.at("a").ok());
  EXPECT_EQ(nodes.at("b"),
            (Outcome{BERTH_UNSCHEDULABLE,
                     {"Node:Node: b does not have an integer in label priority.lixueduan.com: \"high\""}}));
  EXPECT_EQ(nodes.at("c"), (Outcome{BERTH_UNSCHEDULABLE,
                                    {"Node:Node: c does not have an integer in label priority.lixueduan.com: \"\""}}));
}

TEST_F(PriorityTest, TheLabelIsTheScore) {
  cluster().Add(FakeNode("scheduler-1").Label(kLabel, "10")).Add(FakeNode("scheduler-2").Label(kLabel, "20"));
  ASSERT_TRUE(plugin_.Start().ok());
  auto attempt = plugin_.Try(FakePod("test"));
  const Scores scores{{"scheduler-1", 10}, {"scheduler-2", 20}};
  EXPECT_EQ(attempt->Score().nodes, scores);
  EXPECT_EQ(attempt->Normalize(scores).nodes, scores);
  EXPECT_EQ(attempt->Normalize({{"scheduler-1", 10}, {"scheduler-2", 1000}}).nodes,
            (Scores{{"scheduler-1", 1}, {"scheduler-2", 100}}));
}

// Results are total: the host may also request scores of rejected nodes.
TEST_F(PriorityTest, NodesWithoutANumberScoreZero) {
  cluster().Add(FakeNode("a").Label(kLabel, "10")).Add(FakeNode("b")).Add(FakeNode("c").Label(kLabel, "x"));
  ASSERT_TRUE(plugin_.Start().ok());
  EXPECT_EQ(plugin_.Try(FakePod("p"))->Score().nodes, (Scores{{"a", 10}, {"b", 0}, {"c", 0}}));
}

TEST_F(PriorityTest, NoNodeHasTheLabel) {
  cluster().Add(FakeNode("a")).Add(FakeNode("b"));
  ASSERT_TRUE(plugin_.Start().ok());
  const auto scored = plugin_.Try(FakePod("p"))->Score();
  EXPECT_EQ(scored.nodes, (Scores{{"a", 0}, {"b", 0}}));
}

TEST_F(PriorityTest, ThreadsAnswerAlike) {
  for (int i = 0; i < 50; ++i) {
    cluster().Add(FakeNode("n" + std::to_string(i)).Label(i % 3 == 0 ? "other" : kLabel, std::to_string(i)));
  }
  ASSERT_TRUE(plugin_.Start().ok());
  auto attempt = plugin_.Try(FakePod("p"));
  EXPECT_EQ(attempt->FilterInParallel(4).nodes, attempt->Filter().nodes);
}

TEST_F(PriorityTest, RetriesWhenANodeGetsANumber) {
  ASSERT_TRUE(plugin_.Start().ok());
  EXPECT_EQ(plugin_.Interests(),
            (std::vector<InterestOutcome>{{"Node", BERTH_ACTION_ADD | BERTH_ACTION_UPDATE_NODE_LABEL, true}}));
  const FakeNode none("n"), ten = FakeNode("n").Label(kLabel, "10"), twenty = FakeNode("n").Label(kLabel, "20"),
                            word = FakeNode("n").Label(kLabel, "high");
  const auto retry = [&](std::optional<FakeNode> before, std::optional<FakeNode> now) -> bool {
    const FakeEvent event{.resource = "Node", .old_node = std::move(before), .new_node = std::move(now)};
    return plugin_.Hints(event, {FakePod("p")}).queue.at(0);
  };
  EXPECT_TRUE(retry(std::nullopt, ten));
  EXPECT_FALSE(retry(std::nullopt, none));
  EXPECT_TRUE(retry(none, ten));
  EXPECT_TRUE(retry(word, ten));
  EXPECT_FALSE(retry(none, word));
  EXPECT_FALSE(retry(ten, twenty));  // it had one before, so this plugin did not reject it
  EXPECT_FALSE(retry(ten, none));
}

}  // namespace
