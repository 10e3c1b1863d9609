#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <berth/testing/plugin_under_test.hpp>

#include "berth/entry.h"

namespace {

using namespace berth::sdk::testing;  // NOLINT: tests use the fake host's names
using testing::ElementsAre;

constexpr const char* kTaint = "node.kubernetes.io/unschedulable";

struct Case {
  const char* name;
  FakePod pod;
  bool cordoned, fits;
};

class NodeUnschedulableTest : public testing::TestWithParam<Case> {};

TEST_P(NodeUnschedulableTest, Filter) {
  PluginUnderTest plugin(berth_entry_v1, "NodeUnschedulable");
  FakeNode node("n1");
  if (GetParam().cordoned) node.Unschedulable();
  plugin.cluster().Add(node).Add(FakeNode("n2"));
  ASSERT_TRUE(plugin.Start().ok());
  auto result = plugin.Try(GetParam().pod)->Filter();
  EXPECT_EQ(result.nodes["n1"],
            GetParam().fits ? Outcome{} : (Outcome{BERTH_UNRESOLVABLE, {"node(s) were unschedulable"}}));
  EXPECT_TRUE(result.nodes["n2"].ok());
}

INSTANTIATE_TEST_SUITE_P(
    Upstream, NodeUnschedulableTest,
    testing::Values(
        Case{.name = "CordonedRefuses", .pod = FakePod("p"), .cordoned = true, .fits = false},
        Case{.name = "Schedulable", .pod = FakePod("p"), .cordoned = false, .fits = true},
        Case{.name = "KeyTolerated",
             .pod = FakePod("p").Toleration(kTaint, "Exists", "", "NoSchedule"),
             .cordoned = true,
             .fits = true},
        Case{.name = "ExistsAll", .pod = FakePod("p").Toleration("", "Exists"), .cordoned = true, .fits = true},
        Case{.name = "EmptyOperatorAndValue",
             .pod = FakePod("p").Toleration(kTaint, "", ""),
             .cordoned = true,
             .fits = true},
        Case{.name = "OtherEffect",
             .pod = FakePod("p").Toleration(kTaint, "Exists", "", "NoExecute"),
             .cordoned = true,
             .fits = false},
        Case{.name = "OtherValue",
             .pod = FakePod("p").Toleration(kTaint, "Equal", "x"),
             .cordoned = true,
             .fits = false}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(NodeUnschedulable, Hints) {
  PluginUnderTest plugin(berth_entry_v1, "NodeUnschedulable");
  ASSERT_TRUE(plugin.Start().ok());
  const FakePod pod("p");
  auto node_hint = [&](std::optional<FakeNode> before, FakeNode after) -> bool {
    return plugin
        .Hints({.resource = "Node", .interest = 0, .old_node = std::move(before), .new_node = std::move(after)}, {pod})
        .queue.at(0);
  };
  EXPECT_FALSE(node_hint(std::nullopt, FakeNode("n").Unschedulable()));
  EXPECT_TRUE(node_hint(std::nullopt, FakeNode("n")));
  EXPECT_FALSE(node_hint(FakeNode("n"), FakeNode("n").Unschedulable()));
  EXPECT_FALSE(node_hint(FakeNode("n"), FakeNode("n")));
  EXPECT_TRUE(node_hint(FakeNode("n").Unschedulable(), FakeNode("n")));
  const FakePod tolerant = FakePod("p").Toleration(kTaint, "Exists");
  const auto own = plugin.Hints({.resource = "Pod", .interest = 1, .old_pod = pod, .new_pod = tolerant},
                                {FakePod("p"), FakePod("other")});
  EXPECT_THAT(own.queue, ElementsAre(true, false));
  EXPECT_FALSE(plugin.Hints({.resource = "Pod", .interest = 1, .old_pod = pod, .new_pod = pod}, {pod}).queue.at(0));
}

}  // namespace
