// Tests the plugin as the host uses it. The SDK's fake host is written in C++, so this test of a C plugin is too.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <berth/testing/plugin_under_test.hpp>

namespace {

using berth::sdk::testing::FakeNode;
using berth::sdk::testing::FakePod;
using berth::sdk::testing::FakeValue;
using berth::sdk::testing::Outcome;
using berth::sdk::testing::PluginUnderTest;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class TemplatePluginCTest : public ::testing::Test {
 protected:
  TemplatePluginCTest() { plugin_.cluster().Add(FakeNode("plain")).Add(FakeNode("labelled").Label("pool", "a")); }
  ~TemplatePluginCTest() override { EXPECT_THAT(plugin_.Violations(), IsEmpty()); }

  PluginUnderTest plugin_{berth_entry_v1, "templatePluginC"};
};

TEST_F(TemplatePluginCTest, WithoutALabelEveryNodePasses) {
  ASSERT_TRUE(plugin_.Start().ok());
  const auto filtered = plugin_.Try(FakePod("p"))->Filter();
  EXPECT_TRUE(filtered.nodes.at("plain").ok());
  EXPECT_TRUE(filtered.nodes.at("labelled").ok());
}

TEST_F(TemplatePluginCTest, NodesWithoutTheLabelAreRejected) {
  plugin_.Args(FakeValue::Object({{"label", "pool"}}));
  ASSERT_TRUE(plugin_.Start().ok());
  const auto filtered = plugin_.Try(FakePod("p"))->Filter();
  EXPECT_EQ(filtered.nodes.at("plain"),
            (Outcome{BERTH_UNRESOLVABLE, {"node(s) didn't have the label that templatePluginC asks for"}}));
  EXPECT_TRUE(filtered.nodes.at("labelled").ok());
}

TEST_F(TemplatePluginCTest, RefusesALabelThatIsNoText) {
  plugin_.Args(FakeValue::Object({{"label", 7}}));
  const Outcome outcome = plugin_.Start();
  EXPECT_EQ(outcome.code, BERTH_ERROR);
  EXPECT_THAT(outcome.reasons, ElementsAre("templatePluginC: label must be a string"));
}

TEST(TemplatePluginCHostTest, RefusesAHostThatLacksWhatItNeeds) {
  for (const char* service : {BERTH_SERVICE_SNAPSHOT, BERTH_SERVICE_CYCLE, BERTH_SERVICE_CONFIG, BERTH_SERVICE_VALUE}) {
    PluginUnderTest poor(berth_entry_v1, "templatePluginC");
    poor.host().Without(service);
    const Outcome outcome = poor.Start();
    EXPECT_EQ(outcome.code, BERTH_ERROR);
    EXPECT_THAT(outcome.reasons, ElementsAre(HasSubstr("this host offers no")));
    EXPECT_THAT(poor.Violations(), IsEmpty());
  }
}

}  // namespace
