#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "pod_text.h"

namespace berth::api {
namespace {

std::string_view Text(const berth_str& s) { return {s.ptr, static_cast<size_t>(s.len)}; }

std::vector<std::string> Ids(const InternTables& intern, const berth_list& list) {
  std::vector<std::string> texts;
  EXPECT_EQ(list.stride, sizeof(berth_id));
  for (uint32_t i = 0; i < list.n; ++i) texts.emplace_back(intern.ids.Text(*BERTH_AT(list, berth_id, i)));
  return texts;
}

using Texts = std::vector<std::string>;

TEST(DecodePod, Identity) {
  InternTables intern;
  const PodRef pod = Decoded(intern, R"({"apiVersion":"v1","kind":"Pod","metadata":{
      "name":"web-1","namespace":"prod","uid":"u-1","resourceVersion":"77","generation":3,
      "creationTimestamp":"2024-02-29T12:00:00Z","deletionTimestamp":"2024-02-29T12:00:00.5+01:00",
      "managedFields":[{"x":{"deep":[[[[]]]]}}]},
      "spec":{"nodeName":"n1","schedulerName":"mine","priority":-5},
      "status":{"phase":"Running","nominatedNodeName":"n2","conditions":[
        {"type":"Ready","status":"True"},
        {"type":"PodScheduled","status":"False","reason":"Unschedulable","message":"0/3 \"nodes\""},
        {"type":"PodScheduled","status":"True"}]}})");
  EXPECT_EQ(pod->abi.size, sizeof(berth_pod));
  EXPECT_EQ(Text(pod->abi.name), "web-1");
  EXPECT_EQ(Text(pod->abi.uid), "u-1");
  EXPECT_EQ(pod->key(), "prod/web-1");
  EXPECT_EQ(intern.ids.Text(pod->abi.ns), "prod");
  EXPECT_EQ(intern.ids.Text(pod->abi.scheduler_name), "mine");
  EXPECT_EQ(intern.ids.Text(pod->abi.node_name), "n1");
  EXPECT_EQ(intern.ids.Text(pod->abi.nominated_node), "n2");
  EXPECT_EQ(pod->abi.has, BERTH_POD_HAS_PRIORITY);
  EXPECT_EQ(pod->abi.priority, -5);
  EXPECT_EQ(pod->abi.creation_unix_ns, 1709208000000000000);
  EXPECT_EQ(pod->abi.deletion_unix_ns, 1709204400500000000);
  EXPECT_EQ(pod->resource_version(), "77");
  EXPECT_EQ(pod->abi.generation, 3);
  EXPECT_EQ(pod->phase(), "Running");
  EXPECT_FALSE(pod->terminal());
  EXPECT_EQ(pod->scheduled_condition().status, "False");
  EXPECT_EQ(pod->scheduled_condition().reason, "Unschedulable");
  EXPECT_EQ(pod->scheduled_condition().message, "0/3 \"nodes\"");
}

