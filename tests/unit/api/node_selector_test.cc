#include <gtest/gtest.h>

#include <string>

#include "api/node.h"
#include "api/selectors.h"
#include "pod_text.h"

namespace berth::api {
namespace {

constexpr const char* kKeyRule =
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric "
    "character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
constexpr const char* kValueRule =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and "
    "end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is "
    "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

class NodeSelector : public testing::Test {
 protected:
  // affinity: the value of spec.affinity.nodeAffinity; selector: of spec.nodeSelector.
  PodRef Pod(const std::string& affinity, const std::string& selector = "null") {
    return Decoded(intern_,
                   R"({"spec":{"nodeSelector":)" + selector + R"(,"affinity":{"nodeAffinity":)" + affinity + "}}}");
  }
  PodRef Terms(const std::string& terms) {
    return Pod(R"({"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":)" + terms + "}}");
  }
  bool Matches(const PodRef& pod, const std::string& labels, const std::string& name = "host_1") {
    auto node = DecodeNode(intern_, R"({"metadata":{"name":")" + name + R"(","labels":)" + labels + "}}");
    EXPECT_TRUE(node);
    const NodeFacts facts{(*node)->abi.labels, (*node)->abi.name};
    return RequiredMatches(intern_, *pod->abi.node_affinity, facts);
  }
  bool ExpressionMatches(const std::string& expression, const std::string& labels) {
    return Matches(Terms(R"([{"matchExpressions":[)" + expression + "]}]"), labels);
  }
  bool FieldMatches(const std::string& field, const std::string& name) {
    return Matches(Terms(R"([{"matchFields":[)" + field + "]}]"), "{}", name);
  }
  std::string Errors(const std::string& terms) { return RequiredTermErrors(intern_, *Terms(terms)->abi.node_affinity); }
  InternTables intern_;
};

TEST_F(NodeSelector, EmptyMatchesAll) {
  const PodRef pod = Pod("null");
  EXPECT_TRUE(Matches(pod, "{}"));
  EXPECT_TRUE(Matches(Pod("{}", "{}"), "{}"));
}

TEST_F(NodeSelector, PlainSelectorIsAnded) {
  const PodRef pod = Pod("null", R"({"foo":"bar","q":""})");
  EXPECT_TRUE(Matches(pod, R"({"foo":"bar","q":"","x":"y"})"));
  EXPECT_FALSE(Matches(pod, R"({"foo":"bar"})"));
  EXPECT_FALSE(Matches(pod, R"({"foo":"baz","q":""})"));
  EXPECT_TRUE(Matches(Pod("null", R"({"not a key":"not a value"})"), R"({"not a key":"not a value"})"));
}

TEST_F(NodeSelector, Operators) {
  const std::string in = R"({"key":"foo","operator":"In","values":["bar","value2"]})";
  EXPECT_TRUE(ExpressionMatches(in, R"({"foo":"bar"})"));
  EXPECT_FALSE(ExpressionMatches(in, R"({"foo":"x"})"));
  EXPECT_FALSE(ExpressionMatches(in, "{}"));
  const std::string not_in = R"({"key":"mem-type","operator":"NotIn","values":["DDR","DDR2"]})";
  EXPECT_TRUE(ExpressionMatches(not_in, R"({"mem-type":"DDR3"})"));
  EXPECT_TRUE(ExpressionMatches(not_in, "{}"));
  EXPECT_FALSE(ExpressionMatches(not_in, R"({"mem-type":"DDR"})"));
  const std::string exists = R"({"key":"GPU","operator":"Exists"})";
  EXPECT_TRUE(ExpressionMatches(exists, R"({"GPU":""})"));
  EXPECT_FALSE(ExpressionMatches(exists, "{}"));
  const std::string absent = R"({"key":"GPU","operator":"DoesNotExist"})";
  EXPECT_FALSE(ExpressionMatches(absent, R"({"GPU":""})"));
  EXPECT_TRUE(ExpressionMatches(absent, "{}"));
  EXPECT_TRUE(ExpressionMatches(R"({"key":"e","operator":"In","values":[""]})", R"({"e":""})"));
  EXPECT_FALSE(ExpressionMatches(R"({"key":"e","operator":"In","values":[""]})", "{}"));
}

TEST_F(NodeSelector, GreaterAndLess) {
  const auto greater = [&](const std::string& bound, const std::string& value) {
    return ExpressionMatches(R"({"key":"v","operator":"Gt","values":[")" + bound + R"("]})",
                             R"({"v":")" + value + R"("})");
  };
  EXPECT_TRUE(greater("0204", "0206"));
  EXPECT_FALSE(greater("1", "1"));
  EXPECT_TRUE(greater("1", "2"));
  EXPECT_FALSE(greater("1", "-2"));
  EXPECT_FALSE(greater("1", "2x"));
  EXPECT_FALSE(greater("1", ""));
  EXPECT_FALSE(greater("1", "0x10"));
  EXPECT_FALSE(greater("1", "1e3"));
  EXPECT_FALSE(greater("1", "9223372036854775808"));
  EXPECT_TRUE(greater("1", "9223372036854775807"));
  EXPECT_TRUE(greater("1", "+2"));
  EXPECT_FALSE(greater("1", "+-2"));
  EXPECT_FALSE(greater("-2", "-1"));  // "-2" is an invalid label value, so the term has an error
  EXPECT_TRUE(ExpressionMatches(R"({"key":"v","operator":"Lt","values":["10"]})", R"({"v":"9"})"));
  EXPECT_TRUE(ExpressionMatches(R"({"key":"v","operator":"Lt","values":["10"]})", R"({"v":"-9"})"));
  EXPECT_FALSE(ExpressionMatches(R"({"key":"v","operator":"Lt","values":["10"]})", R"({"v":"10"})"));
  EXPECT_FALSE(ExpressionMatches(R"({"key":"v","operator":"Lt","values":["10"]})", "{}"));
}

TEST_F(NodeSelector, Fields) {
  EXPECT_TRUE(FieldMatches(R"({"key":"metadata.name","operator":"In","values":["host_1"]})", "host_1"));
  EXPECT_FALSE(FieldMatches(R"({"key":"metadata.name","operator":"In","values":["host_1"]})", "host_2"));
  EXPECT_FALSE(FieldMatches(R"({"key":"metadata.name","operator":"NotIn","values":["host_1"]})", "host_1"));
  EXPECT_TRUE(FieldMatches(R"({"key":"metadata.name","operator":"NotIn","values":["host_1"]})", "host_2"));
  EXPECT_FALSE(FieldMatches(R"({"key":"metadata.name","operator":"In","values":["host_1","host_2"]})", "host_1"));
  EXPECT_FALSE(FieldMatches(R"({"key":"metadata.name","operator":"Exists"})", "host_1"));
  // Any other field has the value "".
  EXPECT_FALSE(FieldMatches(R"({"key":"metadata.uid","operator":"In","values":["x"]})", "host_1"));
  EXPECT_TRUE(FieldMatches(R"({"key":"metadata.uid","operator":"In","values":[""]})", "host_1"));
  EXPECT_TRUE(FieldMatches(R"({"key":"metadata.uid","operator":"NotIn","values":["x"]})", "host_1"));
  // A node without a name has no fields, and field requirements are ignored.
  EXPECT_TRUE(FieldMatches(R"({"key":"metadata.name","operator":"In","values":["host_1"]})", ""));
}

TEST_F(NodeSelector, TermsAreOredAndEmptyOnesMatchNothing) {
  EXPECT_FALSE(Matches(Terms("[]"), "{}"));
  EXPECT_FALSE(Matches(Terms("null"), "{}"));
  EXPECT_FALSE(Matches(Terms("[{}]"), "{}"));
  EXPECT_FALSE(Matches(Terms(R"([{"matchExpressions":[]}])"), "{}"));
  const PodRef either = Terms(R"([{"matchExpressions":[{"key":"label_1","operator":"In","values":["label_1_val"]}]},
                                  {"matchFields":[{"key":"metadata.name","operator":"In","values":["host_1"]}]}])");
  EXPECT_TRUE(Matches(either, "{}"));
  EXPECT_TRUE(Matches(either, R"({"label_1":"label_1_val"})", "other"));
  EXPECT_FALSE(Matches(either, "{}", "other"));
  const PodRef both = Terms(R"([{"matchExpressions":[{"key":"label_1","operator":"In","values":["label_1_val"]}],
                                 "matchFields":[{"key":"metadata.name","operator":"In","values":["host_1"]}]}])");
  EXPECT_FALSE(Matches(both, "{}"));
  EXPECT_FALSE(Matches(both, R"({"label_1":"label_1_val"})", "other"));
  EXPECT_TRUE(Matches(both, R"({"label_1":"label_1_val"})"));
}

