// Selectors in a configuration: label selectors and the node affinity in plugin args.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "api/selectors.h"
#include "codec/json/value.h"
#include "pod_text.h"

namespace berth::api {
namespace {

using Errors = std::vector<std::string>;

class CompileSelector : public testing::Test {
 protected:
  FieldErrorSink Sink() {
    return [this](std::string_view path, std::string_view detail) {
      errors_.push_back(std::string(path) + ": " + std::string(detail));
    };
  }
  std::unique_ptr<LabelSelector> Labels(std::string_view json) {
    errors_.clear();
    auto value = json::Parse(json);
    EXPECT_TRUE(value) << json;
    auto selector = LabelSelector::Compile(intern_, &*value, Sink());
    EXPECT_EQ(selector == nullptr, !errors_.empty()) << json;
    return selector;
  }
  bool Matches(std::string_view selector, const std::string& labels) {
    const PodRef pod = Decoded(intern_, R"({"metadata":{"labels":)" + labels + "}}");
    const auto compiled = Labels(selector);
    return compiled != nullptr && compiled->Matches(*pod->abi.labels);
  }
  Ref<const NodeAffinityBlock> Affinity(std::string_view json) {
    errors_.clear();
    auto value = json::Parse(json);
    EXPECT_TRUE(value) << json;
    auto block = CompileNodeAffinity(intern_, *value, Sink());
    EXPECT_EQ(!block, !errors_.empty()) << json;
    return block;
  }
  InternTables intern_;
  Errors errors_;
};

TEST_F(CompileSelector, NullMatchesNothingAndEmptyMatchesAll) {
  const PodRef pod = Decoded(intern_, R"({"metadata":{"labels":{"a":"b"}}})");
  const auto none = LabelSelector::Compile(intern_, nullptr, Sink());
  EXPECT_FALSE(none->Matches(*pod->abi.labels));
  EXPECT_FALSE(none->empty());
  EXPECT_FALSE(Labels("null")->Matches(*pod->abi.labels));
  EXPECT_TRUE(Labels("{}")->Matches(*pod->abi.labels));
  EXPECT_TRUE(Labels("{}")->empty());
  EXPECT_TRUE(Labels(R"({"matchLabels":null,"matchExpressions":[]})")->empty());
  EXPECT_FALSE(Labels(R"({"matchLabels":{"a":"b"}})")->empty());
}

TEST_F(CompileSelector, RequirementsAreAnded) {
  const char* both = R"({"matchLabels":{"foo":"bar"},"matchExpressions":[
      {"key":"baz","operator":"In","values":["qux","norf"]}]})";
  EXPECT_TRUE(Matches(both, R"({"foo":"bar","baz":"norf"})"));
  EXPECT_FALSE(Matches(both, R"({"foo":"bar"})"));
  EXPECT_FALSE(Matches(both, R"({"foo":"x","baz":"norf"})"));
  EXPECT_TRUE(Matches(R"({"matchLabels":{"foo":""}})", R"({"foo":""})"));
  EXPECT_FALSE(Matches(R"({"matchLabels":{"foo":""}})", "{}"));
  const char* not_in = R"({"matchExpressions":[{"key":"a","operator":"NotIn","values":["b"]}]})";
  EXPECT_TRUE(Matches(not_in, "{}"));
  EXPECT_TRUE(Matches(not_in, R"({"a":"c"})"));
  EXPECT_FALSE(Matches(not_in, R"({"a":"b"})"));
  EXPECT_TRUE(Matches(R"({"matchExpressions":[{"key":"a","operator":"Exists"}]})", R"({"a":""})"));
  EXPECT_FALSE(Matches(R"({"matchExpressions":[{"key":"a","operator":"Exists"}]})", "{}"));
  EXPECT_FALSE(Matches(R"({"matchExpressions":[{"key":"a","operator":"DoesNotExist"}]})", R"({"a":""})"));
  EXPECT_TRUE(Matches(R"({"matchExpressions":[{"key":"a","operator":"DoesNotExist"}]})", "{}"));
}

