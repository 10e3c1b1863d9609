#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <berth/testing/plugin_under_test.hpp>

namespace {

using namespace berth::sdk::testing;  // NOLINT: tests use the fake host's names
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class DefalutTest : public ::testing::Test {
 protected:
  DefalutTest() { plugin_.cluster().Add(FakeNode("yigou-dev-102-45")).Add(FakeNode("yigou-dev-102-46")); }
  ~DefalutTest() override { EXPECT_THAT(plugin_.Violations(), IsEmpty()); }

  void StartAt(int32_t verbosity) {
    plugin_.host().Verbosity(verbosity);
    ASSERT_TRUE(plugin_.Start().ok());
  }
  Texts Lines() {
    Texts lines;
    for (const LogLine& line : plugin_.host().Log()) {
      EXPECT_EQ(line.severity, BERTH_LOG_INFO);
      EXPECT_EQ(line.verbosity, 3);
      EXPECT_THAT(line.fields, IsEmpty());
      lines.push_back(line.message);
    }
    return lines;
  }

  PluginUnderTest plugin_{berth_entry_v1, "defalut"};
  const std::string node_ = "yigou-dev-102-46";
};

TEST_F(DefalutTest, LogsEachExtensionPointOfAPod) {
  StartAt(3);
  auto attempt = plugin_.Try(FakePod("test"));
  EXPECT_TRUE(attempt->PreFilter().ok());
  attempt->Filter();
  EXPECT_TRUE(attempt->PreScore().ok());
  attempt->Score();
  attempt->Normalize({{"yigou-dev-102-45", 0}, {"yigou-dev-102-46", 0}});
  EXPECT_TRUE(attempt->Reserve(node_).ok());
  EXPECT_TRUE(attempt->Permit(node_).ok());
  EXPECT_TRUE(attempt->PreBind(node_).ok());
  attempt->PostBind(node_);
  EXPECT_THAT(Lines(),
              ElementsAre("PreFilter: test", "Filter : pod: test, node: yigou-dev-102-45",
                          "Filter : pod: test, node: yigou-dev-102-46", "PreScore: test", "PreScore: yigou-dev-102-45",
                          "PreScore: yigou-dev-102-46", "Score: pod: test, node: yigou-dev-102-45",
                          "Score: pod: test, node: yigou-dev-102-46", "NormalizeScore: pod: test",
                          "Reserve: pod: test, node: yigou-dev-102-46", "Permit: pod: test, node: yigou-dev-102-46",
                          "PreBind: pod: test, node: yigou-dev-102-46", "PostBind: pod: test, node: yigou-dev-102-46"));
}

TEST_F(DefalutTest, TheOtherPointsSpeakToo) {
  StartAt(3);
  auto attempt = plugin_.Try(FakePod("test"));
  EXPECT_TRUE(attempt->PreEnqueue().ok());
  attempt->PostFilter();
  attempt->Unreserve(node_);
  attempt->Bind(node_);
  EXPECT_THAT(Lines(),
              ElementsAre("PreEnqueue: test", "PostFilter: pod: test", "Unreserve: pod: test, node: yigou-dev-102-46",
                          "Bind: pod: test, node: yigou-dev-102-46"));
}

TEST_F(DefalutTest, ChangesNothing) {
  StartAt(0);
  auto attempt = plugin_.Try(FakePod("test"));
  const auto filtered = attempt->Filter();
  EXPECT_TRUE(filtered.nodes.at("yigou-dev-102-45").ok());
  EXPECT_TRUE(filtered.nodes.at(node_).ok());
  EXPECT_EQ(attempt->Score().nodes, (Scores{{"yigou-dev-102-45", 0}, {node_, 0}}));
  const Scores scores{{"yigou-dev-102-45", 7}, {node_, 12}};
  EXPECT_EQ(attempt->Normalize(scores).nodes, scores);
  const auto permitted = attempt->Permit(node_);
  EXPECT_TRUE(permitted.ok());
}

TEST_F(DefalutTest, LeavesPreemptionAndBindingToOthers) {
  StartAt(0);
  auto attempt = plugin_.Try(FakePod("test"));
  const auto post = attempt->PostFilter();
  EXPECT_EQ(static_cast<const Outcome&>(post), (Outcome{BERTH_UNSCHEDULABLE, {}}));
  EXPECT_EQ(post.mode, BERTH_NOMINATE_NOOP);
  EXPECT_EQ(attempt->Bind(node_), (Outcome{BERTH_SKIP, {}}));
  EXPECT_THAT(plugin_.host().bindings(), IsEmpty());
}

TEST_F(DefalutTest, IsSilentBelowVerbosityThree) {
  StartAt(2);
  auto attempt = plugin_.Try(FakePod("test"));
  attempt->PreEnqueue();
  attempt->PreFilter();
  attempt->Filter();
  attempt->PostFilter();
  attempt->PreScore();
  attempt->Score();
  attempt->Reserve(node_);
  attempt->PostBind(node_);
  EXPECT_THAT(Lines(), IsEmpty());
}

TEST_F(DefalutTest, NodesAreFilteredByManyThreads) {
  for (int i = 0; i < 40; ++i) plugin_.cluster().Add(FakeNode("node-" + std::to_string(i)));
  StartAt(3);
  plugin_.Try(FakePod("test"))->FilterInParallel(4);
  Texts expected{"Filter : pod: test, node: yigou-dev-102-45", "Filter : pod: test, node: yigou-dev-102-46"};
  for (int i = 0; i < 40; ++i) expected.push_back("Filter : pod: test, node: node-" + std::to_string(i));
  EXPECT_THAT(Lines(), ::testing::UnorderedElementsAreArray(expected));
}

}  // namespace
