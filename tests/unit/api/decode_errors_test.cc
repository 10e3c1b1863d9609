// Invalid documents: an error with the position, and no crash.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "api/node.h"
#include "pod_text.h"

namespace berth::api {
namespace {

std::string PodError(std::string_view json) {
  InternTables intern;
  auto pod = DecodePod(intern, json);
  return pod ? "no error" : pod.error().message;
}

struct ErrorCase {
  const char* json;
  const char* error;
};
class DecodePodError : public testing::TestWithParam<ErrorCase> {};
TEST_P(DecodePodError, NamesObjectAndField) { EXPECT_EQ(PodError(GetParam().json), GetParam().error); }
INSTANTIATE_TEST_SUITE_P(
    Table, DecodePodError,
    testing::Values(
        ErrorCase{R"({"metadata":{"name":"a","namespace":"ns"},"spec":{"containers":[{"name":"c"},
                     {"resources":{"requests":{"cpu":"1x"}}}]}})",
                  "pod \"ns/a\": spec.containers[1].resources.requests[\"cpu\"]: quantities must match the regular "
                  "expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"},
        ErrorCase{R"({"spec":{"overhead":{"cpu":"1i"}},"metadata":{"name":"late"}})",
                  "pod \"late\": spec.overhead[\"cpu\"]: unable to parse quantity's suffix"},
        ErrorCase{R"({"metadata":{"name":"a"},"spec":{"containers":{}}})",
                  "pod \"a\": spec.containers: expected an array, found an object"},
        ErrorCase{R"({"metadata":{"name":"a"},"spec":{"containers":[[]]}})",
                  "pod \"a\": spec.containers[0]: expected an object, found an array"},
        ErrorCase{R"({"metadata":{"name":"a","labels":{"x\"y":1}}})",
                  "pod \"a\": metadata.labels[\"x\\\"y\"]: expected a string, found a number"},
        ErrorCase{R"({"metadata":{"name":7}})", "pod \"\": metadata.name: expected a string, found a number"},
        ErrorCase{R"({"spec":{"priority":2147483648}})", "pod \"\": spec.priority: expected a whole number of 32 bits"},
        ErrorCase{R"({"spec":{"priority":1.5}})", "pod \"\": spec.priority: expected a whole number of 64 bits"},
        ErrorCase{R"({"spec":{"priority":1e999}})", "pod \"\": spec.priority: expected a whole number of 64 bits"},
        ErrorCase{R"({"spec":{"priority":"1"}})", "pod \"\": spec.priority: expected a number, found a string"},
        ErrorCase{R"({"spec":{"priority":true}})", "pod \"\": spec.priority: expected a number, found a boolean"},
        ErrorCase{R"({"metadata":{"creationTimestamp":"yesterday"}})",
                  "pod \"\": metadata.creationTimestamp: cannot parse \"yesterday\" as an RFC 3339 time"},
        ErrorCase{R"({"spec":{"tolerations":[{"tolerationSeconds":99999999999999999999}]}})",
                  "pod \"\": spec.tolerations[0].tolerationSeconds: expected a whole number of 64 bits"},
        ErrorCase{
            R"({"status":{"containerStatuses":[{"resources":{"requests":{"cpu":{}}}}]}})",
            "pod \"\": status.containerStatuses[0].resources.requests[\"cpu\"]: expected a string, found an object"},
        ErrorCase{R"({"spec":{"affinity":{"nodeAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[
                     {"weight":"9"}]}}}})",
                  "pod \"\": spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: "
                  "expected a number, found a string"},
        ErrorCase{R"({"spec":{"affinity":{"podAntiAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{},
                     {"podAffinityTerm":{"labelSelector":{"matchExpressions":[{"values":[1]}]}}}]}}}})",
                  "pod \"\": spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[1]."
                  "podAffinityTerm.labelSelector.matchExpressions[0].values[0]: expected a string, found a number"},
        ErrorCase{R"({"spec":{"topologySpreadConstraints":[{"maxSkew":"1"}]}})",
                  "pod \"\": spec.topologySpreadConstraints[0].maxSkew: expected a number, found a string"},
        ErrorCase{R"({"spec":{"volumes":[{"rbd":{"monitors":"m"}}]}})",
                  "pod \"\": spec.volumes[0].rbd.monitors: expected an array, found a string"},
        ErrorCase{R"({"metadata":{"ownerReferences":[{"controller":"yes"}]}})",
                  "pod \"\": metadata.ownerReferences[0].controller: expected a boolean, found a string"},
        ErrorCase{"[]", "pod \"\": expected an object"}, ErrorCase{"3", "pod \"\": expected an object"},
        ErrorCase{"", "pod \"\": malformed JSON: the document is empty"},
        ErrorCase{R"({} {})", "pod \"\": malformed JSON: text after the document"}));

TEST(DecodeErrors, Node) {
  InternTables intern;
  auto node = DecodeNode(intern, R"({"metadata":{"name":"n"},"spec":{"unschedulable":"yes"}})");
  ASSERT_FALSE(node);
  EXPECT_EQ(node.error().message, "node \"n\": spec.unschedulable: expected a boolean, found a string");
  EXPECT_FALSE(DecodeNode(intern, R"({"status":{"images":[{"names":[1]}]}})"));
  EXPECT_FALSE(DecodeNode(intern, R"({"status":{"allocatable":{"cpu":[]}}})"));
}