TEST_F(NodeSelector, SelectorAndAffinityAreAnded) {
  const PodRef pod = Pod(R"({"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[
      {"matchExpressions":[{"key":"foo","operator":"Exists"}]}]}})",
                         R"({"foo":"bar"})");
  EXPECT_TRUE(Matches(pod, R"({"foo":"bar"})"));
  EXPECT_FALSE(Matches(pod, R"({"foo":"barrrrrr"})"));
}

TEST_F(NodeSelector, ATermWithAnErrorMatchesNothingButOthersMay) {
  const std::string good = R"({"matchExpressions":[{"key":"foo","operator":"Exists"}]})";
  const std::string bad =
      R"({"matchExpressions":[{"key":"foo","operator":"NotIn","values":["invalid value: ___@#$%^"]}]})";
  EXPECT_FALSE(Matches(Terms("[" + bad + "]"), R"({"foo":"bar"})"));
  EXPECT_TRUE(Matches(Terms("[" + bad + "," + good + "]"), R"({"foo":"bar"})"));
  EXPECT_TRUE(Matches(Terms("[" + good + "," + bad + "]"), R"({"foo":"bar"})"));
}

TEST_F(NodeSelector, ErrorTexts) {
  EXPECT_EQ(Errors(R"([{"matchExpressions":[{"key":"a","operator":"Exists"}]},{}])"), "");
  EXPECT_EQ(
      Errors(R"([{"matchFields":[{"key":"metadata.name","operator":"In","values":["host_1","host_2"]}]},
      {"matchExpressions":[{"key":"label_1","operator":"In","values":["label_1_val"]}]},
      {"matchExpressions":[{"key":"invalid key","operator":"In","values":["label_value"]}]}])"),
      std::string("[nodeSelectorTerms[0].matchFields[0].values: Invalid value: [\"host_1\",\"host_2\"]: must have one "
                  "element, nodeSelectorTerms[2].matchExpressions[0].key: Invalid value: \"invalid key\": ") +
          kKeyRule + "]");
  EXPECT_EQ(
      Errors(R"([{"matchExpressions":[{"key":"a","operator":"<&>"}]}])"),
      "nodeSelectorTerms[0].matchExpressions[0].operator: Unsupported value: \"\\u003c\\u0026\\u003e\": supported "
      "values: \"In\", \"NotIn\", \"Exists\", \"DoesNotExist\", \"Gt\", \"Lt\"");
  EXPECT_EQ(
      Errors(R"([{"matchFields":[{"key":"a","operator":"Gt","values":["1"]}]}])"),
      "nodeSelectorTerms[0].matchFields[0].operator: Unsupported value: \"Gt\": supported values: \"In\", \"NotIn\"");
  EXPECT_EQ(Errors(R"([{"matchFields":[{"key":"a","operator":"In"}]}])"),
            "nodeSelectorTerms[0].matchFields[0].values: Invalid value: null: must have one element");
  EXPECT_EQ(
      Errors(R"([{"matchExpressions":[{"key":"a","operator":"In"}]}])"),
      "nodeSelectorTerms[0].matchExpressions[0].values: Invalid value: null: for 'in', 'notin' operators, values set "
      "can't be empty");
  EXPECT_EQ(
      Errors(R"([{"matchExpressions":[{"key":"a","operator":"Exists","values":["b"]}]}])"),
      "nodeSelectorTerms[0].matchExpressions[0].values: Invalid value: [\"b\"]: values set must be empty for exists "
      "and does not exist");
  EXPECT_EQ(
      Errors(R"([{"matchExpressions":[{"key":"a","operator":"Gt","values":["x","1"]}]}])"),
      "[nodeSelectorTerms[0].matchExpressions[0].values: Invalid value: [\"x\",\"1\"]: for 'Gt', 'Lt' operators, "
      "exactly one value is required, nodeSelectorTerms[0].matchExpressions[0].values[0]: Invalid value: \"x\": for "
      "'Gt', 'Lt' operators, the value must be an integer]");
  EXPECT_EQ(
      Errors(R"([{"matchExpressions":[{"key":"a","operator":"In","values":["ok","b c"]}]}])"),
      std::string("nodeSelectorTerms[0].matchExpressions[0].values[1][a]: Invalid value: \"b c\": ") + kValueRule);
}

