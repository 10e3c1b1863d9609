// Encoding a pod or node and decoding the result gives plugins the same object.
#include "api/encode/encode.h"

#include <gtest/gtest.h>

#include <string>

namespace berth::encode {
namespace {

class ManifestTest : public testing::Test {
 protected:
  api::PodRef Pod(const std::string& json) {
    auto pod = api::DecodePod(intern_, json);
    EXPECT_TRUE(pod) << pod.error().message;
    return pod ? *pod : api::PodRef();
  }
  api::NodeRef Node(const std::string& json) {
    auto node = api::DecodeNode(intern_, json);
    EXPECT_TRUE(node) << node.error().message;
    return node ? *node : api::NodeRef();
  }
  api::PodRef Again(const api::Pod& pod) { return Pod(json::Dump(PodManifest(intern_, pod))); }

  // Equal content is one block.
  void ExpectAlike(const api::Pod& a, const api::Pod& b) {
    EXPECT_EQ(a.key(), b.key());
    EXPECT_EQ(a.uid(), b.uid());
    EXPECT_EQ(a.phase(), b.phase());
    EXPECT_EQ(a.abi.labels, b.abi.labels);
    EXPECT_EQ(a.abi.images, b.abi.images);
    EXPECT_EQ(a.abi.resources, b.abi.resources);
    EXPECT_EQ(a.abi.ports, b.abi.ports);
    EXPECT_EQ(a.abi.tolerations, b.abi.tolerations);
    EXPECT_EQ(a.abi.node_affinity, b.abi.node_affinity);
    EXPECT_EQ(a.abi.pod_affinity, b.abi.pod_affinity);
    EXPECT_EQ(a.abi.spread, b.abi.spread);
    EXPECT_EQ(a.abi.controller, b.abi.controller);
    EXPECT_EQ(a.abi.has, b.abi.has);
    EXPECT_EQ(a.abi.priority, b.abi.priority);
    EXPECT_EQ(a.abi.scheduler_name, b.abi.scheduler_name);
    EXPECT_EQ(a.abi.node_name, b.abi.node_name);
    EXPECT_EQ(a.abi.priority_class, b.abi.priority_class);
    EXPECT_EQ(a.abi.preemption_policy, b.abi.preemption_policy);
    EXPECT_EQ(a.abi.creation_unix_ns, b.abi.creation_unix_ns);
    EXPECT_EQ(a.abi.start_unix_ns, b.abi.start_unix_ns);
    EXPECT_EQ(a.abi.scheduled_unix_ns, b.abi.scheduled_unix_ns);
  }

  api::InternTables intern_;
};

TEST_F(ManifestTest, OfAPlainPod) {
  const api::PodRef pod = Pod(R"({"metadata":{"name":"p","namespace":"default","uid":"u"},
      "spec":{"containers":[{"name":"c"}]}})");
  ExpectAlike(*pod, *Again(*pod));
}

TEST_F(ManifestTest, OfAPodWithEverythingButVolumes) {
  const api::PodRef pod = Pod(R"({"metadata":{"name":"web-1","namespace":"prod","uid":"u-1",
        "creationTimestamp":"2024-02-29T12:00:00Z","labels":{"app":"web","empty":""},
        "ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":"r","controller":true}]},
      "spec":{"schedulerName":"mine","nodeName":"n1","priority":-5,"priorityClassName":"low",
        "preemptionPolicy":"Never","hostNetwork":true,"hostUsers":false,
        "overhead":{"cpu":"10m","memory":"1Mi"},"resources":{"requests":{"cpu":"3"},"limits":{"memory":"4Gi"}},
        "initContainers":[{"name":"setup","image":"i:1","resources":{"requests":{"cpu":"1500m"}}},
          {"name":"side","image":"i:2","restartPolicy":"Always","resources":{"requests":{"cpu":"50m"}}}],
        "containers":[{"name":"main","image":"i:3","ports":[{"hostPort":80,"hostIP":"10.0.0.1","protocol":"UDP"}],
            "restartPolicyRules":[{"action":"RestartAllContainers"}],
            "resources":{"requests":{"cpu":"2","memory":"1Gi","example.com/gpu":"2"},"limits":{"cpu":"2500m"}}},
          {"name":"more","ports":[{"hostPort":81}]}],
        "tolerations":[{"key":"a","operator":"Equal","value":"b","effect":"NoExecute","tolerationSeconds":300},
          {"operator":"Exists"}],
        "nodeSelector":{"disk":"ssd"},
        "affinity":{
          "nodeAffinity":{
            "requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[
              {"matchExpressions":[{"key":"zone","operator":"In","values":["a","b"]},{"key":"x","operator":"Exists"}],
               "matchFields":[{"key":"metadata.name","operator":"NotIn","values":["n9"]}]}]},
            "preferredDuringSchedulingIgnoredDuringExecution":[
              {"weight":7,"preference":{"matchExpressions":[{"key":"cores","operator":"Gt","values":["8"]}]}}]},
          "podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[
            {"topologyKey":"zone","labelSelector":{"matchLabels":{"app":"db"}},"namespaces":["prod","dev"]}]},
          "podAntiAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[
            {"weight":3,"podAffinityTerm":{"topologyKey":"host","namespaceSelector":{},"labelSelector":{
              "matchExpressions":[{"key":"app","operator":"NotIn","values":["web"]}]}}}]}},
        "topologySpreadConstraints":[
          {"maxSkew":2,"minDomains":3,"topologyKey":"zone","whenUnsatisfiable":"DoNotSchedule",
           "nodeAffinityPolicy":"Ignore","labelSelector":{"matchLabels":{"app":"web"}},"matchLabelKeys":["hash"]},
          {"maxSkew":1,"topologyKey":"host","whenUnsatisfiable":"ScheduleAnyway"}]},
      "status":{"phase":"Running","startTime":"2024-02-29T12:00:05Z","conditions":[
        {"type":"PodScheduled","status":"True","lastTransitionTime":"2024-02-29T12:00:03Z"}]}})");
  EXPECT_EQ(pod->abi.scheduled_unix_ns, 1709208003000000000);
  ExpectAlike(*pod, *Again(*pod));
}

