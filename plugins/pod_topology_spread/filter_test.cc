// The filter without trials, with the values and case names of upstream's
// pkg/scheduler/framework/plugins/podtopologyspread/filtering_test.go.
#include <gtest/gtest.h>

#include "spreading.h"

namespace {

using namespace spreading;  // NOLINT: the names are made for this

const char* const kFour =
    "a zone=zone1 node=node-a; b zone=zone1 node=node-b; x zone=zone2 node=node-x; y zone=zone2 node=node-y";

struct FilterCase {
  const char* name;
  Spreading pod;
  const char* nodes;
  const char* pods;
  const char* want;  // per node: + fits, - exceeds the skew, ! lacks a key
};

class SpreadFilter : public testing::TestWithParam<FilterCase> {};

TEST_P(SpreadFilter, Filter) {
  Plugin plugin(GetParam().nodes, GetParam().pods);
  ASSERT_TRUE(plugin.Start().ok());
  auto attempt = plugin.Try(GetParam().pod.Build());
  ASSERT_TRUE(attempt->PreFilter().ok());
  const auto nodes = attempt->Filter().nodes;
  size_t judged = 0;
  for (const auto& [word, none] : Words(GetParam().want)) {
    EXPECT_EQ(nodes.at(word.substr(0, 1)), Reject(word[1])) << word;
    ++judged;
  }
  EXPECT_EQ(judged, nodes.size());
}

// TestSingleConstraint
const FilterCase kSingle[] = {
    {"no existing pods", Spreading("foo", {Hard(1, "zone", kFoo)}), kFour, "", "a+ b+ x+ y+"},
    {"no existing pods, incoming pod doesn't match itself", Spreading("foo", {Hard(1, "zone", kBar)}), kFour, "",
     "a+ b+ x+ y+"},
    {"existing pods in a different namespace do not count", Spreading("foo", {Hard(1, "zone", kFoo)}), kFour,
     "a ns:ns1 foo; a ns:ns2 foo; x foo; y foo", "a+ b+ x- y-"},
    {"existing pods do not match null selector", Spreading("foo", {Hard(1, "zone", kNil)}), kFour, "x foo; y foo",
     "a+ b+ x+ y+"},
    {"pods spread across zones as 3/3, all nodes fit", Spreading("foo", {Hard(1, "zone", kFoo)}), kFour,
     "a foo; a foo; b foo; y foo; y foo; y foo", "a+ b+ x+ y+"},
    {"pods spread across zones as 1/2 due to absence of label 'zone' on node-b",
     Spreading("foo", {Hard(1, "zone", kFoo)}),
     "a zone=zone1 node=node-a; b zon=zone1 node=node-b; x zone=zone2 node=node-x; y zone=zone2 node=node-y",
     "a foo; b foo; x foo; y foo", "a+ b! x- y-"},
    {"pod cannot be scheduled as all nodes don't have label 'rack'", Spreading("foo", {Hard(1, "rack", kFoo)}),
     "a zone=zone1 node=node-a; x zone=zone2 node=node-x", "", "a! x!"},
    {"pods spread across nodes as 2/1/0/3, only node-x fits", Spreading("foo", {Hard(1, "node", kFoo)}), kFour,
     "a foo; a foo; b foo; y foo; y foo; y foo", "a- b- x+ y-"},
    {"pods spread across nodes as 2/1/0/3, maxSkew is 2, node-b and node-x fit",
     Spreading("foo", {Hard(2, "node", kFoo)}), kFour, "a foo; a foo; b foo; y foo; y foo; y foo", "a- b+ x+ y-"},
    {"pods spread across nodes as 2/1/0/3, but pod doesn't match itself", Spreading("bar", {Hard(1, "node", kFoo)}),
     kFour, "a foo; a foo; b foo; y foo; y foo; y foo", "a- b+ x+ y-"},
    {"incoming pod has nodeAffinity, pods spread as 2/~1~/~0~/3, hence node-a fits",
     Spreading("foo", {Hard(1, "node", kFoo)}).NodeAffinityIn("node", {"node-a", "node-y"}), kFour,
     "a foo; a foo; b foo; y foo; y foo; y foo", "a+ b+ x+ y-"},
    {"terminating Pods should be excluded", Spreading("foo", {Hard(1, "node", kFoo)}), "a node=node-a; b node=node-b",
     "a foo terminating; b foo", "a+ b-"},
    {"incoming pod has nodeAffinity, pods spread as 0/~2~/0/1, hence node-a fits",
     Spreading("foo", {Hard(1, "zone", kFoo)}).Required({{{"node", "NotIn", {"node-b"}}}, {}}), kFour,
     "b foo; b foo; y foo", "a+ b+ x- y-"},
    {"pods spread across nodes as 2/2/1, maxSkew is 2, and the number of domains < minDomains, then the third node "
     "fits",
     Spreading("foo", {Hard(2, "node", kFoo).MinDomains(4)}), "a node=node-a; b node=node-b; c node=node-c",
     "a foo; a foo; b foo; b foo; c foo", "a- b- c+"},
    {"pods spread across nodes as 2/2/1, maxSkew is 2, and the number of domains > minDomains, then the all nodes fit",
     Spreading("foo", {Hard(2, "node", kFoo).MinDomains(2)}), "a node=node-a; b node=node-b; c node=node-c",
     "a foo; a foo; b foo; b foo; c foo", "a+ b+ c+"},
    {"pods spread across zone as 2/1, maxSkew is 2 and the number of domains < minDomains, then the third and fourth "
     "nodes fit",
     Spreading("foo", {Hard(2, "zone", kFoo).MinDomains(3)}), kFour, "a foo; b foo; y foo", "a- b- x+ y+"},
    {"pods spread across zone as 2/1, maxSkew is 2 and the number of domains > minDomains, then the all nodes fit",
     Spreading("foo", {Hard(2, "zone", kFoo).MinDomains(1)}), kFour, "a foo; b foo; y foo", "a+ b+ x+ y+"},
    {"NodeAffinityPolicy honored with labelSelectors",
     Spreading("foo", {Hard(1, "node", kFoo)}).NodeSelector("foo", ""),
     "a node=node-a foo; b node=node-b foo; x node=node-x foo; y node=node-y", "a foo; b foo; y foo", "a- b- x+ y+"},
    {"NodeAffinityPolicy ignored with labelSelectors",
     Spreading("foo", {Hard(1, "node", kFoo).Affinity("Ignore")}).NodeSelector("foo", ""),
     "a node=node-a foo; b node=node-b foo; x node=node-x foo; y node=node-y", "a foo; b foo; y foo", "a- b- x+ y-"},
    {"NodeAffinityPolicy honored with nodeAffinity",
     Spreading("foo", {Hard(1, "node", kFoo)}).NodeAffinityIn("foo", {""}),
     "a node=node-a foo; b node=node-b foo; x node=node-x foo; y node=node-y", "a foo; b foo; y foo", "a- b- x+ y+"},
    {"NodeAffinityPolicy ignored with labelSelectors (2)",
     Spreading("foo", {Hard(1, "node", kFoo).Affinity("Ignore")}).NodeAffinityIn("foo", {""}),
     "a node=node-a foo; b node=node-b foo; x node=node-x foo; y node=node-y", "a foo; b foo; y foo", "a- b- x+ y-"},
    {"NodeTaintsPolicy honored", Spreading("foo", {Hard(1, "node", kFoo).Taints("Honor")}),
     "a node=node-a foo; b node=node-b foo; x node=node-x foo; y node=node-y tainted", "a foo; b foo; y foo",
     "a- b- x+ y+"},
    {"NodeTaintsPolicy ignored", Spreading("foo", {Hard(1, "node", kFoo)}),
     "a node=node-a foo; b node=node-b foo; x node=node-x foo; y node=node-y tainted", "a foo; b foo; y foo",
     "a- b- x+ y-"},
};
// TestMultipleConstraints
const FilterCase kMultiple[] = {
    {"two Constraints on zone and node, spreads = [3/3, 2/1/0/3]",
     Spreading("foo", {Hard(1, "zone", kFoo), Hard(1, "node", kFoo)}), kFour,
     "a foo; a foo; b foo; y foo; y foo; y foo", "a- b- x+ y-"},
    {"two Constraints on zone and node, spreads = [3/4, 2/1/0/4]",
     Spreading("foo", {Hard(1, "zone", kFoo), Hard(1, "node", kFoo)}), kFour,
     "a foo; a foo; b foo; y foo; y foo; y foo; y foo", "a- b- x- y-"},
    {"Constraints hold different labelSelectors, spreads = [1/0, 1/0/0/1]",
     Spreading("foo bar", {Hard(1, "zone", kFoo), Hard(1, "node", kBar)}), kFour, "a foo; y bar", "a- b- x+ y-"},
    {"Constraints hold different labelSelectors, spreads = [1/0, 0/0/1/1]",
     Spreading("foo bar", {Hard(1, "zone", kFoo), Hard(1, "node", kBar)}), kFour, "a foo; x bar; y bar", "a- b- x- y-"},
    {"Constraints hold different labelSelectors, spreads = [2/3, 1/0/0/1]",
     Spreading("foo bar", {Hard(1, "zone", kFoo), Hard(1, "node", kBar)}), kFour,
     "a foo; a foo bar; y foo; y foo bar; y foo", "a- b+ x- y-"},
    {"Constraints hold different labelSelectors but pod doesn't match itself on 'zone' constraint",
     Spreading("bar", {Hard(1, "zone", kFoo), Hard(1, "node", kBar)}), kFour, "a foo; x bar; y bar", "a+ b+ x- y-"},
    {"two Constraints on zone and node, absence of label 'node' on node-x, spreads = [1/1, 1/0/0/1]",
     Spreading("foo", {Hard(1, "zone", kFoo), Hard(1, "node", kFoo)}),
     "a zone=zone1 node=node-a; b zone=zone1 node=node-b; x zone=zone2; y zone=zone2 node=node-y", "a foo; y foo",
     "a- b+ x! y-"},
    {"two node inclusion Constraints, zone: honor/ignore, node: ignore/ignore",
     Spreading("foo", {Hard(1, "zone", kFoo), Hard(1, "node", kFoo).Affinity("Ignore")}).NodeSelector("foo", ""),
     "a zone=zone1 node=node-a foo; b zone=zone1 node=node-b foo; x zone=zone2 node=node-x foo; y zone=zone2 "
     "node=node-y",
     "a foo; b foo; y foo", "a- b- x+ y-"},
    {"two node inclusion Constraints, zone: honor/honor, node: honor/ignore",
     Spreading("foo", {Hard(1, "zone", kFoo).Taints("Honor"), Hard(1, "node", kFoo)}),
     "a zone=zone1 node=node-a foo; b zone=zone1 node=node-b foo; x zone=zone2 node=node-x foo; y zone=zone2 "
     "node=node-y tainted",
     "a foo; b foo; y foo", "a- b- x+ y-"},
    {"two node inclusion Constraints, zone: honor/ignore, node: honor/ignore",
     Spreading("foo", {Hard(1, "zone", kFoo), Hard(1, "node", kFoo)}).NodeSelector("foo", ""),
     "a zone=zone1 node=node-a foo; b zone=zone1 node=node-b; x zone=zone2 node=node-x foo; y zone=zone2 node=node-y "
     "foo tainted",
     "a foo; b foo; y foo", "a- b+ x+ y-"},
    {"two node inclusion Constraints, zone: honor/honor, node: ignore/ignore",
     Spreading("foo", {Hard(1, "zone", kFoo).Taints("Honor"), Hard(1, "node", kFoo).Affinity("Ignore")})
         .NodeSelector("foo", ""),
     "a zone=zone1 node=node-a foo; b zone=zone1 node=node-b; x zone=zone2 node=node-x foo; y zone=zone2 node=node-y "
     "foo tainted",
     "a foo; b foo; y foo", "a- b- x+ y-"},
    {"two Constraints on zone, spreads = [3/3, 2/1]",
     Spreading("foo bar", {Hard(1, "zone", kBar), Hard(1, "zone", kFoo)}), kFour,
     "a foo bar; a foo; b foo bar; y foo; y foo bar; y foo", "a- b- x+ y+"},
    {"two Constraints on zone, spreads = [3/4, 2/1]",
     Spreading("foo bar", {Hard(1, "zone", kBar), Hard(1, "zone", kFoo)}), kFour,
     "a foo bar; a foo; b foo bar; y foo; y foo bar; y foo; y foo", "a- b- x- y-"},
};

INSTANTIATE_TEST_SUITE_P(Single, SpreadFilter, testing::ValuesIn(kSingle),
                         [](const auto& info) { return CaseName(info.param.name); });
INSTANTIATE_TEST_SUITE_P(Multiple, SpreadFilter, testing::ValuesIn(kMultiple),
                         [](const auto& info) { return CaseName(info.param.name); });

}  // namespace
