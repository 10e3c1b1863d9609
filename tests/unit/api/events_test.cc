#include "api/events.h"

#include <gtest/gtest.h>

#include <string>

#include "api/node.h"
#include "pod_text.h"

namespace berth::api {
namespace {

// "NodeUpdateNodeLabel NodeUpdateNodeTaint"
std::string Labels(const std::vector<ClusterEvent>& events) {
  std::string out;
  for (const ClusterEvent& event : events) out += (out.empty() ? "" : " ") + event.Label();
  return out;
}

TEST(Events, LabelsAreUpstreams) {
  EXPECT_EQ((ClusterEvent{kResourceNode, BERTH_ACTION_ADD, {}}).Label(), "NodeAdd");
  EXPECT_EQ((ClusterEvent{kResourceNode, BERTH_ACTION_UPDATE_NODE_TAINT, {}}).Label(), "NodeUpdateNodeTaint");
  EXPECT_EQ((ClusterEvent{kResourceAssignedPod, BERTH_ACTION_DELETE, {}}).Label(), "AssignedPodDelete");
  EXPECT_EQ((ClusterEvent{kResourceUnschedulablePod, BERTH_ACTION_UPDATE, {}}).Label(), "UnschedulablePodUpdate");
  EXPECT_EQ((ClusterEvent{"storage.k8s.io/CSINode", BERTH_ACTION_UPDATE, {}}).Label(), "storage.k8s.io/CSINodeUpdate");
  EXPECT_EQ((ClusterEvent{kResourceAny, BERTH_ACTION_ALL, {}}).Label(), "*All");
  EXPECT_EQ((ClusterEvent{kResourceAny, BERTH_ACTION_ALL, "UnschedulableTimeout"}).Label(), "UnschedulableTimeout");
  EXPECT_EQ((ClusterEvent{kResourceNode, 3, {}}).Label(), "Node");
  for (uint32_t bit = 0; bit < 13; ++bit) {
    EXPECT_GT((ClusterEvent{kResourceNode, 1u << bit, {}}).Label().size(), 4u) << bit;
  }
}

TEST(Events, ActionsMakeUp) {
  EXPECT_EQ(BERTH_ACTION_ALL, BERTH_ACTION_ADD | BERTH_ACTION_DELETE | BERTH_ACTION_UPDATE);
  EXPECT_TRUE((ClusterEvent{kResourceAny, BERTH_ACTION_ALL, "ForceActivate"}).IsWildcard());
  EXPECT_FALSE((ClusterEvent{kResourceAny, BERTH_ACTION_ADD, {}}).IsWildcard());
}

struct MatchCase {
  std::string_view resource;
  uint32_t actions;
  ClusterEvent incoming;
  bool matches;
};
TEST(Events, Match) {
  const MatchCase cases[] = {
      {.resource = "*",
       .actions = BERTH_ACTION_ALL,
       .incoming = {kResourceNode, BERTH_ACTION_ADD, {}},
       .matches = true},
      {.resource = "*", .actions = BERTH_ACTION_ALL, .incoming = {kResourceAny, BERTH_ACTION_ALL, {}}, .matches = true},
      {.resource = "Node",
       .actions = BERTH_ACTION_ALL,
       .incoming = {kResourceAny, BERTH_ACTION_ALL, {}},
       .matches = false},
      {.resource = "*",
       .actions = BERTH_ACTION_ADD,
       .incoming = {kResourceNode, BERTH_ACTION_ADD, {}},
       .matches = true},
      {.resource = "*",
       .actions = BERTH_ACTION_ADD,
       .incoming = {kResourceNode, BERTH_ACTION_DELETE, {}},
       .matches = false},
      {.resource = "Node",
       .actions = BERTH_ACTION_ADD,
       .incoming = {kResourceNode, BERTH_ACTION_ADD, {}},
       .matches = true},
      {.resource = "Node",
       .actions = BERTH_ACTION_ADD,
       .incoming = {kResourcePod, BERTH_ACTION_ADD, {}},
       .matches = false},
      {.resource = "Node",
       .actions = BERTH_ACTION_UPDATE,
       .incoming = {kResourceNode, BERTH_ACTION_UPDATE_NODE_LABEL, {}},
       .matches = true},
      {.resource = "Node",
       .actions = BERTH_ACTION_UPDATE_NODE_LABEL,
       .incoming = {kResourceNode, BERTH_ACTION_UPDATE, {}},
       .matches = false},
      {.resource = "Node",
       .actions = BERTH_ACTION_UPDATE_NODE_LABEL,
       .incoming = {kResourceNode, BERTH_ACTION_UPDATE_NODE_TAINT, {}},
       .matches = false},
      {.resource = "Node",
       .actions = BERTH_ACTION_ADD | BERTH_ACTION_UPDATE_NODE_LABEL,
       .incoming = {kResourceNode, BERTH_ACTION_UPDATE_NODE_LABEL, {}},
       .matches = true},
      {.resource = "Pod",
       .actions = BERTH_ACTION_DELETE,
       .incoming = {kResourceAssignedPod, BERTH_ACTION_DELETE, {}},
       .matches = true},
      {.resource = "Pod",
       .actions = BERTH_ACTION_DELETE,
       .incoming = {kResourceUnschedulablePod, BERTH_ACTION_DELETE, {}},
       .matches = true},
      {.resource = "AssignedPod",
       .actions = BERTH_ACTION_DELETE,
       .incoming = {kResourcePod, BERTH_ACTION_DELETE, {}},
       .matches = false},
      // Numerically larger than the registration, although they share a bit.
      {.resource = "Pod",
       .actions = BERTH_ACTION_UPDATE_POD_LABEL,
       .incoming = {kResourceAssignedPod, BERTH_ACTION_UPDATE_POD_LABEL | BERTH_ACTION_UPDATE_POD_SCALE_DOWN, {}},
       .matches = false},
      {.resource = "Pod",
       .actions = BERTH_ACTION_UPDATE,
       .incoming = {kResourceAssignedPod, BERTH_ACTION_UPDATE, {}},
       .matches = true},
  };
  for (const MatchCase& c : cases) {
    EXPECT_EQ(EventMatches(c.resource, c.actions, c.incoming), c.matches)
        << c.resource << ' ' << c.actions << " <- " << c.incoming.Label();
  }
}

class UpdateEvents : public testing::Test {
 protected:
  std::string Nodes(const std::string& before, const std::string& after) {
    return Labels(NodeUpdateEvents(**DecodeNode(intern_, before), **DecodeNode(intern_, after)));
  }
  std::string Pods(const std::string& before, const std::string& after) {
    return Labels(PodUpdateEvents(intern_, *Decoded(intern_, before), *Decoded(intern_, after)));
  }
  InternTables intern_;
};

TEST_F(UpdateEvents, HeartbeatsOfNodesAreFree) {
  EXPECT_EQ(Nodes(R"({"metadata":{"resourceVersion":"1"},"status":{"conditions":[{"type":"Ready","status":"True",
                     "lastHeartbeatTime":"2024-01-01T00:00:00Z"}],"allocatable":{"cpu":"1"}}})",
                  R"({"metadata":{"resourceVersion":"2"},"status":{"conditions":[{"type":"Ready","status":"True",
                     "lastHeartbeatTime":"2024-01-01T00:01:00Z","reason":"x"}],"allocatable":{"cpu":"1000m"}}})"),
            "");
}