TEST(DecodePod, AbsentAndNullAreTheSame) {
  InternTables intern;
  const PodRef nulls = Decoded(intern, R"({"metadata":{"name":null,"namespace":null,"uid":null,"labels":null,
      "creationTimestamp":null,"deletionTimestamp":null,"generation":null,"resourceVersion":null,
      "ownerReferences":null},
      "spec":{"nodeName":null,"schedulerName":null,"priority":null,"containers":null,"initContainers":null,
        "volumes":null,"tolerations":null,"nodeSelector":null,"schedulingGates":null,"overhead":null,"resources":null,
        "topologySpreadConstraints":null,"resourceClaims":null,"preemptionPolicy":null,"priorityClassName":null,
        "hostNetwork":null,"hostUsers":null,"affinity":{"podAffinity":null,"podAntiAffinity":null,
          "nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":null,
          "preferredDuringSchedulingIgnoredDuringExecution":null}}},
      "status":{"phase":null,"startTime":null,"nominatedNodeName":null,"conditions":null,"containerStatuses":null,
        "initContainerStatuses":null,"resources":null,"allocatedResources":null,"resourceClaimStatuses":null,
        "extendedResourceClaimStatus":null}})");
  for (const PodRef& pod :
       {nulls, Decoded(intern, "{}"), Decoded(intern, R"({"metadata":null,"spec":null,"status":null})")}) {
    EXPECT_EQ(pod->key(), "/");
    EXPECT_EQ(pod->uid(), "/");  // an absent uid becomes the key
    EXPECT_EQ(intern.ids.Text(pod->abi.scheduler_name), "default-scheduler");
    EXPECT_EQ(pod->abi.node_name, BERTH_ID_ABSENT);
    EXPECT_EQ(pod->abi.nominated_node, BERTH_ID_ABSENT);
    EXPECT_EQ(pod->abi.ns, BERTH_ID_EMPTY);
    EXPECT_EQ(pod->abi.has, 0u);
    EXPECT_EQ(pod->abi.creation_unix_ns, BERTH_NO_TIME);
    EXPECT_EQ(pod->abi.deletion_unix_ns, BERTH_NO_TIME);
    EXPECT_EQ(pod->abi.node_affinity->has, 0u);
    EXPECT_EQ(pod->status().claim_statuses, "");
    EXPECT_EQ(pod->abi.labels, nulls->abi.labels);
    EXPECT_EQ(pod->abi.images, nulls->abi.images);
    EXPECT_EQ(pod->abi.resources, nulls->abi.resources);
    EXPECT_EQ(pod->abi.ports, nulls->abi.ports);
    EXPECT_EQ(pod->abi.tolerations, nulls->abi.tolerations);
    EXPECT_EQ(pod->abi.node_affinity, nulls->abi.node_affinity);
    EXPECT_EQ(pod->abi.gates, nulls->abi.gates);
    EXPECT_EQ(pod->abi.pod_affinity, nulls->abi.pod_affinity);
    EXPECT_EQ(pod->abi.spread, nulls->abi.spread);
    EXPECT_EQ(pod->abi.volumes, nulls->abi.volumes);
    EXPECT_EQ(pod->abi.claims, nulls->abi.claims);
    EXPECT_EQ(pod->abi.controller, nulls->abi.controller);
    ASSERT_NE(pod->abi.controller, nullptr);
    EXPECT_EQ(pod->abi.controller->uid, BERTH_ID_ABSENT);
    EXPECT_EQ(pod->abi.pod_affinity->has, 0u);
    EXPECT_EQ(pod->abi.start_unix_ns, BERTH_NO_TIME);
    EXPECT_EQ(pod->abi.preemption_policy, BERTH_ID_ABSENT);
    EXPECT_EQ(pod->abi.priority_class, BERTH_ID_ABSENT);
    ASSERT_NE(pod->abi.gates, nullptr);
    EXPECT_EQ(pod->abi.gates->items.n, 0u);
  }
}

TEST(DecodePod, LabelsAreSortedByKeyText) {
  InternTables intern;
  const PodRef pod = Decoded(intern, R"({"metadata":{"labels":{"zz":"1","a":"","m/n":"2","B":null,"a":"3"}}})");
  const berth_list& items = pod->abi.labels->items;
  ASSERT_EQ(items.n, 4u);
  EXPECT_EQ(items.stride, sizeof(berth_kv));
  Texts flat;
  for (uint32_t i = 0; i < items.n; ++i) {
    flat.emplace_back(intern.ids.Text(BERTH_AT(items, berth_kv, i)->key));
    flat.emplace_back(intern.ids.Text(BERTH_AT(items, berth_kv, i)->value));
  }
  EXPECT_EQ(flat, (Texts{"B", "", "a", "3", "m/n", "2", "zz", "1"}));
  EXPECT_EQ(BERTH_AT(items, berth_kv, 0)->value, BERTH_ID_EMPTY);
}

TEST(DecodePod, EscapesAndUnicode) {
  InternTables intern;
  const PodRef pod =
      Decoded(intern, R"({"metadata":{"n\u0061me":"a\/b\n\u00e9\ud83d\ude00","labels":{"\u006b":"v"}}})");
  EXPECT_EQ(pod->name(), "a/b\n\xc3\xa9\xf0\x9f\x98\x80");
  EXPECT_EQ(intern.ids.Text(BERTH_AT(pod->abi.labels->items, berth_kv, 0)->key), "k");
}

