// The events that requeue a pod, with the cases of upstream's
// pkg/scheduler/framework/plugins/podtopologyspread/plugin_test.go, by their names.
#include <gtest/gtest.h>

#include "spreading.h"

namespace {

using namespace spreading;  // NOLINT: the names are made for this

struct HintCase {
  const char* name;
  Spreading pod;
  const char* before;  // null: there is none
  const char* now;
  bool wakes;
};

// "p2 on:node to:node ns:other tolerates foo bar=1": its uid, its node or nominated node, labels.
std::optional<FakePod> ReadPod(const char* line) {
  if (line == nullptr) return std::nullopt;
  const auto words = Words(line);
  FakePod pod(words.at(0).first);
  pod.Uid(words[0].first);
  for (size_t i = 1; i < words.size(); ++i) {
    const auto& [key, value] = words[i];
    if (key.starts_with("on:")) {
      pod.Node(key.substr(3));
    } else if (key.starts_with("to:")) {
      pod.Nominated(key.substr(3));
    } else if (key.starts_with("ns:")) {
      pod.Namespace(key.substr(3));
    } else if (key == "tolerates") {
      pod.Toleration(kTaint);
    } else {
      pod.Label(key, value);
    }
  }
  return pod;
}

// "a zone=zone1 taint:key"
std::optional<FakeNode> ReadNode(const char* line) {
  if (line == nullptr) return std::nullopt;
  const auto words = Words(line);
  FakeNode node(words.at(0).first);
  for (size_t i = 1; i < words.size(); ++i) {
    const auto& [key, value] = words[i];
    if (key.starts_with("taint:")) {
      node.Taint(key.substr(6), "NoSchedule");
    } else {
      node.Label(key, value);
    }
  }
  return node;
}

class SpreadHint : public testing::TestWithParam<HintCase> {
 protected:
  bool Ask(FakeEvent event) {
    Plugin plugin("", "");
    EXPECT_TRUE(plugin.Start().ok());
    return plugin.Hints(event, {GetParam().pod.Build().Uid("p")}).queue.at(0);
  }
};
class SpreadNodeHint : public SpreadHint {};
class SpreadPodHint : public SpreadHint {};

// Test_isSchedulableAfterNodeChange
TEST_P(SpreadNodeHint, Wakes) {
  EXPECT_EQ(Ask({.resource = "Node",
                 .interest = 1,
                 .old_node = ReadNode(GetParam().before),
                 .new_node = ReadNode(GetParam().now)}),
            GetParam().wakes);
}
// Test_isSchedulableAfterPodChange
TEST_P(SpreadPodHint, Wakes) {
  EXPECT_EQ(Ask({.resource = "AssignedPod",
                 .interest = 0,
                 .old_pod = ReadPod(GetParam().before),
                 .new_pod = ReadPod(GetParam().now)}),
            GetParam().wakes);
}

const HintCase kNodeHints[] = {
    {.name = "node updates label which matches topologyKey",
     .pod = Spreading("", {Hard(1, "zone", kFoo)}),
     .before = "a zone=zone1",
     .now = "a zone=zone2",
     .wakes = true},
    {.name = "node that doesn't match topologySpreadConstraints updates non-related label",
     .pod = Spreading("", {Hard(1, "zone", kFoo)}),
     .before = "a foo=bar1",
     .now = "a foo=bar2",
     .wakes = false},
    {.name = "node that match topologySpreadConstraints adds non-related label",
     .pod = Spreading("", {Hard(1, "zone", kFoo), Hard(1, "node", kFoo)}),
     .before = "a zone=zone1 node=node1 foo=bar",
     .now = "a zone=zone1 node=node1",
     .wakes = false},
    {.name = "create node with non-related labels",
     .pod = Spreading("", {Hard(1, "zone", kFoo)}),
     .before = nullptr,
     .now = "a foo=bar",
     .wakes = false},
    {.name = "create node with related labels",
     .pod = Spreading("", {Hard(1, "zone", kFoo)}),
     .before = nullptr,
     .now = "a zone=zone1",
     .wakes = true},
    {.name = "delete node with non-related labels",
     .pod = Spreading("", {Hard(1, "zone", kFoo)}),
     .before = "a foo=bar",
     .now = nullptr,
     .wakes = false},
    {.name = "delete node with related labels",
     .pod = Spreading("", {Hard(1, "zone", kFoo)}),
     .before = "a zone=zone1",
     .now = nullptr,
     .wakes = true},
    {.name = "add node with related labels that only match one of topologySpreadConstraints",
     .pod = Spreading("", {Hard(1, "zone", kFoo), Hard(1, "node", kFoo)}),
     .before = nullptr,
     .now = "a zone=zone1",
     .wakes = false},
    {.name = "add node with related labels that match all topologySpreadConstraints",
     .pod = Spreading("", {Hard(1, "zone", kFoo), Hard(1, "node", kFoo)}),
     .before = nullptr,
     .now = "a zone=zone1 node=node1",
     .wakes = true},
    {.name = "update node with related labels that only match one of topologySpreadConstraints",
     .pod = Spreading("", {Hard(1, "zone", kFoo), Hard(1, "node", kFoo)}),
     .before = "a zone=zone1",
     .now = "a zone=zone1",
     .wakes = false},
    {.name = "update node with related labels that match all topologySpreadConstraints",
     .pod = Spreading("", {Hard(1, "zone", kFoo), Hard(1, "node", kFoo)}),
     .before = "a zone=zone1 node=node1",
     .now = "a zone=zone1 node=node2",
     .wakes = true},
    {.name = "update node with different taints that match all topologySpreadConstraints",
     .pod = Spreading("", {Hard(1, "zone", kFoo), Hard(1, "node", kFoo)}),
     .before = "a zone=zone1 node=node1 taint:aaa",
     .now = "a zone=zone1 node=node1 taint:ccc",
     .wakes = true},
    {.name = "update node with different taints that only match one of topologySpreadConstraints",
     .pod = Spreading("", {Hard(1, "zone", kFoo), Hard(1, "node", kFoo)}),
     .before = "a node=node1 taint:aaa",
     .now = "a node=node1 taint:ccc",
     .wakes = false},
};
const HintCase kPodHints[] = {
    {.name = "add pod with labels match topologySpreadConstraints selector",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo)}),
     .before = nullptr,
     .now = "p2 on:fake-node foo",
     .wakes = true},
    {.name = "add un-scheduled pod",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo)}),
     .before = nullptr,
     .now = "p2 foo",
     .wakes = false},
    {.name = "update un-scheduled pod",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo)}),
     .before = "p2 bar",
     .now = "p2 foo",
     .wakes = false},
    {.name = "delete un-scheduled pod",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo)}),
     .before = "p2 foo",
     .now = nullptr,
     .wakes = false},
    {.name = "add pod with different namespace",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo)}),
     .before = nullptr,
     .now = "p2 on:fake-node ns:other foo",
     .wakes = false},
    {.name = "add pod with labels don't match topologySpreadConstraints selector",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo)}),
     .before = nullptr,
     .now = "p2 on:fake-node bar",
     .wakes = false},
    {.name = "delete pod with labels that match topologySpreadConstraints selector",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo)}),
     .before = "p2 on:fake-node foo",
     .now = nullptr,
     .wakes = true},
    {.name = "delete nominated pod with labels that don't match topologySpreadConstraints selector",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo)}),
     .before = "p2 to:fake-node bar",
     .now = nullptr,
     .wakes = false},
    {.name = "delete nominated pod with labels that match topologySpreadConstraints selector",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo)}),
     .before = "p2 to:fake-node foo",
     .now = nullptr,
     .wakes = true},
    {.name = "delete pod with labels that don't match topologySpreadConstraints selector",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo)}),
     .before = "p2 on:fake-node bar",
     .now = nullptr,
     .wakes = false},
    {.name = "update pod's non-related label",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo)}),
     .before = "p2 on:fake-node foo bar=bar1",
     .now = "p2 on:fake-node foo bar=bar2",
     .wakes = false},
    {.name = "add pod's label that matches topologySpreadConstraints selector",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo)}),
     .before = "p2 on:fake-node",
     .now = "p2 on:fake-node foo",
     .wakes = true},
    {.name = "delete pod label that matches topologySpreadConstraints selector",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo)}),
     .before = "p2 on:fake-node foo",
     .now = "p2 on:fake-node",
     .wakes = true},
    {.name = "change pod's label that matches topologySpreadConstraints selector",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo)}),
     .before = "p2 on:fake-node foo=foo1",
     .now = "p2 on:fake-node foo=foo2",
     .wakes = false},
    {.name = "change pod's label that doesn't match topologySpreadConstraints selector",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo)}),
     .before = "p2 on:fake-node foo bar=bar1",
     .now = "p2 on:fake-node foo bar=bar2",
     .wakes = false},
    {.name = "add pod's label that matches topologySpreadConstraints selector with multi topologySpreadConstraints",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo), Hard(1, "node", kBar)}),
     .before = "p2 on:fake-node foo",
     .now = "p2 on:fake-node foo bar=bar2",
     .wakes = true},
    {.name = "change pod's label that doesn't match topologySpreadConstraints selector with multi "
             "topologySpreadConstraints",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo), Hard(1, "node", kBar)}),
     .before = "p2 on:fake-node foo",
     .now = "p2 on:fake-node foo baz",
     .wakes = false},
    {.name = "change pod's label that match topologySpreadConstraints selector with multi topologySpreadConstraints",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo), Hard(1, "node", kBar)}),
     .before = "p2 on:fake-node foo bar",
     .now = "p2 on:fake-node foo bar=bar2",
     .wakes = false},
    {.name =
         "the unschedulable Pod has topologySpreadConstraint with NodeTaintsPolicy:Honor and has got a new toleration",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo).Taints("Honor"), Hard(1, "node", kBar)}),
     .before = "p foo",
     .now = "p foo tolerates",
     .wakes = true},
    {.name = "the unschedulable Pod has topologySpreadConstraint without NodeTaintsPolicy:Honor and has got a new "
             "toleration",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo).Taints("Ignore"), Hard(1, "node", kBar)}),
     .before = "p foo",
     .now = "p foo tolerates",
     .wakes = false},
    {.name = "the unschedulable Pod has topologySpreadConstraint and has got a new label matching the selector of the "
             "constraint",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo).Taints("Ignore"), Hard(1, "node", kBar)}),
     .before = "p",
     .now = "p foo",
     .wakes = true},
    {.name = "the unschedulable Pod has topologySpreadConstraint and has got a new unrelated label",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo).Taints("Ignore"), Hard(1, "node", kBar)}),
     .before = "p",
     .now = "p unrelated",
     .wakes = false},
};

