#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <berth/testing/plugin_under_test.hpp>

#include "berth/entry.h"

namespace {

using namespace berth::sdk::testing;  // NOLINT: tests use the fake host's names
using testing::ElementsAre;

const Outcome kRefused{BERTH_UNRESOLVABLE, {"node(s) didn't match Pod's node affinity/selector"}};

FakeTerm Expressions(std::vector<FakeRequirement> requirements) { return {std::move(requirements), {}}; }
FakeTerm Fields(std::vector<FakeRequirement> requirements) { return {{}, std::move(requirements)}; }
FakeTerm NameIn(Texts names) { return Fields({{"metadata.name", "In", std::move(names)}}); }

struct FilterCase {
  const char* name;
  FakePod pod;
  FakeNode node;
  bool fits;
};

class NodeAffinityFilter : public testing::TestWithParam<FilterCase> {};

TEST_P(NodeAffinityFilter, Filter) {
  PluginUnderTest plugin(berth_entry_v1, "NodeAffinity");
  plugin.cluster().Add(GetParam().node);
  ASSERT_TRUE(plugin.Start().ok());
  EXPECT_EQ(plugin.Try(GetParam().pod)->Filter().nodes.at("n"), GetParam().fits ? Outcome{} : kRefused);
}

const FakeNode kBare("n"), kFoo = FakeNode("n").Label("foo", "bar"), kGpu = FakeNode("n").Label("gpu", "4");
FakePod Requires(FakeTerm term) { return FakePod("p").Required(std::move(term)); }

INSTANTIATE_TEST_SUITE_P(
    Upstream, NodeAffinityFilter,
    testing::Values(
        FilterCase{"NoSelector", FakePod("p"), kBare, true},
        FilterCase{"MissingLabels", FakePod("p").NodeSelector("foo", "bar"), kBare, false},
        FilterCase{"SameLabels", FakePod("p").NodeSelector("foo", "bar"), kFoo, true},
        FilterCase{"NodeLabelsAreSuperset", FakePod("p").NodeSelector("foo", "bar"),
                   FakeNode(kFoo).Label("baz", "blah"), true},
        FilterCase{"NodeLabelsAreSubset", FakePod("p").NodeSelector("foo", "bar").NodeSelector("baz", "blah"), kFoo,
                   false},
        FilterCase{"In", Requires(Expressions({{"foo", "In", {"bar", "value2"}}})), kFoo, true},
        FilterCase{"Gt", Requires(Expressions({{"gpu", "Gt", {"0204"}}})), FakeNode("n").Label("gpu", "206"), true},
        FilterCase{"GtIsStrict", Requires(Expressions({{"gpu", "Gt", {"4"}}})), kGpu, false},
        FilterCase{"NotIn", Requires(Expressions({{"mem-type", "NotIn", {"DDR", "DDR2"}}})),
                   FakeNode("n").Label("mem-type", "DDR3"), true},
        FilterCase{"Exists", Requires(Expressions({{"GPU", "Exists", {}}})),
                   FakeNode("n").Label("GPU", "NVIDIA-GRID-K1"), true},
        FilterCase{"NoValueMatches", Requires(Expressions({{"foo", "In", {"value1", "value2"}}})), kFoo, false},
        FilterCase{"EmptyTermMatchesNothing", Requires(Expressions({})), kFoo, false},
        FilterCase{"AllExpressionsMatch", Requires(Expressions({{"foo", "Exists", {}}, {"foo", "NotIn", {"x"}}})), kFoo,
                   true},
        FilterCase{"OneExpressionDoesNot", Requires(Expressions({{"foo", "Exists", {}}, {"foo", "In", {"x"}}})), kFoo,
                   false},
        FilterCase{"TermsAreOred",
                   Requires(Expressions({{"foo", "In", {"x"}}})).Required(Expressions({{"foo", "In", {"bar"}}})), kFoo,
                   true},
        FilterCase{"SelectorAndAffinityBoth",
                   FakePod("p").NodeSelector("foo", "bar").Required(Expressions({{"foo", "Exists", {}}})), kFoo, true},
        FilterCase{"SelectorFailsAffinityMatches",
                   FakePod("p").NodeSelector("foo", "other").Required(Expressions({{"foo", "Exists", {}}})), kFoo,
                   false},
        FilterCase{"MatchFields", Requires(NameIn({"n"})), kBare, true},
        FilterCase{"MatchFieldsOtherName", Requires(NameIn({"m"})), kBare, false},
        FilterCase{"FieldsAndExpressions", Requires({{{"foo", "In", {"bar"}}}, {{"metadata.name", "In", {"m"}}}}), kFoo,
                   false}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(NodeAffinity, PreFilter) {
  PluginUnderTest plugin(berth_entry_v1, "NodeAffinity");
  plugin.cluster().Add(kBare);
  ASSERT_TRUE(plugin.Start().ok());
  EXPECT_EQ(plugin.Try(FakePod("p"))->PreFilter().code, BERTH_SKIP);
  EXPECT_FALSE(plugin.Try(FakePod("p").NodeSelector("a", "b"))->PreFilter().narrowed);

  const FakeTerm in_a_zone{{{"zone", "In", {"z1"}}}, {{"metadata.name", "In", {"b"}}}};
  auto names = plugin.Try(Requires(NameIn({"a"})).Required(in_a_zone))->PreFilter();
  EXPECT_TRUE(names.narrowed);
  EXPECT_THAT(names.names, ElementsAre("a", "b"));

  const FakeTerm conflict = Fields({{"metadata.name", "In", {"a"}}, {"metadata.name", "In", {"b"}}});
  auto conflicting = plugin.Try(Requires(conflict))->PreFilter();
  EXPECT_EQ(conflicting.code, BERTH_UNRESOLVABLE);
  EXPECT_THAT(conflicting.reasons, ElementsAre("pod affinity terms conflict"));
  EXPECT_THAT(plugin.Try(Requires(conflict).Required(NameIn({"c"})))->PreFilter().names, ElementsAre("c"));
  EXPECT_FALSE(plugin.Try(Requires(NameIn({"a"})).Required(Expressions({{"x", "Exists", {}}})))->PreFilter().narrowed);
}

FakeValue AddedTerm(const char* key, const char* value) {
  return FakeValue::Object({{"matchExpressions", FakeValue::Array({FakeValue::Object({
                                                     {"key", key},
                                                     {"operator", "In"},
                                                     {"values", FakeValue::Array({value})},
                                                 })})}});
}

TEST(NodeAffinity, AddedAffinityIsEnforced) {
  PluginUnderTest plugin(berth_entry_v1, "NodeAffinity");
  plugin.Args(FakeValue::Object(
      {{"addedAffinity", FakeValue::Object({{"requiredDuringSchedulingIgnoredDuringExecution",
                                             FakeValue::Object({{"nodeSelectorTerms",
                                                                 FakeValue::Array({AddedTerm("zone", "bar")})}})}})}}));
  plugin.cluster().Add(FakeNode("in").Label("zone", "bar")).Add(FakeNode("out").Label("zone", "foo"));
  ASSERT_TRUE(plugin.Start().ok());
  auto attempt = plugin.Try(FakePod("p"));
  EXPECT_TRUE(attempt->PreFilter().ok()) << "never skipped with an added selector";
  auto nodes = attempt->Filter().nodes;
  EXPECT_TRUE(nodes["in"].ok());
  EXPECT_EQ(nodes["out"], (Outcome{BERTH_UNRESOLVABLE, {"node(s) didn't match scheduler-enforced node affinity"}}));
}

TEST(NodeAffinity, PreferredTermsAddTheirWeights) {
  PluginUnderTest plugin(berth_entry_v1, "NodeAffinity");
  plugin.cluster()
      .Add(FakeNode("a").Label("foo", "bar"))
      .Add(FakeNode("b").Label("foo", "bar").Label("az", "az1").Label("key", "value"))
      .Add(FakeNode("c"));
  ASSERT_TRUE(plugin.Start().ok());
  auto attempt = plugin.Try(FakePod("p")
                                .Preferred(2, Expressions({{"foo", "In", {"bar"}}}))
                                .Preferred(4, Expressions({{"key", "In", {"value"}}}))
                                .Preferred(5, Expressions({{"foo", "In", {"bar"}}, {"az", "In", {"az1"}}}))
                                .Preferred(7, Expressions({})));
  ASSERT_TRUE(attempt->PreScore().ok());
  EXPECT_EQ(attempt->Score().nodes, (Scores{{"a", 2}, {"b", 11}, {"c", 0}}));
  EXPECT_EQ(plugin.Try(FakePod("p"))->PreScore().code, BERTH_SKIP);
}

TEST(NodeAffinity, Hints) {
  PluginUnderTest plugin(berth_entry_v1, "NodeAffinity");
  ASSERT_TRUE(plugin.Start().ok());
  auto hint = [&](std::optional<FakeNode> before, FakeNode after) -> bool {
    return plugin
        .Hints({.resource = "Node", .interest = 0, .old_node = std::move(before), .new_node = std::move(after)},
               {Requires(Expressions({{"foo", "In", {"bar"}}}))})
        .queue.at(0);
  };
  EXPECT_TRUE(hint(std::nullopt, kFoo));
  EXPECT_FALSE(hint(std::nullopt, kBare));
  EXPECT_TRUE(hint(kBare, kFoo));
  EXPECT_FALSE(hint(kFoo, kFoo)) << "it matched before";
  EXPECT_FALSE(hint(kFoo, kBare));
}

}  // namespace
