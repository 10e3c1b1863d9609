// Label selectors of pods: matches and errors.
#include "api/selector_block.h"

#include <gtest/gtest.h>

#include <string>

#include "pod_text.h"

namespace berth::api {
namespace {

class SelectorBlockTest : public testing::Test {
 protected:
  SelectorRef Selector(const std::string& json) {
    const PodRef pod = Decoded(intern_, R"({"spec":{"topologySpreadConstraints":[{"labelSelector":)" + json + "}]}}");
    const auto* constraint = BERTH_AT(pod->abi.spread->items, berth_spread_constraint, 0);
    return SelectorRef(&SelectorBlockOf(constraint->selector));
  }
  bool Matches(const std::string& selector, const std::string& labels) {
    const PodRef pod = Decoded(intern_, R"({"metadata":{"labels":)" + labels + "}}");
    return Selector(selector)->Matches(*pod->abi.labels);
  }
  bool Expression(const std::string& op, const std::string& values, const std::string& labels) {
    return Matches(R"({"matchExpressions":[{"key":"k","operator":")" + op + R"(","values":)" + values + "}]}", labels);
  }
  InternTables intern_;
};

TEST_F(SelectorBlockTest, NilMatchesNothingAndEmptyEverything) {
  EXPECT_FALSE(Matches("null", R"({"a":"b"})"));
  EXPECT_FALSE(Matches("null", "{}"));
  EXPECT_TRUE(Matches("{}", R"({"a":"b"})"));
  EXPECT_TRUE(Matches("{}", "{}"));
  EXPECT_TRUE(Selector("{}")->empty());
  EXPECT_FALSE(Selector("null")->empty());
  EXPECT_EQ(Selector("null")->error(), "");
}

TEST_F(SelectorBlockTest, LabelsAreAnded) {
  const std::string selector = R"({"matchLabels":{"a":"1","b":""}})";
  EXPECT_TRUE(Matches(selector, R"({"a":"1","b":"","c":"x"})"));
  EXPECT_FALSE(Matches(selector, R"({"a":"1"})")) << "an absent label is not an empty one";
  EXPECT_FALSE(Matches(selector, R"({"a":"2","b":""})"));
}

TEST_F(SelectorBlockTest, Operators) {
  EXPECT_TRUE(Expression("In", R"(["x","y"])", R"({"k":"y"})"));
  EXPECT_FALSE(Expression("In", R"(["x","y"])", R"({"k":"z"})"));
  EXPECT_FALSE(Expression("In", R"(["x","y"])", "{}"));
  EXPECT_TRUE(Expression("NotIn", R"(["x"])", R"({"k":"y"})"));
  EXPECT_TRUE(Expression("NotIn", R"(["x"])", "{}"));
  EXPECT_FALSE(Expression("NotIn", R"(["x"])", R"({"k":"x"})"));
  EXPECT_TRUE(Expression("Exists", "[]", R"({"k":""})"));
  EXPECT_FALSE(Expression("Exists", "null", "{}"));
  EXPECT_TRUE(Expression("DoesNotExist", "[]", "{}"));
  EXPECT_FALSE(Expression("DoesNotExist", "[]", R"({"k":"v"})"));
}

TEST_F(SelectorBlockTest, InvalidSelectorsMatchNothing) {
  EXPECT_FALSE(Expression("NotIn", "[]", "{}"));
  EXPECT_FALSE(Expression("exists", "[]", R"({"k":"v"})"));
  EXPECT_FALSE(Matches(R"({"matchLabels":{"a b":"c"}})", R"({"a b":"c"})"));
}

// Error texts of LabelSelectorAsSelector, from apimachinery 0.36.3.
TEST_F(SelectorBlockTest, Errors) {
  const auto error = [&](const std::string& json) { return Selector(json)->error(); };
  EXPECT_EQ(error(R"({"matchExpressions":[{"key":"k","operator":"Foo"}]})"),
            R"("Foo" is not a valid label selector operator)");
  EXPECT_EQ(error(R"({"matchExpressions":[{"key":"k","operator":"In"}]})"),
            "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty");
  EXPECT_EQ(error(R"({"matchExpressions":[{"key":"k","operator":"Exists","values":["a","b"]}]})"),
            R"(values: Invalid value: ["a","b"]: values set must be empty for exists and does not exist)");
  const std::string key_rule =
      "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric "
      "character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
      "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
  const std::string value_rule =
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start "
      "and "
      "end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is "
      "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
  EXPECT_EQ(error(R"({"matchLabels":{"a b":"c"}})"), "key: Invalid value: \"a b\": " + key_rule);
  EXPECT_EQ(error(R"({"matchLabels":{"a":"c!"}})"), "values[0][a]: Invalid value: \"c!\": " + value_rule);
  EXPECT_EQ(
      error(R"({"matchLabels":{"a b":"c!"}})"),
      "[key: Invalid value: \"a b\": " + key_rule + ", values[0][a b]: Invalid value: \"c!\": " + value_rule + "]");
  EXPECT_EQ(
      error(R"({"matchExpressions":[{"key":"k","operator":"In","values":["ok","c!"]},{"key":"k","operator":"x"}]})"),
      "values[1][k]: Invalid value: \"c!\": " + value_rule)
      << "only the first requirement at fault";
}

}  // namespace
}  // namespace berth::api
