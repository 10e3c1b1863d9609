#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <berth/testing/plugin_under_test.hpp>

#include "berth/entry.h"

namespace {

using namespace berth::sdk::testing;  // NOLINT: tests use the fake host's names
using testing::ElementsAre;

const Outcome kRefused{BERTH_UNRESOLVABLE, {"node(s) had untolerated taint(s)"}};

struct Case {
  const char* name;
  FakePod pod;
  FakeNode node;
  bool fits;
};

class TaintTolerationFilter : public testing::TestWithParam<Case> {};

TEST_P(TaintTolerationFilter, Filter) {
  PluginUnderTest plugin(berth_entry_v1, "TaintToleration");
  plugin.cluster().Add(GetParam().node);
  ASSERT_TRUE(plugin.Start().ok());
  EXPECT_EQ(plugin.Try(GetParam().pod)->Filter().nodes.at("n"), GetParam().fits ? Outcome{} : kRefused);
}

FakeNode Tainted(const char* key, const char* value, const char* effect) {
  return FakeNode("n").Taint(key, effect, value);
}

INSTANTIATE_TEST_SUITE_P(
    Upstream, TaintTolerationFilter,
    testing::Values(
        Case{.name = "NoTolerations",
             .pod = FakePod("p"),
             .node = Tainted("dedicated", "user1", "NoSchedule"),
             .fits = false},
        Case{.name = "ToleratedEqual",
             .pod = FakePod("p").Toleration("dedicated", "", "user1", "NoSchedule"),
             .node = Tainted("dedicated", "user1", "NoSchedule"),
             .fits = true},
        Case{.name = "OtherValue",
             .pod = FakePod("p").Toleration("dedicated", "Equal", "user2", "NoSchedule"),
             .node = Tainted("dedicated", "user1", "NoSchedule"),
             .fits = false},
        Case{.name = "Exists",
             .pod = FakePod("p").Toleration("foo", "Exists", "", "NoSchedule"),
             .node = Tainted("foo", "bar", "NoSchedule"),
             .fits = true},
        Case{.name = "OneOfTwoTolerated",
             .pod = FakePod("p").Toleration("dedicated", "Equal", "user2", "NoSchedule"),
             .node = FakeNode("n").Taint("dedicated", "NoSchedule", "user2").Taint("foo", "NoSchedule", "bar"),
             .fits = false},
        Case{.name = "BothTolerated",
             .pod = FakePod("p")
                        .Toleration("dedicated", "Equal", "user2", "NoSchedule")
                        .Toleration("foo", "Exists", "", "NoSchedule"),
             .node = FakeNode("n").Taint("dedicated", "NoSchedule", "user2").Taint("foo", "NoSchedule", "bar"),
             .fits = true},
        Case{.name = "EffectDiffers",
             .pod = FakePod("p").Toleration("foo", "Equal", "bar", "PreferNoSchedule"),
             .node = Tainted("foo", "bar", "NoSchedule"),
             .fits = false},
        Case{.name = "EmptyEffectMatchesAny",
             .pod = FakePod("p").Toleration("foo", "Equal", "bar", ""),
             .node = Tainted("foo", "bar", "NoSchedule"),
             .fits = true},
        Case{.name = "PreferNoScheduleNeverRefuses",
             .pod = FakePod("p"),
             .node = Tainted("dedicated", "user1", "PreferNoSchedule"),
             .fits = true},
        Case{.name = "NoExecuteRefuses", .pod = FakePod("p"), .node = Tainted("k", "", "NoExecute"), .fits = false},
        Case{.name = "NumericOperatorsAreOff",
             .pod = FakePod("p").Toleration("k", "Gt", "1", "NoSchedule"),
             .node = Tainted("k", "5", "NoSchedule"),
             .fits = false}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(TaintToleration, ScoreCountsUntoleratedTaints) {
  PluginUnderTest plugin(berth_entry_v1, "TaintToleration");
  plugin.cluster()
      .Add(FakeNode("a"))
      .Add(FakeNode("b").Taint("x", "PreferNoSchedule", "").Taint("hard", "NoSchedule", ""))
      .Add(FakeNode("c").Taint("x", "PreferNoSchedule", "").Taint("y", "PreferNoSchedule", ""))
      .Add(FakeNode("d").Taint("ok", "PreferNoSchedule", "1"));
  ASSERT_TRUE(plugin.Start().ok());
  auto attempt = plugin.Try(FakePod("p").Toleration("ok", "Equal", "1", "PreferNoSchedule"));
  ASSERT_TRUE(attempt->PreScore().ok());
  EXPECT_EQ(attempt->Score().nodes, (Scores{{"a", 0}, {"b", 1}, {"c", 2}, {"d", 0}}));
}

TEST(TaintToleration, Hints) {
  PluginUnderTest plugin(berth_entry_v1, "TaintToleration");
  ASSERT_TRUE(plugin.Start().ok());
  auto hint = [&](std::optional<FakeNode> before, FakeNode after) -> bool {
    return plugin
        .Hints({.resource = "Node", .interest = 0, .old_node = std::move(before), .new_node = std::move(after)},
               {FakePod("p")})
        .queue.at(0);
  };
  const FakeNode bad = Tainted("k", "", "NoSchedule"), good("n");
  EXPECT_TRUE(hint(std::nullopt, good));
  EXPECT_FALSE(hint(std::nullopt, bad));
  EXPECT_TRUE(hint(bad, good));
  EXPECT_FALSE(hint(good, good));
  EXPECT_FALSE(hint(good, bad));
  const auto own = plugin.Hints({.resource = "Pod", .interest = 1, .old_pod = FakePod("p"), .new_pod = FakePod("p")},
                                {FakePod("p"), FakePod("q")});
  EXPECT_THAT(own.queue, ElementsAre(true, false));
}

}  // namespace