// As in equality.Semantic, the exact value counts, regardless of its notation.
TEST_F(UpdateEvents, OfNodesByExactQuantities) {
  struct Case {
    const char *name, *before, *after;
    bool changes;
  };
  const Case cases[] = {
      {.name = "cpu", .before = "1", .after = "1000m", .changes = false},
      {.name = "cpu", .before = "1.5", .after = "1500000000n", .changes = false},
      {.name = "cpu", .before = "2", .after = "+0.2e1", .changes = false},
      {.name = "memory", .before = "1Gi", .after = "1073741824", .changes = false},
      {.name = "memory", .before = "1.5Gi", .after = "1610612736000000000n", .changes = false},
      {.name = "memory", .before = "9Ei", .after = "9223372036854775807", .changes = false},
      {.name = "memory", .before = "0.5", .after = "500m", .changes = false},
      {.name = "example.com/gpu", .before = "8", .after = "80e-1", .changes = false},
      // Rounded up, both are equal.
      {.name = "cpu", .before = "1n", .after = "2n", .changes = true},
      {.name = "cpu", .before = "999500u", .after = "1", .changes = true},
      {.name = "cpu", .before = "1500m", .after = "1499999999n", .changes = true},
      {.name = "memory", .before = "0.5", .after = "1", .changes = true},
      {.name = "memory", .before = "100m", .after = "200m", .changes = true},
      {.name = "example.com/gpu", .before = "7.5", .after = "7.6", .changes = true},
      {.name = "memory", .before = "1e20", .after = "2e20", .changes = true},
      {.name = "memory", .before = "9223372036854775807", .after = "9223372036854775808", .changes = true},
      // A difference below a nanounit does not count.
      {.name = "cpu", .before = "1e-10", .after = "1n", .changes = false},
  };
  for (const Case& c : cases) {
    const auto node = [&](const char* amount) {
      return std::string(R"({"status":{"allocatable":{")") + c.name + R"(":")" + amount + R"("}}})";
    };
    const std::string_view expected = c.changes ? "NodeUpdateNodeAllocatable" : "";
    EXPECT_EQ(Nodes(node(c.before), node(c.after)), expected) << c.name << " " << c.before << " " << c.after;
    EXPECT_EQ(Nodes(node(c.after), node(c.before)), expected) << c.name << " " << c.after << " " << c.before;
  }
  // The same remainders for other amounts.
  EXPECT_EQ(Nodes(R"({"status":{"allocatable":{"cpu":"1500u","memory":"1"}}})",
                  R"({"status":{"allocatable":{"cpu":"2m","memory":"1500u"}}})"),
            "NodeUpdateNodeAllocatable");
}

TEST_F(UpdateEvents, OfNodesInUpstreamsOrder) {
  EXPECT_EQ(Nodes(R"({"spec":{"unschedulable":true}})", "{}"), "NodeUpdateNodeTaint");
  EXPECT_EQ(Nodes("{}", R"({"spec":{"unschedulable":true}})"), "");
  EXPECT_EQ(Nodes(R"({"status":{"allocatable":{"cpu":"1"}}})", R"({"status":{"allocatable":{"cpu":"2"}}})"),
            "NodeUpdateNodeAllocatable");
  EXPECT_EQ(Nodes(R"({"metadata":{"labels":{"a":"1"}}})", "{}"), "NodeUpdateNodeLabel");
  EXPECT_EQ(Nodes("{}", R"({"metadata":{"labels":{}}})"), "");
  EXPECT_EQ(Nodes("{}", R"({"spec":{"taints":[{"key":"a"}]}})"), "NodeUpdateNodeTaint");
  EXPECT_EQ(Nodes(R"({"spec":{"taints":[{"key":"a","timeAdded":"2024-01-01T00:00:00Z"}]}})",
                  R"({"spec":{"taints":[{"key":"a","timeAdded":"2024-01-01T00:00:01Z"}]}})"),
            "NodeUpdateNodeTaint");
  EXPECT_EQ(Nodes(R"({"status":{"conditions":[{"type":"Ready","status":"True"}]}})",
                  R"({"status":{"conditions":[{"type":"Ready","status":"False"}]}})"),
            "NodeUpdateNodeCondition");
  EXPECT_EQ(Nodes(R"({"status":{"conditions":[{"type":"A","status":"1"},{"type":"B","status":"2"}]}})",
                  R"({"status":{"conditions":[{"type":"B","status":"2"},{"type":"A","status":"1"}]}})"),
            "");
  EXPECT_EQ(Nodes("{}", R"({"metadata":{"annotations":{"a":"b"}}})"), "NodeUpdateNodeAnnotation");
  EXPECT_EQ(Nodes("{}", R"({"status":{"declaredFeatures":["F"]}})"), "NodeUpdateNodeDeclaredFeature");
  EXPECT_EQ(Nodes(R"({"spec":{"unschedulable":true}})",
                  R"({"metadata":{"labels":{"a":"1"},"annotations":{"a":"b"}},"spec":{"taints":[{"key":"a"}]},
                     "status":{"allocatable":{"cpu":"1"},"conditions":[{"type":"Ready","status":"True"}],
                     "declaredFeatures":["F"]}})"),
            "NodeUpdateNodeTaint NodeUpdateNodeAllocatable NodeUpdateNodeLabel NodeUpdateNodeTaint "
            "NodeUpdateNodeCondition NodeUpdateNodeAnnotation NodeUpdateNodeDeclaredFeature");
}

