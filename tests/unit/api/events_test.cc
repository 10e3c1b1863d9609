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
      {"*", BERTH_ACTION_ALL, {kResourceNode, BERTH_ACTION_ADD, {}}, true},
      {"*", BERTH_ACTION_ALL, {kResourceAny, BERTH_ACTION_ALL, {}}, true},
      {"Node", BERTH_ACTION_ALL, {kResourceAny, BERTH_ACTION_ALL, {}}, false},
      {"*", BERTH_ACTION_ADD, {kResourceNode, BERTH_ACTION_ADD, {}}, true},
      {"*", BERTH_ACTION_ADD, {kResourceNode, BERTH_ACTION_DELETE, {}}, false},
      {"Node", BERTH_ACTION_ADD, {kResourceNode, BERTH_ACTION_ADD, {}}, true},
      {"Node", BERTH_ACTION_ADD, {kResourcePod, BERTH_ACTION_ADD, {}}, false},
      {"Node", BERTH_ACTION_UPDATE, {kResourceNode, BERTH_ACTION_UPDATE_NODE_LABEL, {}}, true},
      {"Node", BERTH_ACTION_UPDATE_NODE_LABEL, {kResourceNode, BERTH_ACTION_UPDATE, {}}, false},
      {"Node", BERTH_ACTION_UPDATE_NODE_LABEL, {kResourceNode, BERTH_ACTION_UPDATE_NODE_TAINT, {}}, false},
      {"Node",
       BERTH_ACTION_ADD | BERTH_ACTION_UPDATE_NODE_LABEL,
       {kResourceNode, BERTH_ACTION_UPDATE_NODE_LABEL, {}},
       true},
      {"Pod", BERTH_ACTION_DELETE, {kResourceAssignedPod, BERTH_ACTION_DELETE, {}}, true},
      {"Pod", BERTH_ACTION_DELETE, {kResourceUnschedulablePod, BERTH_ACTION_DELETE, {}}, true},
      {"AssignedPod", BERTH_ACTION_DELETE, {kResourcePod, BERTH_ACTION_DELETE, {}}, false},
      // Numerically larger than the registration, although they share a bit.
      {"Pod",
       BERTH_ACTION_UPDATE_POD_LABEL,
       {kResourceAssignedPod, BERTH_ACTION_UPDATE_POD_LABEL | BERTH_ACTION_UPDATE_POD_SCALE_DOWN, {}},
       false},
      {"Pod", BERTH_ACTION_UPDATE, {kResourceAssignedPod, BERTH_ACTION_UPDATE, {}}, true},
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
      {"cpu", "1", "1000m", false},
      {"cpu", "1.5", "1500000000n", false},
      {"cpu", "2", "+0.2e1", false},
      {"memory", "1Gi", "1073741824", false},
      {"memory", "1.5Gi", "1610612736000000000n", false},
      {"memory", "9Ei", "9223372036854775807", false},
      {"memory", "0.5", "500m", false},
      {"example.com/gpu", "8", "80e-1", false},
      // Rounded up, both are equal.
      {"cpu", "1n", "2n", true},
      {"cpu", "999500u", "1", true},
      {"cpu", "1500m", "1499999999n", true},
      {"memory", "0.5", "1", true},
      {"memory", "100m", "200m", true},
      {"example.com/gpu", "7.5", "7.6", true},
      {"memory", "1e20", "2e20", true},
      {"memory", "9223372036854775807", "9223372036854775808", true},
      // A difference below a nanounit does not count.
      {"cpu", "1e-10", "1n", false},
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