TEST_F(ManifestTest, OfAPodThatGotItsNodeAtAnUnknownTime) {
  const api::PodRef pod = Pod(R"({"metadata":{"name":"p","namespace":"default","uid":"u"},
      "status":{"conditions":[{"type":"PodScheduled","status":"True"}]}})");
  EXPECT_EQ(pod->abi.scheduled_unix_ns, BERTH_NO_TIME + 1);
  ExpectAlike(*pod, *Again(*pod));
}

TEST_F(ManifestTest, SelectorsThatAreSetAndEmptyStaySo) {
  const api::PodRef pod = Pod(R"({"metadata":{"name":"p","namespace":"default","uid":"u"},
      "spec":{"nodeSelector":{},"affinity":{
        "nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[]},
          "preferredDuringSchedulingIgnoredDuringExecution":[]},
        "podAffinity":{},"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[
          {"topologyKey":"t","labelSelector":{}},{"topologyKey":"t"}]}}}})");
  ExpectAlike(*pod, *Again(*pod));
}

// A sample pod must be schedulable, and must not need objects that the child process does not have.
TEST_F(ManifestTest, LeavesGatesAndVolumesOut) {
  const api::PodRef pod = Pod(R"({"metadata":{"name":"p","namespace":"default","uid":"u"},
      "spec":{"schedulingGates":[{"name":"g"}],"volumes":[{"name":"v","persistentVolumeClaim":{"claimName":"c"}}]}})");
  const api::PodRef again = Again(*pod);
  EXPECT_EQ(again->abi.gates->items.n, 0u);
  EXPECT_EQ(again->abi.volumes->items.n, 0u);
}

TEST_F(ManifestTest, OfANode) {
  const api::NodeRef node = Node(R"({"metadata":{"name":"n1","uid":"u","labels":{
        "topology.kubernetes.io/zone":"a","topology.kubernetes.io/region":"r","x":""}},
      "spec":{"unschedulable":true,"taints":[{"key":"k","value":"v","effect":"NoSchedule"},
        {"key":"node.kubernetes.io/unschedulable","effect":"NoSchedule"}]},
      "status":{"allocatable":{"cpu":"3920m","memory":"32Gi","pods":"110","example.com/gpu":"4"},
        "images":[{"names":["a:1","a@sha256:1"],"sizeBytes":123456},{"names":["b:2"],"sizeBytes":7}],
        "declaredFeatures":["GuaranteedQoSPodCPUResize"]}})");
  const api::NodeRef again = Node(json::Dump(NodeManifest(intern_, *node)));
  EXPECT_EQ(again->name, "n1");
  EXPECT_EQ(again->uid, "u");
  EXPECT_EQ(again->zone, node->zone);
  EXPECT_EQ(again->abi.unschedulable, 1u);
  EXPECT_EQ(again->labels.get(), node->labels.get());
  EXPECT_EQ(again->taints.get(), node->taints.get());
  EXPECT_TRUE(api::SameAllocatable(*again, *node));
  EXPECT_TRUE(api::SameImages(*again, *node));
  EXPECT_EQ(again->declared_features, node->declared_features);
}

}  // namespace
}  // namespace berth::encode