TEST(DecodePod, ImagesAsWritten) {
  InternTables intern;
  const PodRef pod = Decoded(intern, R"({"spec":{
      "initContainers":[{"image":"i1"},{"image":"s1:latest","restartPolicy":"Always"}],
      "containers":[{"image":"c1"},{"name":"none"}],
      "volumes":[{"name":"v","emptyDir":{}},{"name":"w","image":{"reference":"vol:1"}},
                 {"image":{}},{"image":null}]}})");
  EXPECT_EQ(Ids(intern, pod->abi.images->init_containers), (Texts{"i1", "s1:latest"}));
  EXPECT_EQ(Ids(intern, pod->abi.images->containers), (Texts{"c1", ""}));
  EXPECT_EQ(Ids(intern, pod->abi.images->volumes), (Texts{"vol:1", ""}));
}

TEST(DecodePod, HostPortsOfSidecarsThenApps) {
  InternTables intern;
  const PodRef pod = Decoded(intern, R"({"spec":{
      "containers":[{"ports":[{"containerPort":80},{"hostPort":8080,"hostIP":"10.0.0.1","protocol":"UDP"},
                              {"hostPort":0},{"hostPort":-1}]}],
      "initContainers":[{"ports":[{"hostPort":1}]},{"restartPolicy":"Always","ports":[{"hostPort":2}]},
                        {"restartPolicy":"OnFailure","ports":[{"hostPort":3}]}]}})");
  const berth_list& items = pod->abi.ports->items;
  ASSERT_EQ(items.n, 2u);
  EXPECT_EQ(items.stride, sizeof(berth_host_port));
  EXPECT_EQ(BERTH_AT(items, berth_host_port, 0)->port, 2);
  EXPECT_EQ(BERTH_AT(items, berth_host_port, 0)->ip, BERTH_ID_EMPTY);
  EXPECT_EQ(BERTH_AT(items, berth_host_port, 0)->protocol, BERTH_ID_EMPTY);
  EXPECT_EQ(BERTH_AT(items, berth_host_port, 1)->port, 8080);
  EXPECT_EQ(intern.ids.Text(BERTH_AT(items, berth_host_port, 1)->ip), "10.0.0.1");
  EXPECT_EQ(intern.ids.Text(BERTH_AT(items, berth_host_port, 1)->protocol), "UDP");
  ASSERT_EQ(pod->ports().places.size(), items.n);
  EXPECT_TRUE(pod->ports().places[0].sidecar);
  EXPECT_EQ(pod->ports().places[0].container, 1u);
  EXPECT_EQ(pod->ports().places[0].port, 0u);
  EXPECT_FALSE(pod->ports().places[1].sidecar);
  EXPECT_EQ(pod->ports().places[1].container, 0u);
  EXPECT_EQ(pod->ports().places[1].port, 1u);
}

TEST(DecodePod, Tolerations) {
  InternTables intern;
  const PodRef pod = Decoded(intern, R"({"spec":{"tolerations":[
      {"key":"k","operator":"Equal","value":"v","effect":"NoSchedule"},
      {"operator":"Exists","tolerationSeconds":0},{"tolerationSeconds":null},null]}})");
  const berth_list& items = pod->abi.tolerations->items;
  ASSERT_EQ(items.n, 4u);
  EXPECT_EQ(pod->n_tolerations, 4u);
  EXPECT_EQ(items.stride, sizeof(berth_toleration));
  const auto* first = BERTH_AT(items, berth_toleration, 0);
  EXPECT_EQ(intern.ids.Text(first->key), "k");
  EXPECT_EQ(first->op, intern.op_equal);
  EXPECT_EQ(intern.ids.Text(first->value), "v");
  EXPECT_EQ(first->effect, intern.no_schedule);
  EXPECT_EQ(first->has, 0u);
  EXPECT_EQ(BERTH_AT(items, berth_toleration, 1)->has, BERTH_TOLERATION_SECONDS);
  EXPECT_EQ(BERTH_AT(items, berth_toleration, 1)->seconds, 0);
  EXPECT_EQ(BERTH_AT(items, berth_toleration, 1)->key, BERTH_ID_EMPTY);
  EXPECT_EQ(BERTH_AT(items, berth_toleration, 2)->has, 0u);
  EXPECT_EQ(BERTH_AT(items, berth_toleration, 3)->op, BERTH_ID_EMPTY);
}

