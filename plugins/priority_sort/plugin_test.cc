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
    testing::Values(
        LessCase{.name = "Higher", .a = {WithPriority(100), 5}, .b = {WithPriority(50), 0}, .expected = true},
        LessCase{.name = "LowerIsNotLess", .a = {WithPriority(50), 0}, .b = {WithPriority(100), 5}, .expected = false},
        LessCase{.name = "EqualOlderFirst", .a = {WithPriority(7), 1}, .b = {WithPriority(7), 2}, .expected = true},
        LessCase{.name = "EqualYoungerLater", .a = {WithPriority(7), 2}, .b = {WithPriority(7), 1}, .expected = false},
        LessCase{.name = "AbsentCountsAsZero", .a = {FakePod("p"), 9}, .b = {WithPriority(-1), 0}, .expected = true},
        LessCase{
            .name = "SameInstantIsNotLess", .a = {WithPriority(7), 2}, .b = {WithPriority(7), 2}, .expected = false}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
