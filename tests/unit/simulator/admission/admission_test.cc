// Defaults and admission of a new pod.
#include "simulator/admission/admission.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codec/yaml/yaml_documents.h"
#include "simulator/admission/defaults.h"

namespace berth::admission {
namespace {

using json::Value;
using testing::HasSubstr;

Value Yaml(const std::string& text) {
  auto documents = yaml::ReadYaml(text, "test");
  EXPECT_TRUE(documents) << documents.error().message;
  return documents->at(0);
}

Value Created(const std::string& pod, const std::vector<std::pair<std::string, std::string>>& classes = {}) {
  Admission admission;
  for (const auto& [kind, text] : classes) EXPECT_TRUE(admission.Remember(kind, Yaml(text)));
  Value value = Yaml(pod);
  SetPodDefaults(value);
  const auto done = admission.Admit(value);
  EXPECT_TRUE(done) << done.error().message;
  return value;
}

std::string Refusal(const std::string& pod, const std::vector<std::pair<std::string, std::string>>& classes = {}) {
  Admission admission;
  for (const auto& [kind, text] : classes) admission.Remember(kind, Yaml(text));
  Value value = Yaml(pod);
  SetPodDefaults(value);
  const auto done = admission.Admit(value);
  return done ? "" : done.error().message;
}

std::string At(const Value& value, std::string_view path) {
  const Value* found = value.FindPath(path);
  return found == nullptr ? "absent" : json::Dump(*found);
}
const Value& Container(const Value& pod, size_t i = 0) { return pod.FindPath("spec.containers")->array().at(i); }

TEST(Defaults, RequestsComeFromLimits) {
  const Value pod = Created(R"({metadata: {name: p}, spec: {containers: [
      {name: c, resources: {limits: {cpu: 2, memory: 1Gi}, requests: {cpu: 1}}}]}})");
  EXPECT_EQ(At(Container(pod), "resources.requests"), R"({"cpu":1,"memory":"1Gi"})");
  EXPECT_EQ(At(pod, "metadata.namespace"), R"("default")");
  EXPECT_EQ(At(pod, "spec.schedulerName"), R"("default-scheduler")");
}

TEST(Defaults, PodLevelRequestsComeFromContainersThenFromLimits) {
  const Value pod = Created(R"({metadata: {name: p}, spec: {resources: {limits: {cpu: 4, memory: 8Gi}}, containers: [
      {name: a, resources: {requests: {cpu: 500m}}}, {name: b, resources: {requests: {cpu: 250m}}}]}})");
  EXPECT_EQ(At(pod, "spec.resources.requests"), R"({"cpu":"750m","memory":"8Gi"})");
}

TEST(Defaults, HostNetworkPodsGetHostPorts) {
  const Value pod = Created(
      "{metadata: {name: p}, spec: {hostNetwork: true, containers: [{name: c, ports: [{containerPort: 80}]}]}}");
  EXPECT_EQ(At(Container(pod), "ports"), R"([{"containerPort":80,"protocol":"TCP","hostPort":80}])");
}

TEST(Defaults, RbdVolumesHaveAPool) {
  const Value pod = Created(R"({metadata: {name: p}, spec: {containers: [], volumes: [
      {name: a, rbd: {image: i}}, {name: b, rbd: {image: i, pool: own}}, {name: c, emptyDir: {}}]}})");
  EXPECT_EQ(At(pod, "spec.volumes"), R"([{"name":"a","rbd":{"image":"i","pool":"rbd"}},)"
                                     R"({"name":"b","rbd":{"image":"i","pool":"own"}},{"name":"c","emptyDir":{}}])");
}

