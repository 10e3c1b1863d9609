// A pod's relations to other objects: terms, constraints, volumes, claims, its controller; and its flags.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "pod_text.h"

namespace berth::api {
namespace {

using Texts = std::vector<std::string>;

class Relations : public testing::Test {
 protected:
  PodRef Spec(const std::string& spec) { return Decoded(intern_, R"({"spec":)" + spec + "}"); }
  PodRef Status(const std::string& status) { return Decoded(intern_, R"({"status":)" + status + "}"); }
  std::string Text(berth_id id) const { return id == BERTH_ID_ABSENT ? "-" : std::string(intern_.ids.Text(id)); }
  Texts Ids(const berth_list& list) const {
    Texts texts;
    for (uint32_t i = 0; i < list.n; ++i) texts.push_back(Text(*BERTH_AT(list, berth_id, i)));
    return texts;
  }
  // "{app=web; tier In [a b]}", "nil"
  std::string Selector(const berth_selector* selector) const {
    if ((selector->has & BERTH_SELECTOR_SET) == 0) return "nil";
    std::string out = "{";
    for (uint32_t i = 0; i < selector->labels.n; ++i) {
      const auto* label = BERTH_AT(selector->labels, berth_kv, i);
      out += Text(label->key) + "=" + Text(label->value) + ";";
    }
    for (uint32_t i = 0; i < selector->expressions.n; ++i) {
      const auto* one = BERTH_AT(selector->expressions, berth_label_requirement, i);
      out += Text(one->key) + " " + Text(one->op);
      for (const std::string& value : Ids(one->values)) out += " " + value;
      out += ";";
    }
    return out + "}";
  }
  // "zone*5 {app=web;} in nil [a b]"
  Texts Terms(const berth_list& list) const {
    Texts texts;
    EXPECT_EQ(list.stride, sizeof(berth_pod_term));
    for (uint32_t i = 0; i < list.n; ++i) {
      const auto* term = BERTH_AT(list, berth_pod_term, i);
      std::string text = Text(term->topology_key) + "*" + std::to_string(term->weight) + " " +
                         Selector(term->selector) + " in " + Selector(term->namespace_selector) + " [";
      for (const std::string& ns : Ids(term->namespaces)) text += ns + " ";
      texts.push_back(text + "]");
    }
    return texts;
  }
  // "1 handle name pool ro"
  Texts Volumes(const std::string& volumes) {
    const PodRef pod = Spec(R"({"volumes":)" + volumes + "}");
    Texts texts;
    for (uint32_t i = 0; i < pod->abi.volumes->items.n; ++i) {
      const auto* volume = BERTH_AT(pod->abi.volumes->items, berth_volume, i);
      std::string text = std::to_string(volume->kind) + " " + Text(volume->handle) + " " + Text(volume->name) + " " +
                         Text(volume->pool) + (volume->flags & BERTH_VOLUME_READ_ONLY ? " ro" : "");
      for (const std::string& monitor : Ids(volume->monitors)) text += " " + monitor;
      texts.push_back(text);
    }
    return texts;
  }

  InternTables intern_;
  std::vector<PodRef> held_;  // keeps the content numbers comparable
};

TEST_F(Relations, AffinityTermsAsWritten) {
  const PodRef pod = Spec(R"({"affinity":{
      "podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[
        {"topologyKey":"zone","labelSelector":{"matchLabels":{"b":"2","a":"1","b":"3"},
          "matchExpressions":[{"key":"k","operator":"In","values":["x","y"]},{"key":"e","operator":"Exists"}]},
          "namespaces":["n1","n2"],"namespaceSelector":{}},
        {"topologyKey":"host","matchLabelKeys":["ignored"]}]},
      "podAntiAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[
        {"weight":100,"podAffinityTerm":{"topologyKey":"host","labelSelector":{}}},{"weight":-1}],
        "requiredDuringSchedulingIgnoredDuringExecution":[{"labelSelector":null,"namespaceSelector":null}]}}})");
  const berth_pod_affinity& affinity = *pod->abi.pod_affinity;
  EXPECT_EQ(affinity.size, sizeof affinity);
  EXPECT_EQ(affinity.has, BERTH_POD_AFFINITY_SET | BERTH_POD_ANTI_AFFINITY_SET);
  EXPECT_EQ(Terms(affinity.required),
            (Texts{"zone*0 {a=1;b=3;k In x y;e Exists;} in {} [n1 n2 ]", "host*0 nil in nil []"}));
  EXPECT_EQ(Terms(affinity.preferred), Texts());
  EXPECT_EQ(Terms(affinity.anti_required), (Texts{"*0 nil in nil []"}));
  EXPECT_EQ(Terms(affinity.anti_preferred), (Texts{"host*100 {} in nil []", "*-1 nil in nil []"}));
}

