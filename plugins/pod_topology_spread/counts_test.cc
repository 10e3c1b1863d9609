// The filter's counts, before and after trials add and remove pods, with the values and case names of upstream's
// pkg/scheduler/framework/plugins/podtopologyspread/filtering_test.go. Upstream's tests read the plugin's state. These
// find the same numbers as the smallest maxSkew with which a node fits.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "spreading.h"

namespace {

using namespace spreading;  // NOLINT: the names are made for this

const char* const kFourNodes =
    "a zone=zone1 node=node-a; b zone=zone1 node=node-b; x zone=zone2 node=node-x; y zone=zone2 node=node-y";
const char* const kThree = "a zone=zone1 node=node-a; b zone=zone1 node=node-b; x zone=zone2 node=node-x";
const char* const kTwo = "a zone=zone1 node=node-a; b zone=zone1 node=node-b";

using Counts = std::map<std::string, int>;  // per value of the key

// "zone1=1 zone2=0 | node-a=1 node-b=0" per constraint
std::vector<Counts> Read(const std::string& text) {
  std::vector<Counts> all(1);
  for (const auto& [word, count] : Words(text)) {
    if (word == "|") {
      all.emplace_back();
    } else {
      all.back()[word] = std::stoi(count);
    }
  }
  return all;
}

struct CountCase {
  const char* name;
  Spreading pod;
  const char* nodes;
  const char* pods;
  const char* want;
};
struct TrialCase {
  const char* name;
  Spreading pod;
  const char* nodes;
  const char* pods;
  const char* changed;
  const char* want;
};

using Change = std::function<void(Attempt&)>;

// The smallest maxSkew of the constraint with which the node fits, without the other constraints.
int SkewNeeded(Plugin& plugin, Spreading pod, size_t constraint, int min_domains, const std::string& node,
               const Change& change) {
  for (Own& own : pod.constraints) own.max_skew = 1000;
  if (min_domains > 0) pod.constraints[constraint].min_domains = min_domains;
  for (int skew = -5; skew < 20; ++skew) {
    pod.constraints[constraint].max_skew = skew;
    auto attempt = plugin.Try(pod.Build());
    if (!attempt->PreFilter().ok()) return -1000;
    auto trial = attempt->Trial();
    if (change) change(*trial);
    if (trial->Filter({node}).nodes.at(node).ok()) return skew;
  }
  return 1000;
}

// For each value of one key, a node with every key of the pod's constraints.
std::map<std::string, std::string> NodesByValue(const Spreading& pod, const std::string& nodes,
                                                const std::string& key) {
  std::map<std::string, std::string> by_value;
  for (const std::string& line : Lines(nodes)) {
    std::map<std::string, std::string> labels;
    for (const auto& [name, value] : Words(line)) labels[name] = value;
    bool has_all = true;
    for (const Own& own : pod.constraints)
      has_all = has_all && (own.when != "DoNotSchedule" || labels.contains(own.key));
    if (has_all) by_value[labels[key]] = Words(line)[0].first;
  }
  return by_value;
}

void ExpectCounts(Plugin& plugin, Spreading pod, const std::string& nodes, const std::string& want,
                  const Change& change) {
  std::erase_if(pod.constraints, [](const Own& own) { return own.when != "DoNotSchedule"; });
  const std::vector<Counts> counts = Read(want);
  ASSERT_EQ(counts.size(), pod.constraints.size());
  for (size_t c = 0; c < counts.size(); ++c) {
    int least = std::numeric_limits<int>::max();
    for (const auto& [value, count] : counts[c]) least = std::min(least, count);
    for (const auto& [value, node] : NodesByValue(pod, nodes, pod.constraints[c].key)) {
      const int count = counts[c].contains(value) ? counts[c].at(value) : 0;
      // with so many domains, the minimum is 0
      const int with_self = SkewNeeded(plugin, pod, c, 1 << 20, node, change);
      const int self = with_self - count;
      EXPECT_TRUE(self == 0 || self == 1) << value << " has " << with_self << ", the pod included if it counts";
      if (static_cast<int>(counts[c].size()) < pod.constraints[c].min_domains) least = 0;
      EXPECT_EQ(SkewNeeded(plugin, pod, c, 0, node, change), with_self - least) << value << ", above the least";
    }
  }
}

class SpreadCounts : public testing::TestWithParam<CountCase> {};

TEST_P(SpreadCounts, AsTheyAre) {
  Plugin plugin(GetParam().nodes, GetParam().pods);
  ASSERT_TRUE(plugin.Start().ok());
  ExpectCounts(plugin, GetParam().pod, GetParam().nodes, GetParam().want, nullptr);
}

class SpreadTrial : public testing::TestWithParam<TrialCase> {
 protected:
  void Expect(bool added) {
    Plugin plugin(GetParam().nodes, GetParam().pods);
    ASSERT_TRUE(plugin.Start().ok());
    const auto changed = PodOn(GetParam().changed, "changed");
    ExpectCounts(plugin, GetParam().pod, GetParam().nodes, GetParam().want, [&](Attempt& trial) {
      EXPECT_TRUE(
          (added ? trial.AddPod(changed.first, changed.second) : trial.RemovePod(changed.first, changed.second)).ok());
    });
  }
};
class SpreadAddPod : public SpreadTrial {};
class SpreadRemovePod : public SpreadTrial {};

TEST_P(SpreadAddPod, Counts) { Expect(true); }
TEST_P(SpreadRemovePod, Counts) { Expect(false); }

// TestPreFilterState
const CountCase kCounts[] = {
    {.name = "clean cluster with one spreadConstraint",
     .pod = Spreading("foo", {Hard(5, "zone", kFooBar)}),
     .nodes = kFourNodes,
     .pods = "",
     .want = "zone1=0 zone2=0"},
    {.name = "normal case with one spreadConstraint",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo)}),
     .nodes = kFourNodes,
     .pods = "a foo; a foo; b foo; y foo; y foo",
     .want = "zone1=3 zone2=2"},
    {.name = "normal case with null label selector",
     .pod = Spreading("foo", {Hard(1, "zone", kNil)}),
     .nodes = kFourNodes,
     .pods = "a foo; a foo; b foo; y foo; y foo",
     .want = "zone1=0 zone2=0"},
    {.name = "normal case with one spreadConstraint, on a 3-zone cluster",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo)}),
     .nodes =
         "a zone=zone1 node=node-a; b zone=zone1 node=node-b; x zone=zone2 node=node-x; y zone=zone2 node=node-y; o "
         "zone=zone3 node=node-o; p zone=zone3 node=node-p",
     .pods = "a foo; a foo; b foo; y foo; y foo",
     .want = "zone1=3 zone2=2 zone3=0"},
    {.name = "namespace mismatch doesn't count",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo)}),
     .nodes = kFourNodes,
     .pods = "a foo; a ns:ns1 foo; b foo; y ns:ns2 foo; y foo",
     .want = "zone1=2 zone2=1"},
    {.name = "normal case with two spreadConstraints",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo), Hard(1, "node", kFoo)}),
     .nodes = kFourNodes,
     .pods = "a foo; a foo; b foo; y foo; y foo; y foo; y foo",
     .want = "zone1=3 zone2=4 | node-a=2 node-b=1 node-x=0 node-y=4"},
    {.name = "soft spreadConstraints should be bypassed",
     .pod =
         Spreading("foo", {Soft(1, "zone", kFoo), Hard(1, "zone", kFoo), Soft(1, "node", kFoo), Hard(1, "node", kFoo)}),
     .nodes = "a zone=zone1 node=node-a; b zone=zone1 node=node-b; y zone=zone2 node=node-y",
     .pods = "a foo; a foo; b foo; y foo; y foo; y foo; y foo",
     .want = "zone1=3 zone2=4 | node-a=2 node-b=1 node-y=4"},
    {.name = "different labelSelectors - simple version",
     .pod = Spreading("foo bar", {Hard(1, "zone", kFoo), Hard(1, "node", kBar)}),
     .nodes = "a zone=zone1 node=node-a; b zone=zone1 node=node-b; y zone=zone2 node=node-y",
     .pods = "a foo; b bar",
     .want = "zone1=1 zone2=0 | node-a=0 node-b=1 node-y=0"},
    {.name = "different labelSelectors - complex pods",
     .pod = Spreading("foo bar", {Hard(1, "zone", kFoo), Hard(1, "node", kBar)}),
     .nodes = "a zone=zone1 node=node-a; b zone=zone1 node=node-b; y zone=zone2 node=node-y",
     .pods = "a foo; a foo bar; b foo; y foo; y foo bar; y foo; y foo bar",
     .want = "zone1=3 zone2=4 | node-a=1 node-b=0 node-y=2"},
    {.name = "two spreadConstraints, and with podAffinity",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo), Hard(1, "node", kFoo)})
                .Required({{{"node", "NotIn", {"node-x"}}}, {}}),
     .nodes = kFourNodes,
     .pods = "a foo; a foo; b foo; y foo; y foo; y foo; y foo",
     .want = "zone1=3 zone2=4 | node-a=2 node-b=1 node-y=4"},
    {.name = "TpKeyToDomainsNum is calculated when MinDomains is enabled",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo), Hard(1, "node", kFoo)}),
     .nodes = kFourNodes,
     .pods = "a foo; a foo; b foo; y foo; y foo; y foo; y foo",
     .want = "zone1=3 zone2=4 | node-a=2 node-b=1 node-x=0 node-y=4"},
    {.name = "NodeAffinityPolicy honored with labelSelectors",
     .pod = Spreading("foo", {Hard(1, "node", kBar)}).NodeSelector("foo", ""),
     .nodes = "a node=node-a foo; b node=node-b foo; c node=node-c bar",
     .pods = "a bar; b bar; b bar; c",
     .want = "node-a=1 node-b=2"},
    {.name = "NodeAffinityPolicy ignored with labelSelectors",
     .pod = Spreading("foo", {Hard(1, "node", kBar).Affinity("Ignore")}).NodeSelector("foo", ""),
     .nodes = "a node=node-a foo; b node=node-b foo; c node=node-c bar",
     .pods = "a bar; b bar; b bar; c",
     .want = "node-a=1 node-b=2 node-c=0"},
    {.name = "NodeAffinityPolicy honored with nodeAffinity",
     .pod = Spreading("foo", {Hard(1, "node", kBar)}).NodeAffinityIn("foo", {""}),
     .nodes = "a node=node-a foo; b node=node-b foo; c node=node-c bar",
     .pods = "a bar; b bar; b bar; c",
     .want = "node-a=1 node-b=2"},
    {.name = "NodeAffinityPolicy ignored with nodeAffinity",
     .pod = Spreading("foo", {Hard(1, "node", kBar).Affinity("Ignore")}).NodeAffinityIn("foo", {""}),
     .nodes = "a node=node-a foo; b node=node-b foo; c node=node-c bar",
     .pods = "a bar; b bar; b bar; c",
     .want = "node-a=1 node-b=2 node-c=0"},
    {.name = "NodeTaintsPolicy ignored",
     .pod = Spreading("foo", {Hard(1, "node", kBar)}),
     .nodes = "a node=node-a; b node=node-b; c node=node-c tainted bar",
     .pods = "a bar; b bar; b bar; c",
     .want = "node-a=1 node-b=2 node-c=0"},
    {.name = "NodeTaintsPolicy honored",
     .pod = Spreading("foo", {Hard(1, "node", kBar).Taints("Honor")}),
     .nodes = "a node=node-a; b node=node-b; c node=node-c tainted bar",
     .pods = "a bar; b bar; b bar; c",
     .want = "node-a=1 node-b=2"},
    {.name = "NodeTaintsPolicy honored with tolerated taints",
     .pod = Spreading("foo", {Hard(1, "node", kBar).Taints("Honor")}).Toleration("node.kubernetes.io/unschedulable"),
     .nodes = "a node=node-a; b node=node-b; c node=node-c tainted bar",
     .pods = "a bar; b bar; b bar; c",
     .want = "node-a=1 node-b=2 node-c=0"},
    {.name = "two node inclusion Constraints, zone: honor/ignore, node: ignore/ignore",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo), Hard(1, "node", kFoo).Affinity("Ignore")}).NodeSelector("foo", ""),
     .nodes = "a zone=zone1 node=node-a foo; b zone=zone1 node=node-b; x zone=zone2 node=node-x foo",
     .pods = "b foo; b foo; x foo",
     .want = "zone1=0 zone2=1 | node-a=0 node-b=2 node-x=1"},
    {.name = "two node inclusion Constraints, zone: honor/honor, node: honor/ignore",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo).Taints("Honor"), Hard(1, "node", kFoo)}),
     .nodes = "a zone=zone1 node=node-a foo; b zone=zone1 node=node-b tainted; x zone=zone2 node=node-x foo",
     .pods = "b foo; b foo; x foo",
     .want = "zone1=0 zone2=1 | node-a=0 node-b=2 node-x=1"},
    {.name = "two node inclusion Constraints, zone: honor/ignore, node: honor/ignore",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo), Hard(1, "node", kFoo)}).NodeSelector("foo", ""),
     .nodes =
         "a zone=zone1 node=node-a; b zone=zone1 node=node-b foo tainted; x zone=zone2 node=node-x foo; y zone=zone2 "
         "node=node-y",
     .pods = "a foo; a foo; x foo; y foo",
     .want = "zone1=0 zone2=1 | node-b=0 node-x=1"},
    {.name = "two node inclusion Constraints, zone: ignore/ignore, node: honor/honor",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo).Affinity("Ignore"), Hard(1, "node", kFoo).Taints("Honor")})
                .NodeSelector("foo", ""),
     .nodes =
         "a zone=zone1 node=node-a; b zone=zone1 node=node-b foo tainted; x zone=zone2 node=node-x foo; y zone=zone2 "
         "node=node-y foo",
     .pods = "a foo; a foo; x foo; x foo; y foo",
     .want = "zone1=2 zone2=3 | node-x=2 node-y=1"},
    {.name = "matchLabelKeys ANDed with LabelSelector when LabelSelector isn't empty",
     .pod = Spreading("foo bar=a", {Hard(1, "zone", kFoo).Keys({"bar"})}),
     .nodes = kFourNodes,
     .pods = "a foo; a foo bar=a; b foo; y foo bar=a; y bar",
     .want = "zone1=1 zone2=1"},
    {.name = "matchLabelKeys ANDed with LabelSelector when LabelSelector is empty",
     .pod = Spreading("foo=a", {Hard(1, "zone", kEverything).Keys({"foo"})}),
     .nodes = kFourNodes,
     .pods = "a foo=a; a foo=a; b foo=a; y foo=a; y foo=a",
     .want = "zone1=3 zone2=2"},
    {.name = "key in matchLabelKeys is ignored when LabelSelector is nil when feature gate enabled",
     .pod = Spreading("foo", {Hard(1, "zone", kNil).Keys({"bar"})}),
     .nodes = kFourNodes,
     .pods = "a foo=a; a foo=a; b foo=a; y foo=a; y foo=a",
     .want = "zone1=0 zone2=0"},
    {.name = "key in matchLabelKeys is ignored when it isn't exist in pod.labels",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo).Keys({"bar"})}),
     .nodes = kFourNodes,
     .pods = "a foo=a; a foo=a; b foo=a; y foo=a; y foo=a",
     .want = "zone1=3 zone2=2"},
    {.name = "two spreadConstraints with the same topologyKey",
     .pod = Spreading("foo bar", {Hard(1, "zone", kFoo), Hard(1, "zone", kBar)}),
     .nodes = kFourNodes,
     .pods = "a foo bar; b foo; x bar; y foo bar; y bar",
     .want = "zone1=2 zone2=1 | zone1=1 zone2=3"},
};
// TestPreFilterStateAddPod
const TrialCase kAdded[] = {
    {.name = "node a and b both impact current min match",
     .pod = Spreading("foo", {Hard(1, "node", kFoo)}),
     .nodes = kTwo,
     .pods = "",
     .changed = "a foo",
     .want = "node-a=1 node-b=0"},
    {.name = "only node a impacts current min match",
     .pod = Spreading("foo", {Hard(1, "node", kFoo)}),
     .nodes = kTwo,
     .pods = "b foo",
     .changed = "a foo",
     .want = "node-a=1 node-b=1"},
    {.name = "add a pod in a different namespace doesn't change topologyKeyToMinPodsMap",
     .pod = Spreading("foo", {Hard(1, "node", kFoo)}),
     .nodes = kTwo,
     .pods = "b foo",
     .changed = "a ns:ns1 foo",
     .want = "node-a=0 node-b=1"},
    {.name = "add pod on non-critical node won't trigger re-calculation",
     .pod = Spreading("foo", {Hard(1, "node", kFoo)}),
     .nodes = kTwo,
     .pods = "b foo",
     .changed = "b foo",
     .want = "node-a=0 node-b=2"},
    {.name = "node a and x both impact topologyKeyToMinPodsMap on zone and node",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo), Hard(1, "node", kFoo)}),
     .nodes = "a zone=zone1 node=node-a; x zone=zone2 node=node-x",
     .pods = "",
     .changed = "a foo",
     .want = "zone1=1 zone2=0 | node-a=1 node-x=0"},
    {.name = "only node a impacts topologyKeyToMinPodsMap on zone and node",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo), Hard(1, "node", kFoo)}),
     .nodes = "a zone=zone1 node=node-a; x zone=zone2 node=node-x",
     .pods = "x foo",
     .changed = "a foo",
     .want = "zone1=1 zone2=1 | node-a=1 node-x=1"},
    {.name = "node a impacts topologyKeyToMinPodsMap on node, node x impacts topologyKeyToMinPodsMap on zone",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo), Hard(1, "node", kFoo)}),
     .nodes = kThree,
     .pods = "b foo; b foo; x foo",
     .changed = "a foo",
     .want = "zone1=3 zone2=1 | node-a=1 node-b=2 node-x=1"},
    {.name = "Constraints hold different labelSelectors, node a impacts topologyKeyToMinPodsMap on zone",
     .pod = Spreading("foo bar", {Hard(1, "zone", kFoo), Hard(1, "node", kBar)}),
     .nodes = kThree,
     .pods = "b foo bar; x foo bar; x bar",
     .changed = "a foo",
     .want = "zone1=2 zone2=1 | node-a=0 node-b=1 node-x=2"},
    {.name = "Constraints hold different labelSelectors, node a impacts topologyKeyToMinPodsMap on both zone and node",
     .pod = Spreading("foo bar", {Hard(1, "zone", kFoo), Hard(1, "node", kBar)}),
     .nodes = kThree,
     .pods = "b bar; x foo bar; x bar",
     .changed = "a foo bar",
     .want = "zone1=1 zone2=1 | node-a=1 node-b=1 node-x=2"},
    {.name = "add a pod when scheduling node affinity unmatched pod with NodeInclusionPolicy enabled",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo)}).Required({{{"foo", "NotIn", {"bar"}}}, {}}),
     .nodes = "a zone=zone1 node=node-a foo=bar; b zone=zone2 node=node-b foo",
     .pods = "a foo zone=zone1; b foo zone=zone2",
     .changed = "a foo zone=zone1",
     .want = "zone2=1"},
    {.name = "add a pod when scheduling node affinity matched pod with NodeInclusionPolicy enabled",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo)}),
     .nodes = "a zone=zone1 node=node-a foo=bar; b zone=zone2 node=node-b foo",
     .pods = "a foo zone=zone1; b foo zone=zone2",
     .changed = "b foo zone=zone2",
     .want = "zone1=1 zone2=2"},
    {.name = "add a label selector not matched pod when with NodeInclusionPolicy enabled",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo)}),
     .nodes = "a zone=zone1 node=node-a foo=bar; b zone=zone2 node=node-b foo",
     .pods = "a foo zone=zone1; b foo zone=zone2",
     .changed = "b zone=zone2",
     .want = "zone1=1 zone2=1"},
    {.name = "add a pod when scheduling taint tolerated pod with NodeInclusionPolicy enabled",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo)}).Toleration("node.kubernetes.io/unschedulable"),
     .nodes = "a zone=zone1 node=node-a tainted; b zone=zone2 node=node-b",
     .pods = "a foo zone=zone1; b foo zone=zone2",
     .changed = "b foo zone=zone2",
     .want = "zone1=1 zone2=2"},
};
// TestPreFilterStateRemovePod
const TrialCase kRemoved[] = {
    {.name = "one spreadConstraint on zone, topologyKeyToMinPodsMap unchanged",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo)}),
     .nodes = kThree,
     .pods = "a foo; b foo; x foo",
     .changed = "a foo",
     .want = "zone1=1 zone2=1"},
    {.name = "one spreadConstraint on node, topologyKeyToMinPodsMap changed",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo)}),
     .nodes = kFourNodes,
     .pods = "a foo; b foo; x foo; y foo",
     .changed = "a foo",
     .want = "zone1=1 zone2=2"},
    {.name = "delete an irrelevant pod won't help",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo)}),
     .nodes = kFourNodes,
     .pods = "a bar; a foo; b foo; x foo; y foo",
     .changed = "a bar",
     .want = "zone1=2 zone2=2"},
    {.name = "delete a non-existing pod won't help",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo)}),
     .nodes = kFourNodes,
     .pods = "a foo; b foo; x foo; y foo",
     .changed = "a bar",
     .want = "zone1=2 zone2=2"},
    {.name = "two spreadConstraints",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo), Hard(1, "node", kFoo)}),
     .nodes = kThree,
     .pods = "a foo; a foo; b foo; x foo; x foo",
     .changed = "x foo",
     .want = "zone1=3 zone2=1 | node-a=2 node-b=1 node-x=1"},
    {.name = "remove a pod when scheduling node affinity unmatched pod with NodeInclusionPolicy enabled",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo)}).Required({{{"foo", "NotIn", {"bar"}}}, {}}),
     .nodes = "a zone=zone1 node=node-a foo=bar; b zone=zone2 node=node-b foo",
     .pods = "a foo zone=zone1; b foo zone=zone2",
     .changed = "a foo zone=zone1",
     .want = "zone2=1"},
    {.name = "remove a pod when scheduling node affinity matched pod with NodeInclusionPolicy enabled",
     .pod = Spreading("foo", {Hard(1, "zone", kFoo)}),
     .nodes = "a zone=zone1 node=node-a foo=bar; b zone=zone2 node=node-b foo",
     .pods = "a foo zone=zone1; b foo zone=zone2",
     .changed = "b foo zone=zone2",
     .want = "zone1=1 zone2=0"},
};

INSTANTIATE_TEST_SUITE_P(Upstream, SpreadCounts, testing::ValuesIn(kCounts),
                         [](const auto& info) { return CaseName(info.param.name); });
INSTANTIATE_TEST_SUITE_P(Upstream, SpreadAddPod, testing::ValuesIn(kAdded),
                         [](const auto& info) { return CaseName(info.param.name); });
INSTANTIATE_TEST_SUITE_P(Upstream, SpreadRemovePod, testing::ValuesIn(kRemoved),
                         [](const auto& info) { return CaseName(info.param.name); });

}  // namespace