// Cases of TestMutatePodAffinity and TestApplyLabelKeysToLabelSelector, by their behavior.
TEST(Defaults, LabelKeysOfEveryTermOfBothAffinities) {
  const Value pod = Created(R"({metadata: {name: p, labels: {country: Japan, city: Kyoto}}, spec: {containers: [],
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            {topologyKey: a, labelSelector: {matchLabels: {region: Asia}}, matchLabelKeys: [country], mismatchLabelKeys: [city]}],
          preferredDuringSchedulingIgnoredDuringExecution: [
            {weight: 1, podAffinityTerm: {topologyKey: b, labelSelector: {matchExpressions: [
              {key: x, operator: Exists}]}, matchLabelKeys: [city, none]}}]},
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: c, matchLabelKeys: [country]}],
          preferredDuringSchedulingIgnoredDuringExecution: [
            {weight: 1, podAffinityTerm: {topologyKey: d, labelSelector: {}, mismatchLabelKeys: [city]}}]}}}})");
  const auto term = [&](const std::string& kind, bool required) -> const Value& {
    const std::string list = required ? "required" : "preferred";
    const Value& first =
        pod.FindPath("spec.affinity." + kind + "." + list + "DuringSchedulingIgnoredDuringExecution")->array().at(0);
    return required ? first : *first.Find("podAffinityTerm");
  };
  EXPECT_EQ(
      At(term("podAffinity", true), "labelSelector"),
      R"({"matchLabels":{"region":"Asia"},"matchExpressions":[{"key":"country","operator":"In","values":["Japan"]},)"
      R"({"key":"city","operator":"NotIn","values":["Kyoto"]}]})");
  EXPECT_EQ(
      At(term("podAffinity", false), "labelSelector"),
      R"({"matchExpressions":[{"key":"x","operator":"Exists"},{"key":"city","operator":"In","values":["Kyoto"]}]})");
  EXPECT_EQ(At(term("podAntiAffinity", true), "labelSelector"), "absent") << "nil matches nothing, keys or not";
  EXPECT_EQ(At(term("podAntiAffinity", false), "labelSelector"),
            R"({"matchExpressions":[{"key":"city","operator":"NotIn","values":["Kyoto"]}]})");
}

TEST(Defaults, LabelKeysGoIntoSelectors) {
  const Value pod = Created(R"({metadata: {name: p, labels: {app: web, rev: "7"}}, spec: {containers: [], affinity: {
      podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [
        {topologyKey: zone, labelSelector: {matchLabels: {app: web}}, matchLabelKeys: [rev, gone], mismatchLabelKeys: [app]}]}},
      topologySpreadConstraints: [{topologyKey: zone, matchLabelKeys: [rev], labelSelector: {}}, {topologyKey: host, matchLabelKeys: [rev]}]}})");
  const Value& term =
      pod.FindPath("spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution")->array().at(0);
  EXPECT_EQ(At(term, "labelSelector.matchExpressions"),
            R"([{"key":"rev","operator":"In","values":["7"]},{"key":"app","operator":"NotIn","values":["web"]}])");
  const json::Array& constraints = pod.FindPath("spec.topologySpreadConstraints")->array();
  EXPECT_EQ(At(constraints[0], "labelSelector.matchExpressions"), R"([{"key":"rev","operator":"In","values":["7"]}])");
  EXPECT_EQ(At(constraints[1], "labelSelector"), "absent");
}

TEST(Admission, DefaultTolerations) {
  const Value pod = Created(R"({metadata: {name: p}, spec: {containers: [], tolerations: [
      {key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute, tolerationSeconds: 5}]}})");
  EXPECT_EQ(
      At(pod, "spec.tolerations"),
      R"([{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":5},)"
      R"({"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}])");
}

TEST(Admission, Priority) {
  const std::string high = "{metadata: {name: high}, value: 1000, preemptionPolicy: Never}";
  const std::string usual = "{metadata: {name: usual}, value: 7, globalDefault: true}";
  const Value pod = Created("{metadata: {name: p}, spec: {priorityClassName: high, containers: []}}",
                            {{"PriorityClass", high}, {"PriorityClass", usual}});
  EXPECT_EQ(At(pod, "spec.priority"), "1000");
  EXPECT_EQ(At(pod, "spec.preemptionPolicy"), R"("Never")");
  EXPECT_EQ(At(Created("{metadata: {name: p}, spec: {containers: []}}", {{"PriorityClass", usual}}), "spec.priority"),
            "7");
  EXPECT_EQ(At(Created("{metadata: {name: p}, spec: {containers: []}}"), "spec.priority"), "0");
  EXPECT_EQ(At(Created("{metadata: {name: p}, spec: {priorityClassName: system-node-critical, containers: []}}"),
               "spec.priority"),
            "2000001000");
  EXPECT_EQ(At(Created("{metadata: {name: p}, spec: {priority: 5, containers: []}}"), "spec.priority"), "5");
  EXPECT_EQ(Refusal("{metadata: {name: p}, spec: {priorityClassName: nope, containers: []}}"),
            "pods \"p\" is forbidden: no PriorityClass with name nope was found");
  EXPECT_THAT(Refusal("{metadata: {name: p}, spec: {priorityClassName: high, priority: 3, containers: []}}",
                      {{"PriorityClass", high}}),
              HasSubstr("the integer value of priority (3) must not be provided in pod spec; priority admission "
                        "controller computed 1000"));
}