TEST_F(NodeSelector, PreferredErrorsSkipWeightlessAndEmptyTerms) {
  const auto errors = [&](const std::string& preferred) {
    const PodRef pod = Pod(R"({"preferredDuringSchedulingIgnoredDuringExecution":)" + preferred + "}");
    return PreferredTermErrors(intern_, *pod->abi.node_affinity);
  };
  const std::string two =
      R"("preference":{"matchFields":[{"key":"metadata.name","operator":"In","values":["a","b"]}]})";
  EXPECT_EQ(errors("[{\"weight\":0," + two + "},{\"weight\":1,\"preference\":{}}]"), "");
  EXPECT_EQ(errors("[{\"weight\":1," + two + "}]"),
            "[0].matchFields[0].values: Invalid value: [\"a\",\"b\"]: must have one element");
  EXPECT_EQ(
      errors("[{\"weight\":1," + two + "},{\"weight\":2," + two + "}]"),
      "[[0].matchFields[0].values: Invalid value: [\"a\",\"b\"]: must have one element, [1].matchFields[0].values: "
      "Invalid value: [\"a\",\"b\"]: must have one element]");
}

TEST_F(NodeSelector, OneTermAlone) {
  const PodRef pod = Terms(R"([{"matchExpressions":[{"key":"a","operator":"Exists"}]},{}])");
  const auto& required = pod->abi.node_affinity->required;
  auto node = DecodeNode(intern_, R"({"metadata":{"name":"n","labels":{"a":"1"}}})");
  const NodeFacts facts{(*node)->abi.labels, (*node)->abi.name};
  EXPECT_TRUE(TermMatches(intern_, *BERTH_AT(required, berth_node_term, 0), facts));
  EXPECT_FALSE(TermMatches(intern_, *BERTH_AT(required, berth_node_term, 1), facts));
  EXPECT_EQ(intern_.ids.Text(LabelValue(*facts.labels, intern_.ids.Find("a"))), "1");
  EXPECT_EQ(LabelValue(*facts.labels, intern_.cpu), base::kNoId);
}

}  // namespace
}  // namespace berth::api
