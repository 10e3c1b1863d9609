#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <berth/testing/plugin_under_test.hpp>

namespace {

using namespace berth::sdk::testing;  // NOLINT: tests use the fake host's names
using ::testing::IsEmpty;

class MyScorePluginTest : public ::testing::Test {
 protected:
  MyScorePluginTest() { plugin_.cluster().Add(FakeNode("node1")).Add(FakeNode("node2")).Add(FakeNode("node3")); }
  ~MyScorePluginTest() override { EXPECT_THAT(plugin_.Violations(), IsEmpty()); }

  PluginUnderTest plugin_{berth_entry_v1, "MyScorePlugin"};
};

TEST_F(MyScorePluginTest, CountsPods) {
  plugin_.cluster().Add(FakePod("a"), "node1").Add(FakePod("b"), "node1").Add(FakePod("c"), "node2");
  ASSERT_TRUE(plugin_.Start().ok());
  EXPECT_EQ(plugin_.Try(FakePod("nginx-pod"))->Score().nodes, (Scores{{"node1", 2}, {"node2", 1}, {"node3", 0}}));
}

TEST_F(MyScorePluginTest, TheEmptiestNodeScoresHighest) {
  ASSERT_TRUE(plugin_.Start().ok());
  auto attempt = plugin_.Try(FakePod("nginx-pod"));
  EXPECT_EQ(attempt->Normalize({{"node1", 2}, {"node2", 1}, {"node3", 0}}).nodes,
            (Scores{{"node1", 0}, {"node2", 50}, {"node3", 100}}));
  EXPECT_EQ(attempt->Normalize({{"node1", 0}, {"node2", 0}}).nodes, (Scores{{"node1", 100}, {"node2", 100}}));
}

TEST_F(MyScorePluginTest, AnEmptyClusterScoresAllAlike) {
  ASSERT_TRUE(plugin_.Start().ok());
  EXPECT_EQ(plugin_.Try(FakePod("nginx-pod"))->Score().nodes, (Scores{{"node1", 0}, {"node2", 0}, {"node3", 0}}));
}

}  // namespace
