// The table test of pkg/networkaware/topologicalsort of kubernetes-sigs/scheduler-plugins, as facts.
#include "test_fixture.h"

namespace topological_sort_test {
namespace {

FakeObject Basic() { return GroupOf("basic", {{"p1", 1}, {"p2", 2}, {"p3", 3}}); }

// Upstream sorts the order by selector before it stores it.
FakeObject OnlineBoutique() {
  return GroupOf("onlineboutique", {{"p1", 1},
                                    {"p10", 2},
                                    {"p11", 11},
                                    {"p2", 10},
                                    {"p3", 9},
                                    {"p4", 8},
                                    {"p5", 7},
                                    {"p6", 6},
                                    {"p7", 5},
                                    {"p8", 4},
                                    {"p9", 3}});
}

struct LessCase {
  const char* name;
  FakeObject group;
  FakePod a, b;
  bool want;
};

class TopologicalSortTest : public testing::TestWithParam<LessCase> {};

TEST_P(TopologicalSortTest, Less) {
  Sorter sorter({GetParam().group});
  EXPECT_EQ(sorter.Less(GetParam().a, GetParam().b), GetParam().want);
}

// TestTopologicalSortLess, all cases.
INSTANTIATE_TEST_SUITE_P(Upstream, TopologicalSortTest,
                         testing::Values(LessCase{.name = "SameAppGroupLowerIndex",
                                                  .group = Basic(),
                                                  .a = Replica("p1", "basic").Priority(0),
                                                  .b = Replica("p2", "basic").Priority(0),
                                                  .want = true},
                                         LessCase{.name = "SameAppGroupHigherIndex",
                                                  .group = OnlineBoutique(),
                                                  .a = Replica("p5", "onlineboutique").Priority(0),
                                                  .b = Replica("p1", "onlineboutique").Priority(0),
                                                  .want = false},
                                         LessCase{.name = "DifferentAppGroups",
                                                  .group = Basic(),
                                                  .a = Replica("p1", "basic").Priority(0),
                                                  .b = Replica("p5", "other").Priority(0),
                                                  .want = false}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace topological_sort_test