TEST_F(CompileSelector, LabelErrors) {
  Labels(R"({"matchExpressions":[{"key":"baz","operator":"Exists","values":["qux","norf"]}]})");
  EXPECT_EQ(errors_,
            Errors{"matchExpressions[0].values: Invalid value: [\"qux\",\"norf\"]: values set must be empty for "
                   "exists and does not exist"});
  Labels(R"({"matchExpressions":[{"key":"a","operator":"Exists"},{"key":"a","operator":"Gt","values":["1"]},null]})");
  EXPECT_EQ(errors_, (Errors{"matchExpressions[1].operator: \"Gt\" is not a valid label selector operator",
                             "matchExpressions[2].operator: \"\" is not a valid label selector operator"}));
  Labels(R"({"matchExpressions":[{"key":"a","operator":"In","values":[]}]})");
  EXPECT_EQ(errors_,
            Errors{"matchExpressions[0].values: Invalid value: null: for 'in', 'notin' operators, values set can't "
                   "be empty"});
  Labels(R"({"matchLabels":{"/a":"ok","b":"not ok"}})");
  ASSERT_EQ(errors_.size(), 2u);
  EXPECT_EQ(errors_[0], "matchLabels: Invalid value: \"/a\": prefix part must be non-empty");
  EXPECT_TRUE(errors_[1].starts_with("matchLabels[b]: Invalid value: \"not ok\": a valid label must be")) << errors_[1];
}

TEST_F(CompileSelector, WrongTypes) {
  Labels(R"([])");
  EXPECT_EQ(errors_, Errors{": expected an object"});
  Labels(R"({"matchLabels":[],"matchExpressions":{},"other":1})");
  EXPECT_EQ(errors_,
            (Errors{"other: unknown field", "matchLabels: expected an object", "matchExpressions: expected an array"}));
  Labels(R"({"matchLabels":{"a":1},"matchExpressions":[{"key":"b","operator":"In","values":[true]},7]})");
  EXPECT_EQ(errors_, (Errors{"matchLabels[a]: expected a string", "matchExpressions[0].values[0]: expected a string",
                             "matchExpressions[1]: expected an object"}));
}

TEST_F(CompileSelector, NodeAffinityIsTheSameBlockAsAPods) {
  const std::string affinity = R"({"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[
      {"matchExpressions":[{"key":"foo","operator":"In","values":["bar","baz"]}],
       "matchFields":[{"key":"metadata.name","operator":"NotIn","values":["n"]}]}]},
      "preferredDuringSchedulingIgnoredDuringExecution":[{"weight":3,"preference":{"matchExpressions":[
       {"key":"p","operator":"Gt","values":["1"]}]}}]})";
  const auto block = Affinity(affinity);
  const PodRef pod = Decoded(intern_, R"({"spec":{"affinity":{"nodeAffinity":)" + affinity + "}}}");
  ASSERT_TRUE(block);
  EXPECT_EQ(&block->abi, pod->abi.node_affinity);
  EXPECT_EQ(Affinity("{}")->abi.has, 0u);
  EXPECT_EQ(Affinity("null")->abi.has, 0u);
  EXPECT_EQ(Affinity(R"({"requiredDuringSchedulingIgnoredDuringExecution":null})")->abi.has, 0u);
}

TEST_F(CompileSelector, NodeAffinityErrors) {
  // The values of upstream's TestValidateNodeAffinityArgs.
  Affinity(R"({"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[
      {"matchExpressions":[{"key":"foo","operator":"In"}]},
      {"matchFields":[{"key":"bar","operator":"In","values":["a","b"]}]}]},
      "preferredDuringSchedulingIgnoredDuringExecution":[
       {"weight":1,"preference":{"matchExpressions":[{"key":"a","operator":"Maybe"}]}},
       {"weight":0,"preference":{"matchExpressions":[{"key":"a","operator":"Maybe"}]}}]})");
  EXPECT_EQ(
      errors_,
      (Errors{"requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values: Invalid "
              "value: null: for 'in', 'notin' operators, values set can't be empty",
              "requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[1].matchFields[0].values: Invalid "
              "value: [\"a\",\"b\"]: must have one element",
              "preferredDuringSchedulingIgnoredDuringExecution[0].matchExpressions[0].operator: Unsupported value: "
              "\"Maybe\": supported values: \"In\", \"NotIn\", \"Exists\", \"DoesNotExist\", \"Gt\", \"Lt\""}));
  Affinity(R"({"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":"1"},{"weight":4294967296},5,
      {"preference":{"matchExpressions":[{"key":1}]}}],"requiredDuringSchedulingIgnoredDuringExecution":7})");
  EXPECT_EQ(errors_,
            (Errors{"requiredDuringSchedulingIgnoredDuringExecution: expected an object",
                    "preferredDuringSchedulingIgnoredDuringExecution[0].weight: expected a whole number of 32 bits",
                    "preferredDuringSchedulingIgnoredDuringExecution[1].weight: expected a whole number of 32 bits",
                    "preferredDuringSchedulingIgnoredDuringExecution[2]: expected an object",
                    "preferredDuringSchedulingIgnoredDuringExecution[3].preference.matchExpressions[0].key: expected a "
                    "string"}));
}

}  // namespace
}  // namespace berth::api
