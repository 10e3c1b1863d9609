#include "config/configuration/args.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codec/yaml/yaml_documents.h"
#include "config/configuration/args_schema.h"
#include "config/configuration/args_validator.h"

namespace berth::config {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

json::Value Yaml(const std::string& text) { return yaml::ReadYaml(text, "t")->at(0); }

std::string Completed(const std::string& plugin, const std::string& text, const char* flag = "") {
  FeatureGates gates;
  EXPECT_TRUE(gates.Set(flag).empty()) << flag;
  const json::Value given = text.empty() ? json::Value() : Yaml(text);
  fields::Issues issues("t", given);
  json::Value args = DecodeArgs(plugin, given, "args", issues);
  for (const fields::Issue& issue : issues.Take()) ADD_FAILURE() << issue.Text();
  DefaultArgs(plugin, args, gates);
  json::Value encoded = EncodeArgs(plugin, args, ApiVersion::kV1);
  EXPECT_EQ(EncodeArgs(plugin, encoded, ApiVersion::kV1), encoded);
  encoded.Erase("apiVersion");
  encoded.Erase("kind");
  return json::Dump(encoded);
}

// Names and values of upstream's TestPluginArgsDefaults.
TEST(DefaultArgs, UpstreamsCases) {
  struct Case {
    const char* plugin;
    const char* given;
    const char* completed;
    const char* gates = "";
  };
  constexpr const char* kTwo = R"([{"name":"cpu","weight":1},{"name":"memory","weight":1}])";
  const std::string fit = std::string(R"({"scoringStrategy":{"type":"LeastAllocated","resources":)") + kTwo + "}}";
  const std::string balanced = std::string(R"({"resources":)") + kTwo + "}";
  const Case cases[] = {
      {.plugin = "DefaultPreemption",
       .given = "",
       .completed = R"({"minCandidateNodesPercentage":10,"minCandidateNodesAbsolute":100})"},
      {.plugin = "DefaultPreemption",
       .given = "minCandidateNodesPercentage: 50",
       .completed = R"({"minCandidateNodesPercentage":50,"minCandidateNodesAbsolute":100})"},
      {.plugin = "DefaultPreemption",
       .given = "minCandidateNodesPercentage: 0",
       .completed = R"({"minCandidateNodesPercentage":0,"minCandidateNodesAbsolute":100})"},
      {.plugin = "InterPodAffinity",
       .given = "",
       .completed = R"({"hardPodAffinityWeight":1,"ignorePreferredTermsOfExistingPods":false})"},
      {.plugin = "InterPodAffinity",
       .given = "hardPodAffinityWeight: 0",
       .completed = R"({"hardPodAffinityWeight":0,"ignorePreferredTermsOfExistingPods":false})"},
      {.plugin = "InterPodAffinity",
       .given = "{hardPodAffinityWeight: 5, ignorePreferredTermsOfExistingPods: true}",
       .completed = R"({"hardPodAffinityWeight":5,"ignorePreferredTermsOfExistingPods":true})"},
      {.plugin = "NodeAffinity", .given = "", .completed = "{}"},
      {.plugin = "NodeResourcesBalancedAllocation", .given = "resources: []", .completed = balanced.c_str()},
      {.plugin = "NodeResourcesBalancedAllocation",
       .given = "resources: [{name: scalar.io/scalar0, weight: 1}]",
       .completed = R"({"resources":[{"name":"scalar.io/scalar0","weight":1}]})"},
      {.plugin = "NodeResourcesBalancedAllocation",
       .given = "resources: [{name: cpu}, {name: memory, weight: 0}, {name: scalar0, weight: 2}]",
       .completed =
           R"({"resources":[{"name":"cpu","weight":1},{"name":"memory","weight":1},{"name":"scalar0","weight":2}]})"},
      {.plugin = "PodTopologySpread", .given = "", .completed = R"({"defaultingType":"System"})"},
      {.plugin = "PodTopologySpread",
       .given = "defaultConstraints: [{topologyKey: planet, whenUnsatisfiable: DoNotSchedule, maxSkew: 2}]",
       .completed =
           R"({"defaultConstraints":[{"maxSkew":2,"topologyKey":"planet","whenUnsatisfiable":"DoNotSchedule"}],"defaultingType":"System"})"},
      {.plugin = "NodeResourcesFit", .given = "", .completed = fit.c_str()},
      {.plugin = "NodeResourcesFit",
       .given = "ignoredResources: []\nscoringStrategy: {type: MostAllocated, resources: [{name: nvidia.com/gpu}]}",
       .completed =
           R"({"scoringStrategy":{"type":"MostAllocated","resources":[{"name":"nvidia.com/gpu","weight":1}]}})"},
      // A strategy without a type stays without one, which validation refuses.
      {.plugin = "NodeResourcesFit",
       .given = "scoringStrategy: {}",
       .completed = R"({"scoringStrategy":{"resources":[{"name":"cpu","weight":1},{"name":"memory","weight":1}]}})"},
      {.plugin = "VolumeBinding", .given = "", .completed = R"({"bindTimeoutSeconds":600})"},
      {.plugin = "VolumeBinding",
       .given = "",
       .completed =
           R"({"bindTimeoutSeconds":600,"shape":[{"utilization":0,"score":10},{"utilization":100,"score":0}]})",
       .gates = "StorageCapacityScoring=true"},
      {.plugin = "DynamicResources", .given = "", .completed = R"({"filterTimeout":"10s","bindingTimeout":"10m0s"})"},
      {.plugin = "DynamicResources",
       .given = "{filterTimeout: null, bindingTimeout: null}",
       .completed = R"({"filterTimeout":"10s","bindingTimeout":"10m0s"})"},
      {.plugin = "DynamicResources",
       .given = "{filterTimeout: 0s, bindingTimeout: 90s}",
       .completed = R"({"filterTimeout":"0s","bindingTimeout":"1m30s"})"},
      {.plugin = "DynamicResources",
       .given = "",
       .completed = R"({"filterTimeout":null})",
       .gates = "DRASchedulerFilterTimeout=false,DRADeviceBindingConditions=false"},
  };
  for (const Case& c : cases)
    EXPECT_EQ(Completed(c.plugin, c.given, c.gates), c.completed) << c.plugin << " " << c.given;
}

TEST(DecodeArgs, ReportsEveryMistakeWithItsPosition) {
  const std::string text =
      "apiVersion: kubescheduler.config.k8s.io/v7\n"
      "kind: VolumeBindingArgs\n"
      "ignoredResources: [a, 5]\n"
      "scoringStrategy:\n"
      "  Type: LeastAllocated\n"
      "  resources:\n"
      "  - {Name: cpu, weight: x}\n"
      "  - cpu\n"
      "extra: 1\n";
  const json::Value given = Yaml(text);
  fields::Issues issues("t", given);
  DecodeArgs("NodeResourcesFit", given, "", issues);
  std::vector<std::string> lines;
  for (const fields::Issue& issue : issues.Take()) lines.push_back(issue.Text());
  EXPECT_THAT(
      lines,
      ElementsAre("t:1:13: apiVersion: no kind \"VolumeBindingArgs\" is registered for version "
                  "\"kubescheduler.config.k8s.io/v7\"",
                  "t:2:7: kind: args for plugin NodeResourcesFit were not of type "
                  "NodeResourcesFitArgs.kubescheduler.config.k8s.io, "
                  "got VolumeBindingArgs.kubescheduler.config.k8s.io",
                  "t:3:23: ignoredResources[1]: Invalid value: 5: expected string, got number",
                  "t:5:3: scoringStrategy.Type: unknown field \"Type\" (did you mean \"type\"?)",
                  "t:7:6: scoringStrategy.resources[0].Name: unknown field \"Name\" (did you mean \"name\"?)",
                  "t:7:25: scoringStrategy.resources[0].weight: Invalid value: \"x\": expected int64, got string",
                  "t:8:5: scoringStrategy.resources[1]: Invalid value: \"cpu\": expected an object, got string",
                  "t:9:1: extra: unknown field \"extra\""));
}

// As gvkWithDefaults of apimachinery's pkg/runtime/serializer/json/json.go: the plugin determines what args leave
// empty.
TEST(DecodeArgs, KindAndVersionMayBeEmpty) {
  for (const char* meta : {"kind: ''", "kind: null", "apiVersion: ''", "apiVersion: '/'", "{kind: '', apiVersion: ''}",
                           "apiVersion: kubescheduler.config.k8s.io/"}) {
    EXPECT_EQ(Completed("NodeResourcesBalancedAllocation", meta), Completed("NodeResourcesBalancedAllocation", ""))
        << meta;
  }
}

TEST(DecodeArgs, VersionOfAnotherGroupIsUnknown) {
  for (const char* version : {"v1", "/v1", "other/", "kubescheduler.config.k8s.io", "kubescheduler.config.k8s.io//"}) {
    const json::Value given = Yaml(std::string("apiVersion: ") + version);
    fields::Issues issues("t", given);
    DecodeArgs("NodeResourcesFit", given, "", issues);
    const std::vector<fields::Issue> found = issues.Take();
    ASSERT_EQ(found.size(), 1U) << version;
    EXPECT_EQ(found[0].Text(), "t:1:13: apiVersion: no kind \"NodeResourcesFitArgs\" is registered for version \"" +
                                   std::string(version) + "\"");
  }
}

TEST(EncodeArgs, OldVersionLosesNewFields) {
  json::Value args{json::Object()};
  DefaultArgs("InterPodAffinity", args, FeatureGates());
  EXPECT_EQ(
      json::Dump(EncodeArgs("InterPodAffinity", args, ApiVersion::kV1beta2)),
      R"({"hardPodAffinityWeight":1,"apiVersion":"kubescheduler.config.k8s.io/v1beta2","kind":"InterPodAffinityArgs"})");
}

std::vector<std::string> Faults(const std::string& plugin, const std::string& text, const char* flag = "") {
  FeatureGates gates;
  EXPECT_TRUE(gates.Set(flag).empty()) << flag;
  std::vector<std::string> faults;
  InTreeArgsValidator(gates).Check(plugin, Yaml(text), [&](const std::string& path, const std::string& reason) {
    faults.push_back(path + ": " + reason);
  });
  return faults;
}

// Names and values of upstream's validation_pluginargs_test.go; texts were compared with that program's.
TEST(InTreeArgsValidator, DefaultPreemption) {
  EXPECT_THAT(Faults("DefaultPreemption", "{minCandidateNodesPercentage: 10, minCandidateNodesAbsolute: 100}"),
              IsEmpty());
  EXPECT_THAT(Faults("DefaultPreemption", "{minCandidateNodesPercentage: -1, minCandidateNodesAbsolute: 100}"),
              ElementsAre("minCandidateNodesPercentage: Invalid value: -1: not in valid range [0, 100]"));
  EXPECT_THAT(Faults("DefaultPreemption", "{minCandidateNodesPercentage: 900, minCandidateNodesAbsolute: -2}"),
              ElementsAre("minCandidateNodesPercentage: Invalid value: 900: not in valid range [0, 100]",
                          "minCandidateNodesAbsolute: Invalid value: -2: not in valid range [0, inf)"));
  EXPECT_THAT(Faults("DefaultPreemption", "{minCandidateNodesPercentage: 0, minCandidateNodesAbsolute: 0}"),
              ElementsAre("minCandidateNodesPercentage: Invalid value: 0: cannot be zero at the same time as "
                          "minCandidateNodesAbsolute",
                          "minCandidateNodesAbsolute: Invalid value: 0: cannot be zero at the same time as "
                          "minCandidateNodesPercentage"));
}

TEST(InTreeArgsValidator, InterPodAffinityAndVolumeBinding) {
  EXPECT_THAT(Faults("InterPodAffinity", "hardPodAffinityWeight: 100"), IsEmpty());
  EXPECT_THAT(Faults("InterPodAffinity", "hardPodAffinityWeight: -1"),
              ElementsAre("hardPodAffinityWeight: Invalid value: -1: not in valid range [0, 100]"));
  EXPECT_THAT(Faults("InterPodAffinity", "hardPodAffinityWeight: 101"),
              ElementsAre("hardPodAffinityWeight: Invalid value: 101: not in valid range [0, 100]"));
  EXPECT_THAT(Faults("VolumeBinding", "bindTimeoutSeconds: 0"), IsEmpty());
  EXPECT_THAT(Faults("VolumeBinding", "bindTimeoutSeconds: -10"),
              ElementsAre("bindTimeoutSeconds: Invalid value: -10: invalid BindTimeoutSeconds, should not be a "
                          "negative value"));
  EXPECT_THAT(Faults("VolumeBinding", "shape: [{utilization: 1, score: 1}]"),
              ElementsAre("shape: Invalid value: [{\"utilization\":1,\"score\":1}]: unexpected field `shape`, "
                          "remove it or turn "
                          "on the feature gate StorageCapacityScoring"));
  constexpr const char* kOn = "StorageCapacityScoring=true";
  EXPECT_THAT(Faults("VolumeBinding", "{}", kOn),
              ElementsAre("shape: Required value: at least one point must be specified"));
  EXPECT_THAT(Faults("VolumeBinding", "shape: [{utilization: 30, score: 3}, {utilization: 20, score: 2}]", kOn),
              ElementsAre("shape[1].utilization: Invalid value: 20: values must be sorted in increasing order"));
  EXPECT_THAT(Faults("VolumeBinding", "shape: [{utilization: -1, score: 1}, {utilization: 101, score: 11}]", kOn),
              ElementsAre("shape[0].utilization: Invalid value: -1: not in valid range [0, 100]",
                          "shape[1].utilization: Invalid value: 101: not in valid range [0, 100]",
                          "shape[1].score: Invalid value: 11: not in valid range [0, 10]"));
}

TEST(InTreeArgsValidator, NodeResources) {
  EXPECT_THAT(
      Faults("NodeResourcesBalancedAllocation",
             "resources: [{name: cpu, weight: 1}, {name: memory, weight: 2}, {name: cpu, weight: 1}]"),
      ElementsAre("resources[1].weight: Invalid value: 2: must be 1", "resources[2].name: Duplicate value: \"cpu\""));
  EXPECT_THAT(Faults("NodeResourcesFit", "{}"),
              ElementsAre("scoringStrategy: Required value: ScoringStrategy field is required"));
  EXPECT_THAT(
      Faults("NodeResourcesFit",
             "scoringStrategy: {type: Invalid, resources: [{name: cpu, weight: 0}, {name: memory, weight: 101}]}"),
      ElementsAre("scoringStrategy.type: Unsupported value: \"Invalid\": supported values: \"LeastAllocated\", "
                  "\"MostAllocated\", "
                  "\"RequestedToCapacityRatio\"",
                  "scoringStrategy.resources[0].weight: Invalid value: 0: resource weight of cpu not in valid "
                  "range (0, 100]",
                  "scoringStrategy.resources[1].weight: Invalid value: 101: resource weight of memory not in "
                  "valid range (0, "
                  "100]"));
  EXPECT_THAT(Faults("NodeResourcesFit", "scoringStrategy: {type: RequestedToCapacityRatio}"),
              ElementsAre("scoringStrategy.requestedToCapacityRatio: Required value: must be specified when type is "
                          "RequestedToCapacityRatio"));
  EXPECT_THAT(Faults("NodeResourcesFit", "scoringStrategy: {type: MostAllocated, requestedToCapacityRatio: {}}"),
              ElementsAre("scoringStrategy.requestedToCapacityRatio: Forbidden: must be nil when type is not "
                          "RequestedToCapacityRatio"));
  EXPECT_THAT(
      Faults("NodeResourcesFit", "scoringStrategy: {type: RequestedToCapacityRatio, requestedToCapacityRatio: {}}"),
      ElementsAre("scoringStrategy.requestedToCapacityRatio.shape: Required value: at least one point must be "
                  "specified"));
  EXPECT_THAT(
      Faults("NodeResourcesFit",
             "{ignoredResources: [a/b/c], ignoredResourceGroups: [example.com/x], scoringStrategy: {type: "
             "MostAllocated}}"),
      ElementsAre(
          testing::StartsWith("ignoredResources[0]: Invalid value: \"a/b/c\": a valid label key must consist of"),
          "ignoredResourceGroups[0]: Invalid value: \"example.com/x\": resource group name can't contain '/'"));
}

TEST(InTreeArgsValidator, PodTopologySpread) {
  EXPECT_THAT(Faults("PodTopologySpread",
                     "{defaultingType: List, defaultConstraints: [{maxSkew: 1, topologyKey: node, whenUnsatisfiable: "
                     "DoNotSchedule}, {maxSkew: 2, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway}]}"),
              IsEmpty());
  EXPECT_THAT(Faults("PodTopologySpread", "{defaultingType: Foo}"),
              ElementsAre("defaultingType: Unsupported value: \"Foo\": supported values: \"System\", \"List\""));
  EXPECT_THAT(
      Faults("PodTopologySpread",
             "{defaultingType: System, defaultConstraints: [{maxSkew: -1, whenUnsatisfiable: Unknown, "
             "labelSelector: {}}, {maxSkew: 1, topologyKey: '', whenUnsatisfiable: Unknown}]}"),
      ElementsAre(
          "defaultingType: Invalid value: \"System\": when .defaultConstraints are not empty",
          "defaultConstraints[0].maxSkew: Invalid value: -1: not in valid range (0, inf)",
          "defaultConstraints[0].topologyKey: Required value: can not be empty",
          "defaultConstraints[0].whenUnsatisfiable: Unsupported value: \"Unknown\": supported values: "
          "\"DoNotSchedule\", \"ScheduleAnyway\"",
          "defaultConstraints[0].labelSelector: Forbidden: constraint must not define a selector, as they deduced "
          "for each pod",
          "defaultConstraints[1].topologyKey: Required value: can not be empty",
          "defaultConstraints[1].whenUnsatisfiable: Unsupported value: \"Unknown\": supported values: "
          "\"DoNotSchedule\", \"ScheduleAnyway\"",
          "defaultConstraints[1]: Duplicate value: \"{, Unknown}\""));
}

TEST(InTreeArgsValidator, NodeAffinity) {
  const std::string text =
      "addedAffinity:\n"
      "  requiredDuringSchedulingIgnoredDuringExecution:\n"
      "    nodeSelectorTerms:\n"
      "    - matchExpressions: [{key: invalid, operator: unknown}, {key: 'a b', operator: In, values: ['x y']}]\n"
      "    - matchFields: [{key: f, operator: In, values: [a, b]}, {key: f, operator: Exists}]\n"
      "    - {}\n"
      "  preferredDuringSchedulingIgnoredDuringExecution:\n"
      "  - {weight: 1, preference: {matchExpressions: [{key: c, operator: Gt, values: [x]}, {key: c, operator: In}]}}\n"
      "  - {weight: 0, preference: {matchExpressions: [{key: c, operator: bad}]}}\n";
  const std::string required = "addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms";
  const std::string preferred = "addedAffinity.preferredDuringSchedulingIgnoredDuringExecution";
  EXPECT_THAT(
      Faults("NodeAffinity", text),
      ElementsAre(
          required + "[0].matchExpressions[0].operator: Unsupported value: \"unknown\": supported values: "
                     "\"In\", \"NotIn\", "
                     "\"Exists\", \"DoesNotExist\", \"Gt\", \"Lt\"",
          testing::StartsWith(required + "[0].matchExpressions[1].key: Invalid value: \"a b\": name part must consist"),
          testing::StartsWith(required +
                              "[0].matchExpressions[1].values[0][a b]: Invalid value: \"x y\": a valid label must"),
          required + "[1].matchFields[0].values: Invalid value: [\"a\",\"b\"]: must have one element",
          required + "[1].matchFields[1].operator: Unsupported value: \"Exists\": supported values: \"In\", \"NotIn\"",
          preferred + "[0].matchExpressions[0].values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, the value "
                      "must be an integer",
          preferred + "[0].matchExpressions[1].values: Invalid value: null: for 'in', 'notin' operators, values set "
                      "can't be empty"));
}

TEST(InTreeArgsValidator, DynamicResources) {
  EXPECT_THAT(Faults("DynamicResources", "{filterTimeout: 10s, bindingTimeout: 10m0s}"), IsEmpty());
  EXPECT_THAT(Faults("DynamicResources", "{filterTimeout: -1s, bindingTimeout: 0s}"),
              ElementsAre("filterTimeout: Invalid value: \"-1s\": must be zero or positive",
                          "bindingTimeout: Invalid value: \"0s\": must be at least 1 second"));
  EXPECT_THAT(Faults("DynamicResources", "{filterTimeout: 1s, bindingTimeout: 30s}",
                     "DRASchedulerFilterTimeout=false,DRADeviceBindingConditions=false"),
              ElementsAre("filterTimeout: Forbidden: DRASchedulingFilterTimeout feature gate is disabled",
                          "bindingTimeout: Forbidden: DRADeviceBindingConditions or DRAResourceClaimDeviceStatus "
                          "feature gate is disabled"));
}

}  // namespace
}  // namespace berth::config
