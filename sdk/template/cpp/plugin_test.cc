// Tests of the logic with numbers, then of the plugin as the host uses it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <berth/testing/plugin_under_test.hpp>

#include "logic.h"

namespace template_plugin {
namespace {

using berth::sdk::testing::FakeNode;
using berth::sdk::testing::FakePod;
using berth::sdk::testing::FakeValue;
using berth::sdk::testing::PluginUnderTest;
using berth::sdk::testing::Scores;
using berth::sdk::testing::Texts;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(FreePercentTest, TableOfCases) {
  EXPECT_EQ(FreePercent(4000, 0), 100);
  EXPECT_EQ(FreePercent(4000, 1000), 75);
  EXPECT_EQ(FreePercent(3000, 1000), 66);  // truncated, not rounded
  EXPECT_EQ(FreePercent(4000, 5000), 0);
  EXPECT_EQ(FreePercent(0, 0), 0);
}

class TemplatePluginTest : public ::testing::Test {
 protected:
  TemplatePluginTest() {
    plugin_.cluster()
        .Add(FakeNode("plain").Allocatable({{"cpu", 4000}}))
        .Add(FakeNode("labelled").Allocatable({{"cpu", 2000}}).Label("pool", "a"))
        .Add(FakePod("old").Req({{"cpu", 1000}}), "plain");
  }
  ~TemplatePluginTest() override { EXPECT_THAT(plugin_.Violations(), IsEmpty()); }

  PluginUnderTest plugin_{berth_entry_v1, "templatePlugin"};
};

TEST_F(TemplatePluginTest, WithoutALabelEveryNodePasses) {
  ASSERT_TRUE(plugin_.Start().ok());
  const auto filtered = plugin_.Try(FakePod("p"))->Filter();
  EXPECT_TRUE(filtered.nodes.at("plain").ok());
  EXPECT_TRUE(filtered.nodes.at("labelled").ok());
}

TEST_F(TemplatePluginTest, NodesWithoutTheLabelAreRejected) {
  plugin_.Args(FakeValue::Object({{"label", "pool"}}));
  ASSERT_TRUE(plugin_.Start().ok());
  const auto filtered = plugin_.Try(FakePod("p"))->Filter();
  EXPECT_EQ(filtered.nodes.at("plain").code, BERTH_UNRESOLVABLE);
  EXPECT_THAT(filtered.nodes.at("plain").reasons,
              ElementsAre("node(s) didn't have the label that templatePlugin asks for"));
  EXPECT_TRUE(filtered.nodes.at("labelled").ok());
}

TEST_F(TemplatePluginTest, ScoreIsTheFreePercentage) {
  ASSERT_TRUE(plugin_.Start().ok());
  EXPECT_EQ(plugin_.Try(FakePod("p"))->Score().nodes, (Scores{{"plain", 75}, {"labelled", 100}}));
}

TEST_F(TemplatePluginTest, AResourceThatNobodyHasScoresAllAlike) {
  plugin_.Args(FakeValue::Object({{"resource", "example.org/gpu"}}));
  ASSERT_TRUE(plugin_.Start().ok());
  const auto scored = plugin_.Try(FakePod("p"))->Score();
  EXPECT_TRUE(scored.uniform);
  EXPECT_EQ(scored.nodes, (Scores{{"plain", 0}, {"labelled", 0}}));
}

TEST_F(TemplatePluginTest, ArgsAreCompletedAndChecked) {
  EXPECT_EQ(plugin_.Complete(FakeValue()).json, R"({"label":"","resource":"cpu"})");
  EXPECT_THAT(plugin_.Complete(FakeValue::Object({{"lable", "pool"}})).Errors(),
              ElementsAre("lable: unknown field \"lable\""));
  EXPECT_THAT(plugin_.Check(FakeValue::Object({{"resource", ""}})).Errors(),
              ElementsAre("resource: Required value: can not be empty"));
}

}  // namespace
}  // namespace template_plugin
