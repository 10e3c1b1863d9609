#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <berth/testing/plugin_under_test.hpp>

#include "berth/entry.h"
#include "row_bits.h"

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
        FilterCase{.name = "NoSelector", .pod = FakePod("p"), .node = kBare, .fits = true},
        FilterCase{
            .name = "MissingLabels", .pod = FakePod("p").NodeSelector("foo", "bar"), .node = kBare, .fits = false},
        FilterCase{.name = "SameLabels", .pod = FakePod("p").NodeSelector("foo", "bar"), .node = kFoo, .fits = true},
        FilterCase{.name = "NodeLabelsAreSuperset",
                   .pod = FakePod("p").NodeSelector("foo", "bar"),
                   .node = FakeNode(kFoo).Label("baz", "blah"),
                   .fits = true},
        FilterCase{.name = "NodeLabelsAreSubset",
                   .pod = FakePod("p").NodeSelector("foo", "bar").NodeSelector("baz", "blah"),
                   .node = kFoo,
                   .fits = false},
        FilterCase{
            .name = "In", .pod = Requires(Expressions({{"foo", "In", {"bar", "value2"}}})), .node = kFoo, .fits = true},
        FilterCase{.name = "Gt",
                   .pod = Requires(Expressions({{"gpu", "Gt", {"0204"}}})),
                   .node = FakeNode("n").Label("gpu", "206"),
                   .fits = true},
        FilterCase{
            .name = "GtIsStrict", .pod = Requires(Expressions({{"gpu", "Gt", {"4"}}})), .node = kGpu, .fits = false},
        FilterCase{.name = "NotIn",
                   .pod = Requires(Expressions({{"mem-type", "NotIn", {"DDR", "DDR2"}}})),
                   .node = FakeNode("n").Label("mem-type", "DDR3"),
                   .fits = true},
        FilterCase{.name = "Exists",
                   .pod = Requires(Expressions({{"GPU", "Exists", {}}})),
                   .node = FakeNode("n").Label("GPU", "NVIDIA-GRID-K1"),
                   .fits = true},
        FilterCase{.name = "NoValueMatches",
                   .pod = Requires(Expressions({{"foo", "In", {"value1", "value2"}}})),
                   .node = kFoo,
                   .fits = false},
        FilterCase{.name = "EmptyTermMatchesNothing", .pod = Requires(Expressions({})), .node = kFoo, .fits = false},
        FilterCase{.name = "AllExpressionsMatch",
                   .pod = Requires(Expressions({{"foo", "Exists", {}}, {"foo", "NotIn", {"x"}}})),
                   .node = kFoo,
                   .fits = true},
        FilterCase{.name = "OneExpressionDoesNot",
                   .pod = Requires(Expressions({{"foo", "Exists", {}}, {"foo", "In", {"x"}}})),
                   .node = kFoo,
                   .fits = false},
        FilterCase{.name = "TermsAreOred",
                   .pod = Requires(Expressions({{"foo", "In", {"x"}}})).Required(Expressions({{"foo", "In", {"bar"}}})),
                   .node = kFoo,
                   .fits = true},
        FilterCase{.name = "SelectorAndAffinityBoth",
                   .pod = FakePod("p").NodeSelector("foo", "bar").Required(Expressions({{"foo", "Exists", {}}})),
                   .node = kFoo,
                   .fits = true},
        FilterCase{.name = "SelectorFailsAffinityMatches",
                   .pod = FakePod("p").NodeSelector("foo", "other").Required(Expressions({{"foo", "Exists", {}}})),
                   .node = kFoo,
                   .fits = false},
        FilterCase{.name = "MatchFields", .pod = Requires(NameIn({"n"})), .node = kBare, .fits = true},
        FilterCase{.name = "MatchFieldsOtherName", .pod = Requires(NameIn({"m"})), .node = kBare, .fits = false},
        FilterCase{.name = "FieldsAndExpressions",
                   .pod = Requires({{{"foo", "In", {"bar"}}}, {{"metadata.name", "In", {"m"}}}}),
                   .node = kFoo,
                   .fits = false}),
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

TEST(NodeAffinityRowBits, OnlyLiveRowsAreClear) {
  // Rows 3, 64, and 130 have no node.
  const uint64_t live[3] = {~(uint64_t{1} << 3), ~uint64_t{1}, 3};
  for (const uint32_t first : {0u, 1u, 3u, 60u, 64u, 100u}) {
    for (uint32_t n = 1; first + n <= 132; ++n) {
      std::vector<uint64_t> words((n + 63) / 64, 0);
      plugins::node_affinity::SetWhereDead(live, first, n, words.data());
      std::vector<uint32_t> wanted, clear;
      for (uint32_t row = first; row < first + n; ++row) {
        if ((live[row / 64] >> (row % 64) & 1) != 0) wanted.push_back(row - first);
      }
      plugins::node_affinity::ForEachClear(words.data(), n, [&](uint32_t i) { clear.push_back(i); });
      EXPECT_EQ(clear, wanted) << n << " rows from " << first;
      EXPECT_EQ(plugins::node_affinity::AnyClear(words.data(), n), !wanted.empty());
    }
  }
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
