// A volume's node affinity as data, and its translation for the CSI driver that replaced an in-tree driver.
#include "node_terms.h"

#include <gtest/gtest.h>
#include <berth/testing/json.hpp>

#include <map>

namespace {

using berth::sdk::testing::FakeValue;
using berth::sdk::testing::ParseJson;
using plugins::volume_binding::Matches;
using plugins::volume_binding::NodeTerms;
using plugins::volume_binding::NodeTermsOf;
using plugins::volume_binding::TranslateTopology;

using NodeLabels = std::map<std::string, std::string, std::less<>>;

bool Reach(const NodeTerms& terms, const NodeLabels& labels) {
  return Matches(terms, [&](std::string_view key) -> std::optional<std::string_view> {
    const auto found = labels.find(key);
    return found == labels.end() ? std::nullopt : std::optional<std::string_view>(found->second);
  });
}
std::string Term(const std::string& expressions) {
  return R"({"nodeSelectorTerms":[{"matchExpressions":[)" + expressions + "]}]}";
}
bool Holds(const std::string& expression, const NodeLabels& labels) {
  const FakeValue required = ParseJson(Term(expression));
  return Reach(NodeTermsOf(required.view()), labels);
}

TEST(NodeTerms, Operators) {
  EXPECT_TRUE(Holds(R"({"key":"a","operator":"In","values":["x","y"]})", {{"a", "y"}}));
  EXPECT_FALSE(Holds(R"({"key":"a","operator":"In","values":["x"]})", {{"b", "x"}}));
  EXPECT_TRUE(Holds(R"({"key":"a","operator":"NotIn","values":["x"]})", {}));
  EXPECT_FALSE(Holds(R"({"key":"a","operator":"NotIn","values":["x"]})", {{"a", "x"}}));
  EXPECT_TRUE(Holds(R"({"key":"a","operator":"Exists"})", {{"a", ""}}));
  EXPECT_TRUE(Holds(R"({"key":"a","operator":"DoesNotExist"})", {{"b", ""}}));
  EXPECT_TRUE(Holds(R"({"key":"a","operator":"Gt","values":["4"]})", {{"a", "5"}}));
  EXPECT_FALSE(Holds(R"({"key":"a","operator":"Gt","values":["5"]})", {{"a", "5"}}));
  EXPECT_TRUE(Holds(R"({"key":"a","operator":"Lt","values":["6"]})", {{"a", "5"}}));
  EXPECT_FALSE(Holds(R"({"key":"a","operator":"Lt","values":["6"]})", {{"a", "five"}}));
  EXPECT_FALSE(Holds(R"({"key":"a","operator":"In","values":["x"]},{"key":"b","operator":"Exists"})", {{"a", "x"}}));
}

TEST(NodeTerms, TermsAreAlternativesAndEmptyOnesAreNone) {
  const FakeValue two = ParseJson(R"({"nodeSelectorTerms":[{},{"matchExpressions":[{"key":"a","operator":"Exists"}]},)"
                                  R"({"matchFields":[{"key":"metadata.name","operator":"In","values":["n"]}]}]})");
  EXPECT_TRUE(Reach(NodeTermsOf(two.view()), {{"a", ""}}));
  EXPECT_FALSE(Reach(NodeTermsOf(two.view()), {{"b", ""}})) << "names are not looked at";
  EXPECT_TRUE(Reach(NodeTermsOf({}), {})) << "nothing is asked for";
}

// As translateTopologyFromInTreeToCSI.
bool TakenOver(const std::string& required, const std::string& labels, const NodeLabels& node) {
  const FakeValue selector = required.empty() ? FakeValue() : ParseJson(required), map = ParseJson(labels);
  NodeTerms terms = NodeTermsOf(selector.view());
  TranslateTopology(terms, map.view(), "csi/zone");
  return Reach(terms, node);
}

TEST(TakenOver, ZonesHaveTheDriversLabel) {
  for (const std::string key : {"topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone"}) {
    const std::string labels = "{\"" + key + "\": \"a__b\"}";
    EXPECT_TRUE(TakenOver("", labels, {{"csi/zone", "b"}})) << key;
    EXPECT_FALSE(TakenOver("", labels, {{"csi/zone", "c"}, {key, "a"}})) << key;
    const std::string fast = Term(R"({"key":"disk","operator":"In","values":["fast"]})");
    EXPECT_TRUE(TakenOver(fast, labels, {{"csi/zone", "a"}, {"disk", "fast"}})) << key;
    EXPECT_FALSE(TakenOver(fast, labels, {{"csi/zone", "a"}})) << key;
  }
  EXPECT_TRUE(TakenOver("", "{}", {})) << "no zone, no question";
}

TEST(TakenOver, ZonesOfTheAffinityComeFirst) {
  const std::string zoned = Term(R"({"key":"topology.kubernetes.io/zone","operator":"In","values":["a"]})");
  const std::string labels = R"({"topology.kubernetes.io/zone": "b"})";
  EXPECT_TRUE(TakenOver(zoned, labels, {{"csi/zone", "a"}}));
  EXPECT_FALSE(TakenOver(zoned, labels, {{"csi/zone", "b"}, {"topology.kubernetes.io/zone", "a"}}));
}

TEST(TakenOver, BetaRegionsHaveTheirNewName) {
  const std::string old = Term(R"({"key":"failure-domain.beta.kubernetes.io/zone","operator":"In","values":["a"]},)"
                               R"({"key":"failure-domain.beta.kubernetes.io/region","operator":"In","values":["r"]})");
  EXPECT_TRUE(TakenOver(old, "{}", {{"csi/zone", "a"}, {"topology.kubernetes.io/region", "r"}}));
  EXPECT_FALSE(TakenOver(old, "{}", {{"csi/zone", "a"}, {"failure-domain.beta.kubernetes.io/region", "r"}}));
}

}  // namespace
