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
    {"node updates label which matches topologyKey", Spreading("", {Hard(1, "zone", kFoo)}), "a zone=zone1",
     "a zone=zone2", true},
    {"node that doesn't match topologySpreadConstraints updates non-related label",
     Spreading("", {Hard(1, "zone", kFoo)}), "a foo=bar1", "a foo=bar2", false},
    {"node that match topologySpreadConstraints adds non-related label",
     Spreading("", {Hard(1, "zone", kFoo), Hard(1, "node", kFoo)}), "a zone=zone1 node=node1 foo=bar",
     "a zone=zone1 node=node1", false},
    {"create node with non-related labels", Spreading("", {Hard(1, "zone", kFoo)}), nullptr, "a foo=bar", false},
    {"create node with related labels", Spreading("", {Hard(1, "zone", kFoo)}), nullptr, "a zone=zone1", true},
    {"delete node with non-related labels", Spreading("", {Hard(1, "zone", kFoo)}), "a foo=bar", nullptr, false},
    {"delete node with related labels", Spreading("", {Hard(1, "zone", kFoo)}), "a zone=zone1", nullptr, true},
    {"add node with related labels that only match one of topologySpreadConstraints",
     Spreading("", {Hard(1, "zone", kFoo), Hard(1, "node", kFoo)}), nullptr, "a zone=zone1", false},
    {"add node with related labels that match all topologySpreadConstraints",
     Spreading("", {Hard(1, "zone", kFoo), Hard(1, "node", kFoo)}), nullptr, "a zone=zone1 node=node1", true},
    {"update node with related labels that only match one of topologySpreadConstraints",
     Spreading("", {Hard(1, "zone", kFoo), Hard(1, "node", kFoo)}), "a zone=zone1", "a zone=zone1", false},
    {"update node with related labels that match all topologySpreadConstraints",
     Spreading("", {Hard(1, "zone", kFoo), Hard(1, "node", kFoo)}), "a zone=zone1 node=node1",
     "a zone=zone1 node=node2", true},
    {"update node with different taints that match all topologySpreadConstraints",
     Spreading("", {Hard(1, "zone", kFoo), Hard(1, "node", kFoo)}), "a zone=zone1 node=node1 taint:aaa",
     "a zone=zone1 node=node1 taint:ccc", true},
    {"update node with different taints that only match one of topologySpreadConstraints",
     Spreading("", {Hard(1, "zone", kFoo), Hard(1, "node", kFoo)}), "a node=node1 taint:aaa", "a node=node1 taint:ccc",
     false},
};
const HintCase kPodHints[] = {
    {"add pod with labels match topologySpreadConstraints selector", Spreading("foo", {Hard(1, "zone", kFoo)}), nullptr,
     "p2 on:fake-node foo", true},
    {"add un-scheduled pod", Spreading("foo", {Hard(1, "zone", kFoo)}), nullptr, "p2 foo", false},
    {"update un-scheduled pod", Spreading("foo", {Hard(1, "zone", kFoo)}), "p2 bar", "p2 foo", false},
    {"delete un-scheduled pod", Spreading("foo", {Hard(1, "zone", kFoo)}), "p2 foo", nullptr, false},
    {"add pod with different namespace", Spreading("foo", {Hard(1, "zone", kFoo)}), nullptr,
     "p2 on:fake-node ns:other foo", false},
    {"add pod with labels don't match topologySpreadConstraints selector", Spreading("foo", {Hard(1, "zone", kFoo)}),
     nullptr, "p2 on:fake-node bar", false},
    {"delete pod with labels that match topologySpreadConstraints selector", Spreading("foo", {Hard(1, "zone", kFoo)}),
     "p2 on:fake-node foo", nullptr, true},
    {"delete nominated pod with labels that don't match topologySpreadConstraints selector",
     Spreading("foo", {Hard(1, "zone", kFoo)}), "p2 to:fake-node bar", nullptr, false},
    {"delete nominated pod with labels that match topologySpreadConstraints selector",
     Spreading("foo", {Hard(1, "zone", kFoo)}), "p2 to:fake-node foo", nullptr, true},
    {"delete pod with labels that don't match topologySpreadConstraints selector",
     Spreading("foo", {Hard(1, "zone", kFoo)}), "p2 on:fake-node bar", nullptr, false},
    {"update pod's non-related label", Spreading("foo", {Hard(1, "zone", kFoo)}), "p2 on:fake-node foo bar=bar1",
     "p2 on:fake-node foo bar=bar2", false},
    {"add pod's label that matches topologySpreadConstraints selector", Spreading("foo", {Hard(1, "zone", kFoo)}),
     "p2 on:fake-node", "p2 on:fake-node foo", true},
    {"delete pod label that matches topologySpreadConstraints selector", Spreading("foo", {Hard(1, "zone", kFoo)}),
     "p2 on:fake-node foo", "p2 on:fake-node", true},
    {"change pod's label that matches topologySpreadConstraints selector", Spreading("foo", {Hard(1, "zone", kFoo)}),
     "p2 on:fake-node foo=foo1", "p2 on:fake-node foo=foo2", false},
    {"change pod's label that doesn't match topologySpreadConstraints selector",
     Spreading("foo", {Hard(1, "zone", kFoo)}), "p2 on:fake-node foo bar=bar1", "p2 on:fake-node foo bar=bar2", false},
    {"add pod's label that matches topologySpreadConstraints selector with multi topologySpreadConstraints",
     Spreading("foo", {Hard(1, "zone", kFoo), Hard(1, "node", kBar)}), "p2 on:fake-node foo",
     "p2 on:fake-node foo bar=bar2", true},
    {"change pod's label that doesn't match topologySpreadConstraints selector with multi topologySpreadConstraints",
     Spreading("foo", {Hard(1, "zone", kFoo), Hard(1, "node", kBar)}), "p2 on:fake-node foo", "p2 on:fake-node foo baz",
     false},
    {"change pod's label that match topologySpreadConstraints selector with multi topologySpreadConstraints",
     Spreading("foo", {Hard(1, "zone", kFoo), Hard(1, "node", kBar)}), "p2 on:fake-node foo bar",
     "p2 on:fake-node foo bar=bar2", false},
    {"the unschedulable Pod has topologySpreadConstraint with NodeTaintsPolicy:Honor and has got a new toleration",
     Spreading("foo", {Hard(1, "zone", kFoo).Taints("Honor"), Hard(1, "node", kBar)}), "p foo", "p foo tolerates",
     true},
    {"the unschedulable Pod has topologySpreadConstraint without NodeTaintsPolicy:Honor and has got a new toleration",
     Spreading("foo", {Hard(1, "zone", kFoo).Taints("Ignore"), Hard(1, "node", kBar)}), "p foo", "p foo tolerates",
     false},
    {"the unschedulable Pod has topologySpreadConstraint and has got a new label matching the selector of the "
     "constraint",
     Spreading("foo", {Hard(1, "zone", kFoo).Taints("Ignore"), Hard(1, "node", kBar)}), "p", "p foo", true},
    {"the unschedulable Pod has topologySpreadConstraint and has got a new unrelated label",
     Spreading("foo", {Hard(1, "zone", kFoo).Taints("Ignore"), Hard(1, "node", kBar)}), "p", "p unrelated", false},
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