TEST(DecodePod, NodeAffinityRaw) {
  InternTables intern;
  const PodRef pod = Decoded(intern, R"({"spec":{"nodeSelector":{"z":"1","a":"2"},"affinity":{"podAffinity":{"x":1},
      "nodeAffinity":{
        "requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[
          {"matchExpressions":[{"key":"k","operator":"In","values":["b","a"]},{"key":"l","operator":"Whatever"}],
           "matchFields":[{"key":"metadata.name","operator":"NotIn","values":["n"]}]},{}]},
        "preferredDuringSchedulingIgnoredDuringExecution":[
          {"weight":7,"preference":{"matchExpressions":[{"key":"p","operator":"Gt","values":["3"]}]}}]}}}})");
  const berth_node_affinity& abi = *pod->abi.node_affinity;
  EXPECT_EQ(abi.has, BERTH_NODE_AFFINITY_SELECTOR | BERTH_NODE_AFFINITY_REQUIRED | BERTH_NODE_AFFINITY_PREFERRED);
  ASSERT_EQ(abi.selector.n, 2u);
  EXPECT_EQ(intern.ids.Text(BERTH_AT(abi.selector, berth_kv, 0)->key), "a");
  ASSERT_EQ(abi.required.n, 2u);
  EXPECT_EQ(abi.required.stride, sizeof(berth_node_term));
  const auto* term = BERTH_AT(abi.required, berth_node_term, 0);
  ASSERT_EQ(term->expressions.n, 2u);
  ASSERT_EQ(term->fields.n, 1u);
  EXPECT_EQ(term->expressions.stride, sizeof(berth_node_requirement));
  const auto* first = BERTH_AT(term->expressions, berth_node_requirement, 0);
  EXPECT_EQ(first->op, intern.op_in);
  EXPECT_EQ(Ids(intern, first->values), (Texts{"b", "a"}));
  EXPECT_EQ(intern.ids.Text(BERTH_AT(term->expressions, berth_node_requirement, 1)->op), "Whatever");
  EXPECT_EQ(BERTH_AT(term->fields, berth_node_requirement, 0)->key, intern.metadata_name);
  EXPECT_EQ(BERTH_AT(abi.required, berth_node_term, 1)->expressions.n, 0u);
  ASSERT_EQ(abi.preferred.n, 1u);
  EXPECT_EQ(abi.preferred.stride, sizeof(berth_preferred_term));
  EXPECT_EQ(BERTH_AT(abi.preferred, berth_preferred_term, 0)->weight, 7);
  EXPECT_EQ(BERTH_AT(abi.preferred, berth_preferred_term, 0)->term.expressions.n, 1u);
}

TEST(DecodePod, NodeAffinityHasBitsOfEmptyLists) {
  InternTables intern;
  const auto has = [&](const std::string& spec) {
    return Decoded(intern, R"({"spec":)" + spec + "}")->abi.node_affinity->has;
  };
  EXPECT_EQ(has(R"({"nodeSelector":{}})"), BERTH_NODE_AFFINITY_SELECTOR);
  EXPECT_EQ(has(R"({"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{}}}})"),
            BERTH_NODE_AFFINITY_REQUIRED);
  EXPECT_EQ(has(R"({"affinity":{"nodeAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[]}}})"),
            BERTH_NODE_AFFINITY_PREFERRED);
}

TEST(DecodePod, Gates) {
  InternTables intern;
  const PodRef pod = Decoded(intern, R"({"spec":{"schedulingGates":[{"name":"b"},{"name":"a"}]}})");
  EXPECT_EQ(Ids(intern, pod->abi.gates->items), (Texts{"b", "a"}));
}

TEST(DecodePod, ClaimStatusesAreCanonical) {
  InternTables intern;
  const auto claims = [&](const std::string& status) {
    return Decoded(intern, R"({"status":)" + status + "}")->status().claim_statuses;
  };
  const std::string one = claims(R"({"resourceClaimStatuses":[{"name":"a","resourceClaimName":"c"}]})");
  EXPECT_NE(one, "");
  EXPECT_EQ(one, claims(R"({"resourceClaimStatuses":[{"resourceClaimName":"c","name":"a"}]})"));
  EXPECT_NE(one, claims(R"({"resourceClaimStatuses":[{"name":"a"}]})"));
  EXPECT_NE(claims(R"({"resourceClaimStatuses":[{"name":"a","resourceClaimName":""}]})"),
            claims(R"({"resourceClaimStatuses":[{"name":"a"}]})"));
  EXPECT_EQ(claims(R"({"resourceClaimStatuses":[]})"), "");
  EXPECT_NE(claims(R"({"extendedResourceClaimStatus":{}})"), "");
  const std::string extended = claims(R"({"extendedResourceClaimStatus":{"resourceClaimName":"c","requestMappings":[
      {"containerName":"x","resourceName":"y","requestName":"z"}]}})");
  EXPECT_NE(extended, claims(R"({"extendedResourceClaimStatus":{"resourceClaimName":"c"}})"));
  EXPECT_EQ(extended, claims(R"({"extendedResourceClaimStatus":{"requestMappings":[
      {"requestName":"z","containerName":"x","resourceName":"y"}],"resourceClaimName":"c"}})"));
}