INSTANTIATE_TEST_SUITE_P(Upstream, SpreadNodeHint, testing::ValuesIn(kNodeHints),
                         [](const auto& info) { return CaseName(info.param.name); });
INSTANTIATE_TEST_SUITE_P(Upstream, SpreadPodHint, testing::ValuesIn(kPodHints),
                         [](const auto& info) { return CaseName(info.param.name); });

TEST(SpreadHints, Interests) {
  Plugin plugin("", "");
  ASSERT_TRUE(plugin.Start().ok());
  const std::vector<InterestOutcome> want = {
      {"Pod",
       BERTH_ACTION_ADD | BERTH_ACTION_DELETE | BERTH_ACTION_UPDATE_POD_LABEL | BERTH_ACTION_UPDATE_POD_TOLERATION,
       true},
      {"Node", BERTH_ACTION_ADD | BERTH_ACTION_DELETE | BERTH_ACTION_UPDATE_NODE_LABEL | BERTH_ACTION_UPDATE_NODE_TAINT,
       true}};
  EXPECT_EQ(plugin.Interests(), want);
}

// Invalid constraints: upstream's hint returns an error, which causes a retry.
TEST(SpreadHints, BrokenSelectorWakes) {
  Plugin plugin("", "");
  ASSERT_TRUE(plugin.Start().ok());
  const FakeSelector broken{{}, {{"foo", "Near", {}}}};
  const FakePod pod = Spreading("foo", {Hard(1, "zone", broken)}).Build();
  EXPECT_TRUE(plugin.Hints({.resource = "Node", .interest = 1, .new_node = FakeNode("n")}, {pod}).queue.at(0));
}

