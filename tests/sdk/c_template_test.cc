// The plugin in plain C, loaded as a host loads it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "entries.h"

namespace berth::sdk::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class CTemplateTest : public ::testing::Test {
 protected:
  CTemplateTest() { plugin.cluster().Add(FakeNode("open")).Add(FakeNode("closed").Unschedulable()); }
  PluginUnderTest plugin = PluginUnderTest::Load(std::getenv("BERTH_TEMPLATE_C"), "templatePluginC");
};

TEST_F(CTemplateTest, RejectsUnschedulableNodes) {
  ASSERT_TRUE(plugin.Start().ok());
  const auto filtered = plugin.Try(FakePod())->Filter();
  EXPECT_TRUE(filtered.nodes.at("open").ok());
  EXPECT_EQ(filtered.nodes.at("closed"), (Outcome{BERTH_UNRESOLVABLE, {"node(s) were unschedulable"}}));
  EXPECT_THAT(plugin.Violations(), IsEmpty());
}

TEST_F(CTemplateTest, RefusesAHostWithoutSnapshots) {
  for (const char* service : {BERTH_SERVICE_SNAPSHOT, BERTH_SERVICE_CYCLE}) {
    PluginUnderTest poor = PluginUnderTest::Load(std::getenv("BERTH_TEMPLATE_C"), "templatePluginC");
    poor.host().Without(service);
    const Outcome outcome = poor.Start();
    EXPECT_EQ(outcome.code, BERTH_ERROR);
    EXPECT_THAT(outcome.reasons, ElementsAre(HasSubstr("this host offers no snapshot")));
  }
}

}  // namespace
}  // namespace berth::sdk::testing