TEST_F(Relations, AnEmptyAffinityIsSet) {
  EXPECT_EQ(Spec(R"({"affinity":{"podAffinity":{}}})")->abi.pod_affinity->has, BERTH_POD_AFFINITY_SET);
  EXPECT_EQ(Spec(R"({"affinity":{"podAntiAffinity":{}}})")->abi.pod_affinity->has, BERTH_POD_ANTI_AFFINITY_SET);
  EXPECT_EQ(Spec(R"({"affinity":{}})")->abi.pod_affinity, Spec("{}")->abi.pod_affinity);
}

TEST_F(Relations, EqualSelectorsAreOneBlock) {
  const PodRef pod = Spec(R"({"affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[
      {"topologyKey":"host","labelSelector":{"matchLabels":{"app":"web"}}}]}},
      "topologySpreadConstraints":[{"topologyKey":"zone","labelSelector":{"matchLabels":{"app":"web"}}},
        {"topologyKey":"zone","labelSelector":{"matchExpressions":[{"key":"app","operator":"In","values":["web"]}]}}]})");
  const auto* term = BERTH_AT(pod->abi.pod_affinity->anti_required, berth_pod_term, 0);
  const auto* first = BERTH_AT(pod->abi.spread->items, berth_spread_constraint, 0);
  const auto* second = BERTH_AT(pod->abi.spread->items, berth_spread_constraint, 1);
  EXPECT_EQ(term->selector, first->selector);
  EXPECT_EQ(term->selector->size, sizeof(berth_selector));
  EXPECT_NE(first->selector->content, second->selector->content) << "written differently";
  EXPECT_NE(term->selector, term->namespace_selector);
}

TEST_F(Relations, PodsOfOneTemplateShareTheirBlocks) {
  const std::string spec = R"("affinity":{"podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[
      {"topologyKey":"zone","labelSelector":{"matchLabels":{"app":"web"}}}]}},
      "topologySpreadConstraints":[{"maxSkew":1,"labelSelector":{}}],"resourceClaims":[{"name":"c"}],"volumes":[
      {"name":"kube-api-access-)";
  const auto pod = [&](const std::string& suffix, const std::string& claim) {
    return Decoded(intern_, R"({"metadata":{"ownerReferences":[{"uid":"rs","controller":true}]},"spec":{)" + spec +
                                suffix +
                                R"(","projected":{"sources":[]}},{"name":"d","persistentVolumeClaim":{"claimName":")" +
                                claim + R"("}}]}})");
  };
  const PodRef one = pod("x1", "data"), two = pod("x2", "data"), other = pod("x3", "other");
  EXPECT_EQ(one->abi.pod_affinity, two->abi.pod_affinity);
  EXPECT_EQ(one->abi.spread, two->abi.spread);
  EXPECT_EQ(one->abi.volumes, two->abi.volumes);
  EXPECT_EQ(one->abi.claims, two->abi.claims);
  EXPECT_EQ(one->abi.controller, two->abi.controller);
  EXPECT_NE(one->abi.volumes->content, other->abi.volumes->content);
}

TEST_F(Relations, EveryFieldCounts) {
  const std::string term = R"({"affinity":{"podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{%}]}}})";
  Texts terms = {R"("topologyKey":"a")",
                 R"("topologyKey":"b")",
                 R"("labelSelector":{})",
                 R"("namespaceSelector":{})",
                 R"("namespaces":["a"])",
                 R"("labelSelector":{"matchLabels":{"a":"b"}})",
                 R"("labelSelector":{"matchExpressions":[{"key":"a","values":["b"]}]})",
                 R"("labelSelector":{"matchExpressions":[{"key":"a","operator":"b"}]})"};
  std::vector<uint32_t> contents;
  for (const std::string& text : terms) {
    const PodRef pod = Spec(std::string(term).replace(term.find('%'), 1, text));
    contents.push_back(pod->abi.pod_affinity->content);
    EXPECT_EQ(std::count(contents.begin(), contents.end(), contents.back()), 1) << text;
    held_.push_back(pod);
  }
  const Texts constraints = {R"("maxSkew":1)",
                             R"("maxSkew":2)",
                             R"("minDomains":2)",
                             R"("topologyKey":"a")",
                             R"("whenUnsatisfiable":"a")",
                             R"("nodeAffinityPolicy":"a")",
                             R"("nodeTaintsPolicy":"a")",
                             R"("nodeTaintsPolicy":"")",
                             R"("labelSelector":{})",
                             R"("matchLabelKeys":["a"])"};
  contents.clear();
  for (const std::string& text : constraints) {
    held_.push_back(Spec(R"({"topologySpreadConstraints":[{)" + text + "}]}"));
    contents.push_back(held_.back()->abi.spread->content);
    EXPECT_EQ(std::count(contents.begin(), contents.end(), contents.back()), 1) << text;
  }
}

