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
    {.name = "no existing pods",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo)}),
     .nodes = kFour,
     .pods = "",
     .want = "a+ b+ x+ y+"},
    {.name = "no existing pods, incoming pod doesn't match itself",
     .pod = Spreading("foo", {Hard(1, "zone", kBar)}),
     .nodes = kFour,
     .pods = "",
     .want = "a+ b+ x+ y+"},
    {.name = "existing pods in a different namespace do not count",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo)}),
     .nodes = kFour,
     .pods = "a ns:ns1 foo; a ns:ns2 foo; x foo; y foo",
     .want = "a+ b+ x- y-"},
    {.name = "existing pods do not match null selector",
     .pod = Spreading("foo", {Hard(1, "zone", kNil)}),
     .nodes = kFour,
     .pods = "x foo; y foo",
     .want = "a+ b+ x+ y+"},
    {.name = "pods spread across zones as 3/3, all nodes fit",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo)}),
     .nodes = kFour,
     .pods = "a foo; a foo; b foo; y foo; y foo; y foo",
     .want = "a+ b+ x+ y+"},
    {.name = "pods spread across zones as 1/2 due to absence of label 'zone' on node-b",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo)}),
     .nodes = "a zone=zone1 node=node-a; b zon=zone1 node=node-b; x zone=zone2 node=node-x; y zone=zone2 node=node-y",
     .pods = "a foo; b foo; x foo; y foo",
     .want = "a+ b! x- y-"},
    {.name = "pod cannot be scheduled as all nodes don't have label 'rack'",
     .pod = Spreading("foo", {Hard(1, "rack", kFoo)}),
     .nodes = "a zone=zone1 node=node-a; x zone=zone2 node=node-x",
     .pods = "",
     .want = "a! x!"},
    {.name = "pods spread across nodes as 2/1/0/3, only node-x fits",
     .pod = Spreading("foo", {Hard(1, "node", kFoo)}),
     .nodes = kFour,
     .pods = "a foo; a foo; b foo; y foo; y foo; y foo",
     .want = "a- b- x+ y-"},
    {.name = "pods spread across nodes as 2/1/0/3, maxSkew is 2, node-b and node-x fit",
     .pod = Spreading("foo", {Hard(2, "node", kFoo)}),
     .nodes = kFour,
     .pods = "a foo; a foo; b foo; y foo; y foo; y foo",
     .want = "a- b+ x+ y-"},
    {.name = "pods spread across nodes as 2/1/0/3, but pod doesn't match itself",
     .pod = Spreading("bar", {Hard(1, "node", kFoo)}),
     .nodes = kFour,
     .pods = "a foo; a foo; b foo; y foo; y foo; y foo",
     .want = "a- b+ x+ y-"},
    {.name = "incoming pod has nodeAffinity, pods spread as 2/~1~/~0~/3, hence node-a fits",
     .pod = Spreading("foo", {Hard(1, "node", kFoo)}).NodeAffinityIn("node", {"node-a", "node-y"}),
     .nodes = kFour,
     .pods = "a foo; a foo; b foo; y foo; y foo; y foo",
     .want = "a+ b+ x+ y-"},
    {.name = "terminating Pods should be excluded",
     .pod = Spreading("foo", {Hard(1, "node", kFoo)}),
     .nodes = "a node=node-a; b node=node-b",
     .pods = "a foo terminating; b foo",
     .want = "a+ b-"},
    {.name = "incoming pod has nodeAffinity, pods spread as 0/~2~/0/1, hence node-a fits",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo)}).Required({{{"node", "NotIn", {"node-b"}}}, {}}),
     .nodes = kFour,
     .pods = "b foo; b foo; y foo",
     .want = "a+ b+ x- y-"},
    {.name =
         "pods spread across nodes as 2/2/1, maxSkew is 2, and the number of domains < minDomains, then the third node "
         "fits",
     .pod = Spreading("foo", {Hard(2, "node", kFoo).MinDomains(4)}),
     .nodes = "a node=node-a; b node=node-b; c node=node-c",
     .pods = "a foo; a foo; b foo; b foo; c foo",
     .want = "a- b- c+"},
    {.name = "pods spread across nodes as 2/2/1, maxSkew is 2, and the number of domains > minDomains, then the all "
             "nodes fit",
     .pod = Spreading("foo", {Hard(2, "node", kFoo).MinDomains(2)}),
     .nodes = "a node=node-a; b node=node-b; c node=node-c",
     .pods = "a foo; a foo; b foo; b foo; c foo",
     .want = "a+ b+ c+"},
    {.name = "pods spread across zone as 2/1, maxSkew is 2 and the number of domains < minDomains, then the third and "
             "fourth "
             "nodes fit",
     .pod = Spreading("foo", {Hard(2, "zone", kFoo).MinDomains(3)}),
     .nodes = kFour,
     .pods = "a foo; b foo; y foo",
     .want = "a- b- x+ y+"},
    {.name =
         "pods spread across zone as 2/1, maxSkew is 2 and the number of domains > minDomains, then the all nodes fit",
     .pod = Spreading("foo", {Hard(2, "zone", kFoo).MinDomains(1)}),
     .nodes = kFour,
     .pods = "a foo; b foo; y foo",
     .want = "a+ b+ x+ y+"},
    {.name = "NodeAffinityPolicy honored with labelSelectors",
     .pod = Spreading("foo", {Hard(1, "node", kFoo)}).NodeSelector("foo", ""),
     .nodes = "a node=node-a foo; b node=node-b foo; x node=node-x foo; y node=node-y",
     .pods = "a foo; b foo; y foo",
     .want = "a- b- x+ y+"},
    {.name = "NodeAffinityPolicy ignored with labelSelectors",
     .pod = Spreading("foo", {Hard(1, "node", kFoo).Affinity("Ignore")}).NodeSelector("foo", ""),
     .nodes = "a node=node-a foo; b node=node-b foo; x node=node-x foo; y node=node-y",
     .pods = "a foo; b foo; y foo",
     .want = "a- b- x+ y-"},
    {.name = "NodeAffinityPolicy honored with nodeAffinity",
     .pod = Spreading("foo", {Hard(1, "node", kFoo)}).NodeAffinityIn("foo", {""}),
     .nodes = "a node=node-a foo; b node=node-b foo; x node=node-x foo; y node=node-y",
     .pods = "a foo; b foo; y foo",
     .want = "a- b- x+ y+"},
    {.name = "NodeAffinityPolicy ignored with labelSelectors (2)",
     .pod = Spreading("foo", {Hard(1, "node", kFoo).Affinity("Ignore")}).NodeAffinityIn("foo", {""}),
     .nodes = "a node=node-a foo; b node=node-b foo; x node=node-x foo; y node=node-y",
     .pods = "a foo; b foo; y foo",
     .want = "a- b- x+ y-"},
    {.name = "NodeTaintsPolicy honored",
     .pod = Spreading("foo", {Hard(1, "node", kFoo).Taints("Honor")}),
     .nodes = "a node=node-a foo; b node=node-b foo; x node=node-x foo; y node=node-y tainted",
     .pods = "a foo; b foo; y foo",
     .want = "a- b- x+ y+"},
    {.name = "NodeTaintsPolicy ignored",
     .pod = Spreading("foo", {Hard(1, "node", kFoo)}),
     .nodes = "a node=node-a foo; b node=node-b foo; x node=node-x foo; y node=node-y tainted",
     .pods = "a foo; b foo; y foo",
     .want = "a- b- x+ y-"},
};
// TestMultipleConstraints
const FilterCase kMultiple[] = {
    {.name = "two Constraints on zone and node, spreads = [3/3, 2/1/0/3]",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo), Hard(1, "node", kFoo)}),
     .nodes = kFour,
     .pods = "a foo; a foo; b foo; y foo; y foo; y foo",
     .want = "a- b- x+ y-"},
    {.name = "two Constraints on zone and node, spreads = [3/4, 2/1/0/4]",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo), Hard(1, "node", kFoo)}),
     .nodes = kFour,
     .pods = "a foo; a foo; b foo; y foo; y foo; y foo; y foo",
     .want = "a- b- x- y-"},
    {.name = "Constraints hold different labelSelectors, spreads = [1/0, 1/0/0/1]",
     .pod = Spreading("foo bar", {Hard(1, "zone", kFoo), Hard(1, "node", kBar)}),
     .nodes = kFour,
     .pods = "a foo; y bar",
     .want = "a- b- x+ y-"},
    {.name = "Constraints hold different labelSelectors, spreads = [1/0, 0/0/1/1]",
     .pod = Spreading("foo bar", {Hard(1, "zone", kFoo), Hard(1, "node", kBar)}),
     .nodes = kFour,
     .pods = "a foo; x bar; y bar",
     .want = "a- b- x- y-"},
    {.name = "Constraints hold different labelSelectors, spreads = [2/3, 1/0/0/1]",
     .pod = Spreading("foo bar", {Hard(1, "zone", kFoo), Hard(1, "node", kBar)}),
     .nodes = kFour,
     .pods = "a foo; a foo bar; y foo; y foo bar; y foo",
     .want = "a- b+ x- y-"},
    {.name = "Constraints hold different labelSelectors but pod doesn't match itself on 'zone' constraint",
     .pod = Spreading("bar", {Hard(1, "zone", kFoo), Hard(1, "node", kBar)}),
     .nodes = kFour,
     .pods = "a foo; x bar; y bar",
     .want = "a+ b+ x- y-"},
    {.name = "two Constraints on zone and node, absence of label 'node' on node-x, spreads = [1/1, 1/0/0/1]",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo), Hard(1, "node", kFoo)}),
     .nodes = "a zone=zone1 node=node-a; b zone=zone1 node=node-b; x zone=zone2; y zone=zone2 node=node-y",
     .pods = "a foo; y foo",
     .want = "a- b+ x! y-"},
    {.name = "two node inclusion Constraints, zone: honor/ignore, node: ignore/ignore",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo), Hard(1, "node", kFoo).Affinity("Ignore")}).NodeSelector("foo", ""),
     .nodes = "a zone=zone1 node=node-a foo; b zone=zone1 node=node-b foo; x zone=zone2 node=node-x foo; y zone=zone2 "
              "node=node-y",
     .pods = "a foo; b foo; y foo",
     .want = "a- b- x+ y-"},
    {.name = "two node inclusion Constraints, zone: honor/honor, node: honor/ignore",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo).Taints("Honor"), Hard(1, "node", kFoo)}),
     .nodes = "a zone=zone1 node=node-a foo; b zone=zone1 node=node-b foo; x zone=zone2 node=node-x foo; y zone=zone2 "
              "node=node-y tainted",
     .pods = "a foo; b foo; y foo",
     .want = "a- b- x+ y-"},
    {.name = "two node inclusion Constraints, zone: honor/ignore, node: honor/ignore",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo), Hard(1, "node", kFoo)}).NodeSelector("foo", ""),
     .nodes = "a zone=zone1 node=node-a foo; b zone=zone1 node=node-b; x zone=zone2 node=node-x foo; y zone=zone2 "
              "node=node-y "
              "foo tainted",
     .pods = "a foo; b foo; y foo",
     .want = "a- b+ x+ y-"},
    {.name = "two node inclusion Constraints, zone: honor/honor, node: ignore/ignore",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo).Taints("Honor"), Hard(1, "node", kFoo).Affinity("Ignore")})
                .NodeSelector("foo", ""),
     .nodes = "a zone=zone1 node=node-a foo; b zone=zone1 node=node-b; x zone=zone2 node=node-x foo; y zone=zone2 "
              "node=node-y "
              "foo tainted",
     .pods = "a foo; b foo; y foo",
     .want = "a- b- x+ y-"},
    {.name = "two Constraints on zone, spreads = [3/3, 2/1]",
     .pod = Spreading("foo bar", {Hard(1, "zone", kBar), Hard(1, "zone", kFoo)}),
     .nodes = kFour,
     .pods = "a foo bar; a foo; b foo bar; y foo; y foo bar; y foo",
     .want = "a- b- x+ y+"},
    {.name = "two Constraints on zone, spreads = [3/4, 2/1]",
     .pod = Spreading("foo bar", {Hard(1, "zone", kBar), Hard(1, "zone", kFoo)}),
     .nodes = kFour,
     .pods = "a foo bar; a foo; b foo bar; y foo; y foo bar; y foo; y foo",
     .want = "a- b- x- y-"},
};

INSTANTIATE_TEST_SUITE_P(Single, SpreadFilter, testing::ValuesIn(kSingle),
                         [](const auto& info) { return CaseName(info.param.name); });
INSTANTIATE_TEST_SUITE_P(Multiple, SpreadFilter, testing::ValuesIn(kMultiple),
                         [](const auto& info) { return CaseName(info.param.name); });

}  // namespace