TEST(Admission, PreemptionPolicy) {
  const std::string never = "{metadata: {name: never}, value: 10, preemptionPolicy: Never}";
  const std::string plain = "{metadata: {name: plain}, value: 10}";
  const auto policy = [&](const std::string& spec) {
    return At(Created("{metadata: {name: p}, spec: {containers: [], " + spec + "}}",
                      {{"PriorityClass", never}, {"PriorityClass", plain}}),
              "spec.preemptionPolicy");
  };
  EXPECT_EQ(policy("priorityClassName: never"), R"("Never")");
  EXPECT_EQ(policy("priorityClassName: plain"), R"("PreemptLowerPriority")");
  EXPECT_EQ(policy("priorityClassName: system-cluster-critical"), R"("PreemptLowerPriority")");
  EXPECT_EQ(policy("nodeName: n"), R"("PreemptLowerPriority")");
  EXPECT_EQ(policy("priority: 5"), R"("PreemptLowerPriority")");
  EXPECT_EQ(policy("priority: 5, preemptionPolicy: Never"), R"("Never")");
  EXPECT_EQ(policy("priorityClassName: never, preemptionPolicy: Never"), R"("Never")");
  EXPECT_EQ(Refusal("{metadata: {name: p}, spec: {containers: [], priorityClassName: plain, preemptionPolicy: Never}}",
                    {{"PriorityClass", plain}}),
            "pods \"p\" is forbidden: the string value of PreemptionPolicy (Never) must not be provided in pod spec; "
            "priority admission controller computed PreemptLowerPriority from the given PriorityClass name");
}

TEST(Admission, RuntimeClass) {
  const std::string sandbox = R"({metadata: {name: sandbox}, overhead: {podFixed: {cpu: 250m}},
      scheduling: {nodeSelector: {runtime: sandbox}, tolerations: [{key: sandbox, operator: Exists}]}})";
  const Value pod =
      Created("{metadata: {name: p}, spec: {runtimeClassName: sandbox, containers: []}}", {{"RuntimeClass", sandbox}});
  EXPECT_EQ(At(pod, "spec.overhead"), R"({"cpu":"250m"})");
  EXPECT_EQ(At(pod, "spec.nodeSelector"), R"({"runtime":"sandbox"})");
  EXPECT_THAT(At(pod, "spec.tolerations"), HasSubstr(R"({"key":"sandbox","operator":"Exists"})"));
  EXPECT_EQ(Refusal("{metadata: {name: p}, spec: {runtimeClassName: none, containers: []}}"),
            "pods \"p\" is forbidden: pod rejected: RuntimeClass \"none\" not found");
  EXPECT_THAT(
      Refusal(
          "{metadata: {name: p}, spec: {runtimeClassName: sandbox, nodeSelector: {runtime: other}, containers: []}}",
          {{"RuntimeClass", sandbox}}),
      HasSubstr("conflict: runtimeClass.scheduling.nodeSelector[runtime] = sandbox"));
}

TEST(Admission, LimitRange) {
  const std::string range = R"({metadata: {name: r}, spec: {limits: [
      {type: Container, default: {memory: 1Gi}, defaultRequest: {cpu: 100m}, max: {cpu: 2}, min: {cpu: 50m}}]}})";
  const Value pod = Created("{metadata: {name: p}, spec: {containers: [{name: c}]}}", {{"LimitRange", range}});
  EXPECT_EQ(At(Container(pod), "resources.limits"), R"({"memory":"1Gi","cpu":2})");
  EXPECT_EQ(At(Container(pod), "resources.requests"), R"({"cpu":"100m","memory":"1Gi"})");
  EXPECT_EQ(Refusal("{metadata: {name: p}, spec: {containers: [{name: c, resources: {requests: {cpu: 10m}}}]}}",
                    {{"LimitRange", range}}),
            "pods \"p\" is forbidden: minimum cpu usage per Container is 50m, but request is 10m");
  EXPECT_EQ(Refusal("{metadata: {name: p}, spec: {containers: [{name: c, resources: {limits: {cpu: 3}}}]}}",
                    {{"LimitRange", range}}),
            "pods \"p\" is forbidden: maximum cpu usage per Container is 2, but limit is 3");
  const Value elsewhere =
      Created("{metadata: {name: p, namespace: other}, spec: {containers: [{name: c}]}}", {{"LimitRange", range}});
  EXPECT_EQ(At(Container(elsewhere), "resources"), "absent");
}

}  // namespace
}  // namespace berth::admission
