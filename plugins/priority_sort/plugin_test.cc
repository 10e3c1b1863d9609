#include <gtest/gtest.h>
#include <berth/testing/plugin_under_test.hpp>

#include "berth/entry.h"

namespace {

using namespace berth::sdk::testing;  // NOLINT: tests use the fake host's names

struct LessCase {
  const char* name;
  FakeQueued a, b;
  bool expected;
};

class PrioritySortTest : public testing::TestWithParam<LessCase> {};

TEST_P(PrioritySortTest, Less) {
  PluginUnderTest plugin(berth_entry_v1, "PrioritySort");
  ASSERT_TRUE(plugin.Start().ok());
  EXPECT_EQ(plugin.Less(GetParam().a, GetParam().b), GetParam().expected);
  if (!GetParam().expected) return;
  EXPECT_FALSE(plugin.Less(GetParam().b, GetParam().a));
}

FakePod WithPriority(int32_t priority) { return FakePod("p").Priority(priority); }

INSTANTIATE_TEST_SUITE_P(
    Upstream, PrioritySortTest,
    testing::Values(LessCase{"Higher", {WithPriority(100), 5}, {WithPriority(50), 0}, true},
                    LessCase{"LowerIsNotLess", {WithPriority(50), 0}, {WithPriority(100), 5}, false},
                    LessCase{"EqualOlderFirst", {WithPriority(7), 1}, {WithPriority(7), 2}, true},
                    LessCase{"EqualYoungerLater", {WithPriority(7), 2}, {WithPriority(7), 1}, false},
                    LessCase{"AbsentCountsAsZero", {FakePod("p"), 9}, {WithPriority(-1), 0}, true},
                    LessCase{"SameInstantIsNotLess", {WithPriority(7), 2}, {WithPriority(7), 2}, false}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