TEST_F(Relations, SpreadConstraints) {
  const PodRef pod = Spec(R"({"topologySpreadConstraints":[
      {"maxSkew":3,"topologyKey":"zone","whenUnsatisfiable":"DoNotSchedule","minDomains":4,"labelSelector":{},
       "nodeAffinityPolicy":"Ignore","nodeTaintsPolicy":"Honor","matchLabelKeys":["a","b"]},{"minDomains":null}]})");
  ASSERT_EQ(pod->abi.spread->items.n, 2u);
  const auto* one = BERTH_AT(pod->abi.spread->items, berth_spread_constraint, 0);
  EXPECT_EQ(one->max_skew, 3);
  EXPECT_EQ(one->min_domains, 4);
  EXPECT_EQ(Text(one->topology_key) + Text(one->when_unsatisfiable), "zoneDoNotSchedule");
  EXPECT_EQ(Text(one->node_affinity_policy) + Text(one->node_taints_policy), "IgnoreHonor");
  EXPECT_EQ(Selector(one->selector), "{}");
  EXPECT_EQ(Ids(one->match_label_keys), (Texts{"a", "b"}));
  const auto* unset = BERTH_AT(pod->abi.spread->items, berth_spread_constraint, 1);
  EXPECT_EQ(unset->min_domains, 1);
  EXPECT_EQ(unset->node_affinity_policy, BERTH_ID_ABSENT);
  EXPECT_EQ(unset->node_taints_policy, BERTH_ID_ABSENT);
  EXPECT_EQ(Selector(unset->selector), "nil");
}

TEST_F(Relations, VolumesThatPluginsRead) {
  EXPECT_EQ(Volumes(R"([{"name":"v","persistentVolumeClaim":{"claimName":"c","readOnly":true}},
                        {"ephemeral":{"volumeClaimTemplate":{"spec":{}}},"name":"e"},
                        {"gcePersistentDisk":{"pdName":"pd","readOnly":true,"partition":1}},
                        {"awsElasticBlockStore":{"volumeID":"vol-1"}},{"azureDisk":{"diskURI":"uri","readOnly":null}},
                        {"azureFile":{"shareName":"s"}},{"cinder":{"volumeID":"ci"}},{"portworxVolume":{"volumeID":"px"}},
                        {"vsphereVolume":{"volumePath":"vs"}},{"iscsi":{"iqn":"iqn","lun":0}},
                        {"rbd":{"image":"img","pool":"p","monitors":["m1","m2"]}},{"rbd":{"monitors":["m1"]}},
                        {"csi":{"driver":"d","readOnly":true}}])"),
            (Texts{"1 c - - ro", "2 - e -", "3 pd - - ro", "4 vol-1 - -", "5 uri - -", "6 s - -", "7 ci - -",
                   "8 px - -", "9 vs - -", "10 iqn - -", "11 img - p m1 m2", "11  -  m1", "12 d - - ro"}));
}

TEST_F(Relations, SkipsOtherVolumes) {
  EXPECT_EQ(
      Volumes(R"([{"name":"a","emptyDir":{}},{"name":"b","configMap":{"name":"c"}},{"name":"c","hostPath":{"path":"/"}},
                        {"name":"d","image":{"reference":"r"}},{"name":"e","persistentVolumeClaim":null},null])"),
      Texts());
  EXPECT_EQ(Volumes(R"([{"persistentVolumeClaim":{}}])"), (Texts{"1  - -"}));
}

TEST_F(Relations, ResourceClaims) {
  const PodRef pod = Spec(R"({"resourceClaims":[{"name":"a","resourceClaimName":"claim"},
      {"name":"b","resourceClaimTemplateName":"template","resourceClaimName":null},{}]})");
  const berth_list& items = pod->abi.claims->items;
  Texts texts;
  for (uint32_t i = 0; i < items.n; ++i) {
    const auto* claim = BERTH_AT(items, berth_pod_claim, i);
    texts.push_back(Text(claim->name) + " " + Text(claim->claim_name) + " " + Text(claim->template_name));
  }
  EXPECT_EQ(texts, (Texts{"a claim -", "b - template", "- - -"}));
}

