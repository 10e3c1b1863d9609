// Cases that upstream does not test: ties, missing objects, namespaces, and changes.
#include "test_fixture.h"

namespace topological_sort_test {
namespace {

constexpr int64_t kEarly = 1'000'000'000, kLate = 2'000'000'000;

struct RuleCase {
  const char* name;
  FakeQueued a, b;
  bool want;
};

class TopologicalSortRules : public testing::TestWithParam<RuleCase> {};

// Each case in both directions: of two pods, at most one goes first.
TEST_P(TopologicalSortRules, Less) {
  Sorter sorter({GroupOf("g", {{"first", 1}, {"second", 2}, {"also-second", 2}}), GroupOf("empty", {})});
  EXPECT_EQ(sorter.Less(GetParam().a, GetParam().b), GetParam().want);
  if (GetParam().want) {
    EXPECT_FALSE(sorter.Less(GetParam().b, GetParam().a));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Own, TopologicalSortRules,
    testing::Values(RuleCase{.name = "TheOrderOutranksPriorityAndTime",
                             .a = {Replica("first", "g").Priority(0), kLate},
                             .b = {Replica("second", "g").Priority(9), kEarly},
                             .want = true},
                    RuleCase{.name = "OneWorkloadByPriority",
                             .a = {Replica("first", "g").Priority(9), kLate},
                             .b = {Replica("first", "g").Priority(0), kEarly},
                             .want = true},
                    RuleCase{.name = "OneWorkloadByTime",
                             .a = {Replica("first", "g"), kEarly},
                             .b = {Replica("first", "g"), kLate},
                             .want = true},
                    RuleCase{.name = "EqualPodsAreNotLess",
                             .a = {Replica("first", "g"), kLate},
                             .b = {Replica("first", "g"), kLate},
                             .want = false},
                    RuleCase{.name = "EqualIndexesByTime",
                             .a = {Replica("also-second", "g"), kEarly},
                             .b = {Replica("second", "g"), kLate},
                             .want = true},
                    RuleCase{.name = "AnUnknownWorkloadGoesFirst",
                             .a = {Replica("unknown", "g"), kLate},
                             .b = {Replica("first", "g"), kEarly},
                             .want = true},
                    RuleCase{.name = "APodWithoutWorkloadGoesFirst",
                             .a = {FakePod("p").Label("appgroup.diktyo.x-k8s.io", "g"), kLate},
                             .b = {Replica("first", "g"), kEarly},
                             .want = true},
                    RuleCase{.name = "AGroupWithoutOrderByTime",
                             .a = {Replica("second", "empty"), kEarly},
                             .b = {Replica("first", "empty"), kLate},
                             .want = true},
                    // scheduler-plugins crashes.
                    RuleCase{.name = "AMissingGroupByTime",
                             .a = {Replica("second", "missing"), kEarly},
                             .b = {Replica("first", "missing"), kLate},
                             .want = true},
                    RuleCase{.name = "NoGroupByPriority",
                             .a = {FakePod("a").Priority(9), kLate},
                             .b = {FakePod("b").Priority(0), kEarly},
                             .want = true},
                    RuleCase{
                        .name = "NoGroupByTime", .a = {FakePod("a"), kEarly}, .b = {FakePod("b"), kLate}, .want = true},
                    RuleCase{.name = "AnEmptyGroupIsNone",
                             .a = {Replica("second", ""), kEarly},
                             .b = {Replica("first", ""), kLate},
                             .want = true},
                    RuleCase{.name = "OneWithoutGroupByPriority",
                             .a = {FakePod("a").Priority(9), kLate},
                             .b = {Replica("first", "g").Priority(0), kEarly},
                             .want = true}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(TopologicalSortOrder, NeedNotBeSorted) {
  Sorter sorter({GroupOf("g", {{"z", 1}, {"a", 2}, {"m", 3}})});
  EXPECT_TRUE(sorter.Less(Replica("z", "g"), Replica("a", "g")));
  EXPECT_TRUE(sorter.Less(Replica("a", "g"), Replica("m", "g")));
  EXPECT_FALSE(sorter.Less(Replica("m", "g"), Replica("z", "g")));
}

TEST(TopologicalSortOrder, TakesTheFirstOfTwoEntriesOfAWorkload) {
  Sorter sorter({GroupOf("g", {{"a", 5}, {"b", 3}, {"a", 1}})});
  EXPECT_TRUE(sorter.Less(Replica("b", "g"), Replica("a", "g")));
}

TEST(TopologicalSortOrder, DoesNotDependOnTheNamespaceOfThePods) {
  Sorter sorter({GroupOf("g", {{"a", 2}, {"b", 1}})});
  EXPECT_TRUE(sorter.Less(Replica("b", "g").Namespace("shop"), Replica("a", "g").Namespace("other")));
}

TEST(TopologicalSortOrder, ComesFromTheFirstNamespaceThatHasTheGroup) {
  Sorter sorter({GroupOf("g", {{"a", 1}, {"b", 2}}, "second"), GroupOf("g", {{"a", 2}, {"b", 1}}, "first"),
                 GroupOf("h", {{"a", 2}, {"b", 1}}, "second"), GroupOf("h", {{"a", 1}, {"b", 2}}, "elsewhere")},
                {"first", "second"});
  EXPECT_TRUE(sorter.Less(Replica("b", "g"), Replica("a", "g")));
  EXPECT_TRUE(sorter.Less(Replica("b", "h"), Replica("a", "h")));
  sorter.plugin().Delete(kAppGroups, "g", "first");
  EXPECT_TRUE(sorter.Less(Replica("a", "g"), Replica("b", "g")));
  sorter.plugin().Delete(kAppGroups, "g", "second");
  EXPECT_FALSE(sorter.Less(Replica("a", "g"), Replica("b", "g")));
  EXPECT_FALSE(sorter.Less(Replica("b", "g"), Replica("a", "g")));
}

TEST(TopologicalSortOrder, FollowsChangesOfTheGroup) {
  Sorter sorter({});
  EXPECT_FALSE(sorter.Less(Replica("b", "g"), Replica("a", "g")));
  sorter.plugin().Put(kAppGroups, GroupOf("g", {{"a", 2}, {"b", 1}}));
  EXPECT_TRUE(sorter.Less(Replica("b", "g"), Replica("a", "g")));
  sorter.plugin().Put(kAppGroups, GroupOf("g", {{"a", 1}, {"b", 2}}));
  EXPECT_FALSE(sorter.Less(Replica("b", "g"), Replica("a", "g")));
}

TEST(TopologicalSortOrder, ReadsObjectsOfAnyShape) {
  for (const char* status : {R"({})", R"({"topologyOrder": 7})", R"({"topologyOrder": [1, {}, {"workload": "a"}]})"}) {
    Sorter sorter({FakeObject("g", "default").Status(status)});
    EXPECT_FALSE(sorter.Less(Replica("a", "g"), Replica("b", "g"))) << status;
  }
}

}  // namespace
}  // namespace topological_sort_test