// A pod without constraints of its own uses the default constraints.
TEST(SpreadHints, DefaultConstraints) {
  Plugin plugin("", "", List({Default(1, "zone", "DoNotSchedule"), Default(1, "rack", "ScheduleAnyway")}));
  plugin.Put("v1/services", FakeObject("service", "default").Spec(R"({"selector": {"foo": ""}})"));
  ASSERT_TRUE(plugin.Start().ok());
  const FakePod pod = FakePod("p").Label("foo", "");
  const auto added = [&](const FakePod& other) -> bool {
    return plugin.Hints({.resource = "AssignedPod", .interest = 0, .new_pod = other}, {pod}).queue.at(0);
  };
  EXPECT_TRUE(added(FakePod("other").Node("n").Label("foo", "")));
  EXPECT_FALSE(added(FakePod("other").Node("n").Label("bar", "")));
  const FakeNode in_zone = FakeNode("n").Label("zone", "z"), in_rack = FakeNode("n").Label("rack", "r");
  EXPECT_TRUE(plugin.Hints({.resource = "Node", .interest = 1, .new_node = in_zone}, {pod}).queue.at(0));
  EXPECT_FALSE(plugin.Hints({.resource = "Node", .interest = 1, .new_node = in_rack}, {pod}).queue.at(0));
}

}  // namespace