TEST_F(Relations, TheControllerIsTheFirstOwnerThatControls) {
  const PodRef pod = Decoded(intern_, R"({"metadata":{"ownerReferences":[{"kind":"Job","name":"j","controller":false},
      {"kind":"Old"},{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"rs","uid":"u1","controller":true},
      {"kind":"ReplicaSet","name":"second","controller":true}]}})");
  const berth_controller& controller = *pod->abi.controller;
  EXPECT_EQ(Text(controller.api_version), "apps/v1");
  EXPECT_EQ(Text(controller.kind) + "/" + Text(controller.name) + "/" + Text(controller.uid), "ReplicaSet/rs/u1");
  const PodRef orphan = Decoded(intern_, R"({"metadata":{"ownerReferences":[{"kind":"Job","name":"j","uid":"u"}]}})");
  EXPECT_EQ(orphan->abi.controller, Decoded(intern_, "{}")->abi.controller);
  EXPECT_EQ(orphan->abi.controller->name, BERTH_ID_ABSENT);
}

TEST_F(Relations, Flags) {
  EXPECT_EQ(Spec(R"({"hostNetwork":true})")->abi.has, BERTH_POD_HAS_HOST_NETWORK);
  EXPECT_EQ(Spec(R"({"hostNetwork":false,"hostUsers":true})")->abi.has, 0u);
  EXPECT_EQ(Spec(R"({"hostUsers":false})")->abi.has, BERTH_POD_HAS_NO_HOST_USERS);
  for (const char* list : {"containers", "initContainers"}) {
    const auto with = [&](const char* action) {
      return Spec(std::string(R"({")") + list + R"(":[{},{"restartPolicyRules":[{"action":"Restart"},{"action":")" +
                  action + R"("},{}]},{}]})")
          ->abi.has;
    };
    EXPECT_EQ(with("RestartAllContainers"), BERTH_POD_HAS_RESTART_ALL) << list;
    EXPECT_EQ(with("Restart"), 0u) << list;
  }
  const auto condition = [&](const char* status, const char* reason) {
    return Status(std::string(R"({"conditions":[{"type":"Ready","status":"True","reason":"PreemptionByScheduler"},
        {"type":"DisruptionTarget","status":")") +
                  status + R"(","reason":")" + reason +
                  R"("},{"type":"DisruptionTarget","status":"True","reason":"PreemptionByScheduler"}]})")
        ->abi.has;
  };
  EXPECT_EQ(condition("True", "PreemptionByScheduler"), BERTH_POD_HAS_PREEMPTED);
  EXPECT_EQ(condition("True", "EvictionByEvictionAPI"), 0u) << "only the first of its type counts";
  EXPECT_EQ(condition("False", "PreemptionByScheduler"), 0u);
}

TEST_F(Relations, WhenThePodGotItsNode) {
  const auto scheduled = [this](const std::string& conditions) {
    return Decoded(intern_, R"({"status":{"conditions":[)" + conditions + "]}}")->abi.scheduled_unix_ns;
  };
  const std::string at = R"("lastTransitionTime":"2024-02-29T12:00:00Z"})", type = R"({"type":"PodScheduled",)";
  EXPECT_EQ(scheduled(type + R"("status":"True",)" + at), 1709208000000000000);
  EXPECT_EQ(scheduled(R"({"type":"Ready","status":"True",)" + at), BERTH_NO_TIME);
  EXPECT_EQ(scheduled(type + R"("status":"False",)" + at), BERTH_NO_TIME);
  EXPECT_EQ(scheduled(type + R"("status":"False",)" + at + "," + type + R"("status":"True",)" + at), BERTH_NO_TIME)
      << "only the first of its type counts";
  EXPECT_EQ(scheduled(type + R"("status":"True"})"), BERTH_NO_TIME + 1);
  EXPECT_EQ(scheduled(type + R"("status":"True","lastTransitionTime":null})"), BERTH_NO_TIME + 1);
}

TEST_F(Relations, PriorityAndTimes) {
  const PodRef pod = Decoded(intern_, R"({"spec":{"preemptionPolicy":"Never","priorityClassName":"high"},
      "status":{"startTime":"2024-02-29T12:00:00Z"}})");
  EXPECT_EQ(Text(pod->abi.preemption_policy), "Never");
  EXPECT_EQ(Text(pod->abi.priority_class), "high");
  EXPECT_EQ(pod->abi.start_unix_ns, 1709208000000000000);
  const PodRef empty = Spec(R"({"preemptionPolicy":"","priorityClassName":""})");
  EXPECT_EQ(empty->abi.preemption_policy, BERTH_ID_ABSENT);
  EXPECT_EQ(empty->abi.priority_class, BERTH_ID_ABSENT);
  const PodRef copy = WithNodeName(intern_, *pod, "n");
  EXPECT_EQ(copy->abi.priority_class, pod->abi.priority_class);
  EXPECT_EQ(copy->abi.spread, pod->abi.spread);
}

}  // namespace
}  // namespace berth::api
