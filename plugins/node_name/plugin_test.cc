#include <gtest/gtest.h>
#include <berth/testing/plugin_under_test.hpp>

#include "berth/entry.h"

namespace {

using namespace berth::sdk::testing;  // NOLINT: tests use the fake host's names

TEST(NodeName, Filter) {
  PluginUnderTest plugin(berth_entry_v1, "NodeName");
  plugin.cluster().Add(FakeNode("foo")).Add(FakeNode("bar"));
  ASSERT_TRUE(plugin.Start().ok());
  const Outcome refused{BERTH_UNRESOLVABLE, {"node(s) didn't match the requested node name"}};
  auto any = plugin.Try(FakePod("p"))->Filter();
  EXPECT_TRUE(any.nodes["foo"].ok());
  EXPECT_TRUE(any.nodes["bar"].ok());
  auto named = plugin.Try(FakePod("p").Node("foo"))->Filter();
  EXPECT_TRUE(named.nodes["foo"].ok());
  EXPECT_EQ(named.nodes["bar"], refused);
  auto nowhere = plugin.Try(FakePod("p").Node("elsewhere"))->Filter();
  EXPECT_EQ(nowhere.nodes["foo"], refused);
}

TEST(NodeName, AnyNewNodeIsWorthATry) {
  PluginUnderTest plugin(berth_entry_v1, "NodeName");
  ASSERT_TRUE(plugin.Start().ok());
  EXPECT_EQ(plugin.Interests(), (std::vector<InterestOutcome>{{"Node", BERTH_ACTION_ADD, false}}));
}

}  // namespace