TEST(DecodeErrors, MalformedText) {
  for (const char* json : {
           "{",
           "}",
           "{\"",
           "{\"a\"",
           "{\"a\":",
           "{\"a\":}",
           "{,}",
           "{\"a\":1,}",
           "nul",
           "{\"metadata\":nul}",
           "\x01",
           "{\"metadata\":{\"name\":\"\xff\xfe\"}}",
           "{\"metadata\":{\"name\":\"\\ud800\"}}",
           "{\"metadata\":{\"name\":\"\\q\"}}",
           "{\"metadata\":{\"name\":\"a}}",
           "{\"metadata\":{\"name\":\"a\"}",
           "{\"metadata\":{\"name\" \"a\"}}",
           "{\"metadata\":[}]",
           "{\"spec\":{\"priority\":-}}",
           "{\"spec\":{\"priority\":01}}",
           "{\"metadata\":{name:\"a\"}}",
           "\xef\xbb\xbf",
           "   ",
           "{\"spec\":{\"priority\":tru}}",
       }) {
    EXPECT_NE(PodError(json), "no error") << json;
    EXPECT_TRUE(PodError(json).starts_with("pod \"")) << json;
  }
}

TEST(DecodeErrors, DepthBombs) {
  const std::string open(100000, '['), close(100000, ']');
  InternTables intern;
  EXPECT_TRUE(
      DecodePod(intern, R"({"metadata":{"managedFields":)" + open + close + "}}"));  // skipped without recursion
  EXPECT_FALSE(DecodePod(intern, R"({"metadata":)" + open));
  EXPECT_FALSE(DecodePod(intern, R"({"spec":{"containers":)" + open + close + "}}"));
  std::string objects;
  for (int i = 0; i < 50000; ++i) objects += R"({"spec":)";
  EXPECT_FALSE(DecodePod(intern, objects));
}

constexpr const char* kFull = R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","namespace":"prod","uid":"u",
  "creationTimestamp":"2024-02-29T12:00:00.25Z","labels":{"app":"web","tier":"front"},"generation":4,
  "ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"rs","uid":"x","controller":true}]},
  "spec":{"priority":10,"nodeName":"n","schedulingGates":[{"name":"g"}],"nodeSelector":{"disk":"ssd"},
  "initContainers":[{"name":"i","image":"img","restartPolicy":"Always","ports":[{"hostPort":53,"protocol":"UDP"}]}],
  "containers":[{"name":"c","image":"img",
    "resources":{"requests":{"cpu":"250m","memory":"1.5Gi"},"limits":{"cpu":1e3}}}],
  "volumes":[{"image":{"reference":"r"}},{"name":"v",
    "rbd":{"monitors":["m"],"image":"i","pool":"p","readOnly":true}},{"name":"e","ephemeral":{}}],"overhead":{"cpu":"1m"},"resources":{"requests":{"cpu":"2"}},
  "tolerations":[{"key":"k","operator":"Exists","tolerationSeconds":30}],
  "affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[
    {"matchExpressions":[
    {"key":"z","operator":"In","values":["a","b"]}],
     "matchFields":[{"key":"metadata.name","operator":"In","values":["n"]}]}]},
   "preferredDuringSchedulingIgnoredDuringExecution":[{"weight":1,"preference":{"matchExpressions":[]}}]},
   "podAntiAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":1,"podAffinityTerm":{"topologyKey":"h",
     "labelSelector":{"matchLabels":{"app":"web"},"matchExpressions":[{"key":"k","operator":"NotIn","values":["v"]}]},
     "namespaces":["n"],"namespaceSelector":{}}}]}},
  "topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"z","whenUnsatisfiable":"DoNotSchedule","minDomains":2,
    "labelSelector":{"matchLabels":{"app":"web"}},"matchLabelKeys":["r"],"nodeTaintsPolicy":"Honor"}],
  "resourceClaims":[{"name":"rc","resourceClaimTemplateName":"t"}],"hostUsers":false,"preemptionPolicy":"Never"},
  "status":{"phase":"Running","conditions":[{"type":"PodScheduled","status":"True"}],"containerStatuses":[{"name":"c",
   "resources":{"requests":{"cpu":"1"}},"allocatedResources":{"cpu":"1"}}],"resourceClaimStatuses":[{"name":"x"}]}})";

TEST(DecodeErrors, EveryTruncationFails) {
  const std::string_view full = kFull;
  InternTables intern;
  ASSERT_TRUE(DecodePod(intern, full));
  for (size_t n = 0; n < full.size(); ++n) {
    EXPECT_FALSE(DecodePod(intern, std::string(full.substr(0, n))))
        << n;  // exactly n bytes, so a sanitizer finds reads beyond the end
  }
}

TEST(DecodeErrors, RandomDamageDoesNotCrash) {
  std::mt19937 random(7);
  InternTables intern;
  const std::string_view bytes = "{}[]\",:\\0123eE+-.nulltruefalse \x01\xff\xc3";
  for (int round = 0; round < 20000; ++round) {
    std::string json = kFull;
    for (size_t edits = 1 + random() % 4; edits > 0; --edits) {
      const size_t at = random() % json.size();
      switch (random() % 4) {
        case 0: json[at] = bytes[random() % bytes.size()]; break;
        case 1: json.erase(at, 1 + random() % 20); break;
        case 2: json.insert(at, 1, bytes[random() % bytes.size()]); break;
        default: json.insert(at, json.substr(random() % json.size(), random() % 30));
      }
      if (json.empty()) json = "{";
    }
    auto pod = DecodePod(intern, json);
    if (pod) {
      for (uint32_t flags = 0; flags < 8; ++flags) (*pod)->resources().Sums(intern, flags);
      for (const SelectorRef& selector : (*pod)->pod_affinity().selectors) selector->Matches(*(*pod)->abi.labels);
    } else {
      EXPECT_TRUE(pod.error().message.starts_with("pod ")) << json;
    }
    (void)DecodeNode(intern, json);
  }
}

}  // namespace
}  // namespace berth::api
