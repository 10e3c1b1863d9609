#include <gtest/gtest.h>
#include <berth/testing/plugin_under_test.hpp>

#include "berth/entry.h"

namespace {

using namespace berth::sdk::testing;  // NOLINT: tests use the fake host's names

TEST(DefaultBinder, BindsThroughTheHost) {
  PluginUnderTest plugin(berth_entry_v1, "DefaultBinder");
  plugin.cluster().Add(FakeNode("n1"));
  ASSERT_TRUE(plugin.Start().ok());
  EXPECT_TRUE(plugin.Try(FakePod("p"))->Bind("n1").ok());
}

}  // namespace