TEST(DecodePod, CopiesDifferInOneThing) {
  InternTables intern;
  const PodRef pod =
      Decoded(intern, R"({"metadata":{"name":"p","namespace":"ns","uid":"u"},"status":{"nominatedNodeName":"m"}})");
  const PodRef bound = WithNodeName(intern, *pod, "n1");
  EXPECT_EQ(intern.ids.Text(bound->abi.node_name), "n1");
  EXPECT_EQ(intern.ids.Text(bound->abi.nominated_node), "m");
  EXPECT_EQ(pod->abi.node_name, BERTH_ID_ABSENT);
  EXPECT_EQ(bound->key(), "ns/p");
  EXPECT_EQ(bound->uid(), "u");
  EXPECT_NE(bound->abi.uid.ptr, pod->abi.uid.ptr);
  EXPECT_EQ(bound->abi.resources, pod->abi.resources);
  EXPECT_EQ(WithNodeName(intern, *bound, "")->abi.node_name, BERTH_ID_ABSENT);
  EXPECT_EQ(WithNominatedNode(intern, *pod, "")->abi.nominated_node, BERTH_ID_ABSENT);
  EXPECT_EQ(intern.ids.Text(WithNominatedNode(intern, *pod, "x")->abi.nominated_node), "x");
}

TEST(DecodePod, ReleasesEveryId) {
  InternTables intern;
  const size_t texts = intern.ids.size();
  {
    const PodRef pod = Decoded(intern, R"({"metadata":{"name":"p","namespace":"ns","labels":{"a":"b"}},
        "spec":{"nodeName":"n","schedulerName":"s","containers":[{"name":"c","image":"i","ports":[{"hostPort":1,
        "protocol":"TCP"}],"resources":{"requests":{"cpu":"1","x/y":"1"},"limits":{"x/y":"1"}}}],
        "tolerations":[{"key":"t"}],"nodeSelector":{"q":"r"},"schedulingGates":[{"name":"g"}],
        "preemptionPolicy":"Never","priorityClassName":"high","volumes":[{"rbd":{"monitors":["m1"],"image":"v"}}],
        "resourceClaims":[{"name":"rc","resourceClaimName":"x"}],
        "affinity":{"podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"topologyKey":"tk",
          "namespaces":["o1"],"labelSelector":{"matchLabels":{"l":"v2"}}}]}},
        "topologySpreadConstraints":[{"topologyKey":"tk2","labelSelector":{"matchExpressions":[{"key":"e1"}]}}]},
        "status":{"containerStatuses":[{"name":"c","resources":{"requests":{"w":"1"}}}]}})");
    const PodRef copy = WithNodeName(intern, *WithNominatedNode(intern, *pod, "o"), "m");
    pod->resources().Accounted(intern);
    EXPECT_GT(intern.ids.size(), texts);
  }
  EXPECT_EQ(intern.blocks.size(), 0u);
  intern.ids.EndEpoch();
  intern.ids.EndEpoch();
  EXPECT_EQ(intern.ids.size(), texts);
}

TEST(DecodePod, ADocumentAfterALargeOne) {
  InternTables intern;
  std::string large = R"({"metadata":{"name":"large","annotations":{"a":")" + std::string(3 << 20, 'x') + R"("}}})";
  EXPECT_EQ(Decoded(intern, large)->name(), "large");
  EXPECT_EQ(Decoded(intern, R"({"metadata":{"name":"small"}})")->name(), "small");
  EXPECT_EQ(Decoded(intern, large)->name(), "large");
}

}  // namespace
}  // namespace berth::api