TEST_F(UpdateEvents, OfPodsByThousandths) {
  struct Case {
    const char *before, *after;
    bool scales_down;
  };
  const Case cases[] = {
      {"cpu=1", "cpu=1000m", false},
      {"cpu=1.5", "cpu=1500000000n", false},
      {"cpu=2n", "cpu=1n", false},
      {"cpu=1001u", "cpu=1", false},
      {"cpu=1001u", "cpu=1m", true},
      {"memory=1Gi", "memory=1073741824", false},
      {"memory=1.5Gi", "memory=1536Mi", false},
      {"memory=2", "memory=1999m", true},
      {"memory=20e-1", "memory=2", false},
      {"memory=13743895346000000000n", "memory=13743895346", false},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(Pods(PodText{.apps = {std::string("a ") + c.before}}.Json(),
                   PodText{.apps = {std::string("a ") + c.after}}.Json()),
              c.scales_down ? "UnschedulablePodUpdatePodScaleDown" : "UnschedulablePodUpdate")
        << c.before << " " << c.after;
  }
}

TEST_F(UpdateEvents, OfPodsInUpstreamsOrder) {
  EXPECT_EQ(Pods("{}", R"({"metadata":{"annotations":{"a":"b"}}})"), "UnschedulablePodUpdate");
  EXPECT_EQ(Pods("{}", R"({"spec":{"nodeName":"n"}})"), "AssignedPodUpdate");
  EXPECT_EQ(Pods("{}", R"({"metadata":{"labels":{"a":"b"}}})"), "UnschedulablePodUpdatePodLabel");
  EXPECT_EQ(Pods(PodText{.apps = {"a cpu=2"}}.Json(), PodText{.apps = {"a cpu=1"}}.Json()),
            "UnschedulablePodUpdatePodScaleDown");
  EXPECT_EQ(Pods(PodText{.apps = {"a cpu=1"}}.Json(), PodText{.apps = {"a cpu=2"}}.Json()), "UnschedulablePodUpdate");
  EXPECT_EQ(Pods(R"({"spec":{"schedulingGates":[{"name":"a"},{"name":"b"}]}})",
                 R"({"spec":{"schedulingGates":[{"name":"a"}]}})"),
            "UnschedulablePodUpdate");
  EXPECT_EQ(Pods(R"({"spec":{"schedulingGates":[{"name":"a"}]}})", "{}"),
            "UnschedulablePodUpdatePodSchedulingGatesEliminated");
  EXPECT_EQ(Pods("{}", R"({"spec":{"tolerations":[{"key":"a"}]}})"), "UnschedulablePodUpdatePodToleration");
  EXPECT_EQ(Pods(R"({"spec":{"tolerations":[{"key":"b"}]}})", R"({"spec":{"tolerations":[{"key":"a"}]}})"),
            "UnschedulablePodUpdate");
  EXPECT_EQ(Pods("{}", R"({"status":{"resourceClaimStatuses":[{"name":"a"}]}})"),
            "UnschedulablePodUpdatePodGeneratedResourceClaim");
  EXPECT_EQ(Pods(R"({"spec":{"schedulingGates":[{"name":"a"}],"overhead":{"cpu":"1"}}})",
                 R"({"metadata":{"labels":{"a":"b"}},"spec":{"tolerations":[{"key":"a"}],"nodeName":"n"},
                    "status":{"extendedResourceClaimStatus":{"resourceClaimName":"c"}}})"),
            "AssignedPodUpdatePodLabel AssignedPodUpdatePodScaleDown AssignedPodUpdatePodSchedulingGatesEliminated "
            "AssignedPodUpdatePodToleration AssignedPodUpdatePodGeneratedResourceClaim");
}

}  // namespace
}  // namespace berth::api
