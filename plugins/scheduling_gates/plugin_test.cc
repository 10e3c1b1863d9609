#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <berth/testing/plugin_under_test.hpp>

#include "berth/entry.h"

namespace {

using namespace berth::sdk::testing;  // NOLINT: tests use the fake host's names
using testing::ElementsAre;

TEST(SchedulingGates, PreEnqueue) {
  PluginUnderTest plugin(berth_entry_v1, "SchedulingGates");
  ASSERT_TRUE(plugin.Start().ok());
  EXPECT_TRUE(plugin.Try(FakePod("p"))->PreEnqueue().ok());
  EXPECT_EQ(plugin.Try(FakePod("p").Gate("foo").Gate("bar"))->PreEnqueue(),
            (Outcome{BERTH_UNRESOLVABLE, {"waiting for scheduling gates: [foo bar]"}}));
  EXPECT_EQ(plugin.Try(FakePod("p").Gate("x"))->PreEnqueue(),
            (Outcome{BERTH_UNRESOLVABLE, {"waiting for scheduling gates: [x]"}}));
}

TEST(SchedulingGates, OnlyThePodItselfIsWoken) {
  PluginUnderTest plugin(berth_entry_v1, "SchedulingGates");
  ASSERT_TRUE(plugin.Start().ok());
  const FakePod gated("a"), other("b");
  const auto hints = plugin.Hints({.resource = "Pod",
                                   .actions = BERTH_ACTION_UPDATE_POD_SCHEDULING_GATES_ELIMINATED,
                                   .old_pod = gated,
                                   .new_pod = gated},
                                  {gated, other});
  EXPECT_THAT(hints.queue, ElementsAre(true, false));
}

}  // namespace
