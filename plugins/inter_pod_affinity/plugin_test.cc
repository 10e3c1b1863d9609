// PreFilter and Filter. Cases have the names of pkg/scheduler/framework/plugins/interpodaffinity/filtering_test.go.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "test_pods.h"

namespace plugins::inter_pod::test {
namespace {

const FakeNode kNode1 = FakeNode("node1").Label("region", "r1").Label("zone", "z11");
const FakePod kScan = FakePod("scan").Label("service", "securityscan");
FakePod Security() { return FakePod("p").Label("security", "S1"); }
FakePod Service() { return FakePod("p").Label("service", "securityscan"); }
const Sel kScanOr2 = In("service", {"securityscan", "value2"}), kVirusOr2 = In("service", {"antivirusscan", "value2"});

FakePod AwayFromAbcAndDef(FakePod pod) {
  return Away(Away(std::move(pod), {"zone", Exists("abc")}), {"zone", Exists("def")});
}

struct SingleCase {
  const char* name;
  FakePod pod;
  std::vector<FakePod> existing;
  Outcome pre_filter, filter;
};

class SingleNode : public testing::TestWithParam<SingleCase> {};

TEST_P(SingleNode, Verdicts) {
  const SingleCase& test = GetParam();
  World world;
  world.plugin.cluster().Add(kNode1);
  for (const FakePod& pod : test.existing) world.Run(pod, "node1");
  world.Start();
  auto attempt = world.plugin.Try(test.pod);
  ASSERT_EQ(static_cast<const Outcome&>(attempt->PreFilter()), test.pre_filter);
  if (!test.pre_filter.ok()) return;
  EXPECT_EQ(attempt->Filter().nodes.at("node1"), test.filter);
}

// Upstream's cases have an invalid label value, which the fake host does not check.
const Sel kBad = One("service", "Has");
const Outcome kUnreadable{BERTH_UNRESOLVABLE,
                          {"parsing pod: requiredAffinityTerms: \"Has\" is not a valid label selector operator"}};

// TestRequiredAffinitySingleNode, in its order.
INSTANTIATE_TEST_SUITE_P(
    Upstream, SingleNode,
    testing::Values(
        SingleCase{.name = "NoRulesNoPods", .pod = FakePod("p"), .pre_filter = kSkip},
        SingleCase{.name = "In", .pod = Near(Security(), {"region", kScanOr2}), .existing = {kScan}},
        SingleCase{.name = "NotIn",
                   .pod = Near(Security(), {"region", NotIn("service", {"securityscan3", "value3"})}),
                   .existing = {kScan}},
        SingleCase{.name = "DifferentNamespace",
                   .pod = Near(Security(), {"region", kScanOr2, {"DiffNameSpace"}}),
                   .existing = {FakePod(kScan).Namespace("ns")},
                   .filter = kAffinityRefusal},
        SingleCase{.name = "OtherLabels",
                   .pod = Near(Service(), {"", kVirusOr2}),
                   .existing = {kScan},
                   .filter = kAffinityRefusal},
        SingleCase{.name = "DifferentOperators",
                   .pod = Near(Near(Security(), {"region", And(Exists("service"), DoesNotExist("wrongkey"))}),
                               {"region", And(In("service", {"securityscan"}), NotIn("service", {"WrongValue"}))}),
                   .existing = {kScan}},
        SingleCase{.name = "ExpressionsAreAnded",
                   .pod = Near(Near(Security(), {"region", And(Exists("service"), DoesNotExist("wrongkey"))}),
                               {"region", And(In("service", {"securityscan2"}), NotIn("service", {"WrongValue"}))}),
                   .existing = {kScan},
                   .filter = kAffinityRefusal},
        SingleCase{.name = "AffinityAndAntiAffinity",
                   .pod = Away(Near(Security(), {"region", kScanOr2}), {"node", kVirusOr2}),
                   .existing = {kScan}},
        SingleCase{.name = "AffinityAndAntiAffinityAndSymmetry",
                   .pod = Away(Near(Security(), {"region", kScanOr2}), {"node", kVirusOr2}),
                   .existing = {Away(kScan, {"node", kVirusOr2})}},
        SingleCase{.name = "AntiAffinityNotSatisfied",
                   .pod = Away(Near(Security(), {"region", kScanOr2}), {"zone", kScanOr2}),
                   .existing = {kScan},
                   .filter = kAntiAffinityRefusal},
        SingleCase{.name = "SymmetryNotSatisfied",
                   .pod = Away(Near(Service(), {"region", kScanOr2}), {"node", kVirusOr2}),
                   .existing = {Away(kScan, {"zone", kScanOr2})},
                   .filter = kExistingRefusal},
        SingleCase{.name = "SymmetryOfPodWithoutRules",
                   .pod = Service(),
                   .existing = {Away(kScan, {"zone", kScanOr2})},
                   .filter = kExistingRefusal},
        SingleCase{.name = "SymmetryOfPodWithoutRulesSatisfied",
                   .pod = Service(),
                   .existing = {Away(kScan, {"zone", NotIn("service", {"securityscan", "value2"})})},
                   .pre_filter = kSkip},
        SingleCase{.name = "OwnAntiAffinityIsToldFirst",
                   .pod = Away(Away(Service(), {"region", Exists("service")}), {"region", Exists("security")}),
                   .existing = {Away(Security(), {"zone", Exists("security")})},
                   .filter = kAntiAffinityRefusal},
        SingleCase{.name = "SymmetryCheckA1",
                   .pod = Away(Away(Service(), {"zone", Exists("service")}), {"zone", Exists("security")}),
                   .existing = {Away(Security(), {"zone", Exists("security")})},
                   .filter = kAntiAffinityRefusal},
        SingleCase{.name = "SymmetryCheckA2",
                   .pod = Away(Security(), {"zone", Exists("security")}),
                   .existing = {Away(Away(Service(), {"zone", Exists("service")}), {"zone", Exists("security")})},
                   .filter = kExistingRefusal},
        SingleCase{.name = "SymmetryCheckB1",
                   .pod = AwayFromAbcAndDef(FakePod("p").Label("abc", "").Label("xyz", "")),
                   .existing = {AwayFromAbcAndDef(FakePod("e").Label("def", "").Label("xyz", ""))},
                   .filter = kAntiAffinityRefusal},
        SingleCase{.name = "SymmetryCheckB2",
                   .pod = AwayFromAbcAndDef(FakePod("p").Label("def", "").Label("xyz", "")),
                   .existing = {AwayFromAbcAndDef(FakePod("e").Label("abc", "").Label("xyz", ""))},
                   .filter = kAntiAffinityRefusal},
        SingleCase{.name = "InvalidAffinity",
                   .pod = Near(Near(Service(), {"region", kBad}), {"node", kVirusOr2}),
                   .pre_filter = kUnreadable},
        SingleCase{.name = "InvalidSecondTerm",
                   .pod = Near(Near(Service(), {"region", In("service", {"foo"})}), {"node", kBad}),
                   .pre_filter = kUnreadable},
        SingleCase{.name = "NamespaceSelector",
                   .pod = Near(Security(),
                               {.key = "region", .selector = kScanOr2, .namespace_selector = In("team", {"team1"})}),
                   .existing = {FakePod(kScan).Namespace("subteam1.team1")}},
        SingleCase{.name = "NamespaceSelectorOfOthers",
                   .pod = Near(Security(),
                               {.key = "region", .selector = kScanOr2, .namespace_selector = In("team", {"team1"})}),
                   .existing = {FakePod(kScan).Namespace("subteam1.team2")},
                   .filter = kAffinityRefusal},
        SingleCase{.name = "AntiAffinityNamespaceSelector",
                   .pod = Away(Security().Namespace("subteam1.team1"),
                               {.key = "zone", .selector = kScanOr2, .namespace_selector = In("team", {"team1"})}),
                   .existing = {FakePod(kScan).Namespace("subteam2.team1")},
                   .filter = kAntiAffinityRefusal},
        SingleCase{.name = "AntiAffinityEveryNamespace",
                   .pod = Away(Security().Namespace("subteam1.team1"),
                               {.key = "zone", .selector = kScanOr2, .namespace_selector = Sel{}}),
                   .existing = {FakePod(kScan).Namespace("subteam2.team1")},
                   .filter = kAntiAffinityRefusal},
        SingleCase{.name = "AntiAffinityNamespaceSelectorOfOthers",
                   .pod = Away(Security().Namespace("subteam1.team1"),
                               {.key = "zone", .selector = kScanOr2, .namespace_selector = In("team", {"team1"})}),
                   .existing = {FakePod(kScan).Namespace("subteam1.team2")}}),
    [](const auto& info) { return std::string(info.param.name); });

struct ManyCase {
  const char* name;
  FakePod pod;
  std::vector<FakePod> existing;  // Node() says where
  std::vector<FakeNode> nodes;
  Outcome pre_filter;
  std::map<std::string, Outcome> verdicts;
};

class ManyNodes : public testing::TestWithParam<ManyCase> {};

TEST_P(ManyNodes, Verdicts) {
  const ManyCase& test = GetParam();
  World world;
  for (const FakeNode& node : test.nodes) world.plugin.cluster().Add(node);
  for (const FakePod& pod : test.existing) world.Run(pod, pod.node());
  world.Start();
  auto attempt = world.plugin.Try(test.pod);
  ASSERT_EQ(static_cast<const Outcome&>(attempt->PreFilter()), test.pre_filter);
  if (!test.pre_filter.ok()) return;
  EXPECT_EQ(attempt->Filter().nodes, test.verdicts);
}

FakeNode NodeIn(const char* name, const char* region, const char* zone = "") {
  FakeNode node(name);
  node.Label("region", region).Label("hostname", name);
  return zone[0] == '\0' ? node : node.Label("zone", zone);
}
const std::vector<FakeNode> kChinaIndia = {NodeIn("n1", "China"), NodeIn("n2", "China").Label("az", "az1"),
                                           NodeIn("n3", "India")};
const std::vector<FakeNode> kSameZone = {NodeIn("a", "r1", "z1"), NodeIn("b", "r1", "z1")};
const std::vector<FakeNode> kTwoZones = {NodeIn("a", "r1", "z1"), NodeIn("b", "r1", "z2")};
const FakePod kFooBar = FakePod("e").Label("foo", "bar"), kFooAbc = FakePod("e").Label("foo", "abc");
FakePod On(FakePod pod, const char* node) { return pod.Node(node).Name(std::string("on-") + node); }
FakePod FirstOfAGroup() {
  return Near(Near(FakePod("p").Label("foo", "bar").Label("service", "scan"), {"zone", In("foo", {"bar"})}),
              {"zone", In("service", {"scan"})});
}
const Sel kHasFoo = Exists("foo"), kHasBar = Exists("bar"), kIsAbc = In("foo", {"abc"});
FakePod FooAndBar(const char* name = "p") { return FakePod(name).Label("foo", "").Label("bar", ""); }

// TestRequiredAffinityMultipleNodes, in its order.
INSTANTIATE_TEST_SUITE_P(
    Upstream, ManyNodes,
    testing::Values(
        ManyCase{.name = "WholeDomainOfAMatchingPod",
                 .pod = Near(FakePod("p"), {"region", In("foo", {"bar"})}),
                 .existing = {On(kFooBar, "n1")},
                 .nodes = kChinaIndia,
                 .verdicts = {{"n1", {}}, {"n2", {}}, {"n3", kAffinityRefusal}}},
        ManyCase{.name = "FirstPodOfTheCollection",
                 .pod = FirstOfAGroup(),
                 .existing = {On(kFooBar, "a")},
                 .nodes = {FakeNode("a").Label("zone", "az1"), FakeNode("b").Label("zone", "az2")},
                 .verdicts = {{"a", {}}, {"b", {}}}},
        ManyCase{.name = "FirstPodNeedsTheKeys",
                 .pod = FirstOfAGroup(),
                 .existing = {On(kFooBar, "a")},
                 .nodes = {FakeNode("a").Label("zoneLabel", "az1"), FakeNode("b").Label("zoneLabel", "az2")},
                 .verdicts = {{"a", kAffinityRefusal}, {"b", kAffinityRefusal}}},
        ManyCase{.name = "AntiAffinityWholeDomain",
                 .pod = Away(FakePod("p"), {"region", kIsAbc}),
                 .existing = {On(kFooAbc, "a")},
                 .nodes = kSameZone,
                 .verdicts = {{"a", kAntiAffinityRefusal}, {"b", kAntiAffinityRefusal}}},
        ManyCase{.name = "AntiAffinityAnyTerm",
                 .pod = Away(Away(FakePod("p"), {"region", kIsAbc}), {"zone", In("service", {"scan"})}),
                 .existing = {On(FakePod(kFooAbc).Label("service", "scan"), "a")},
                 .nodes = kTwoZones,
                 .verdicts = {{"a", kAntiAffinityRefusal}, {"b", kAntiAffinityRefusal}}},
        ManyCase{.name = "AntiAffinityOtherDomainIsFree",
                 .pod = Away(FakePod("p"), {"region", kIsAbc}),
                 .existing = {On(kFooAbc, "n1")},
                 .nodes = kChinaIndia,
                 .verdicts = {{"n1", kAntiAffinityRefusal}, {"n2", kAntiAffinityRefusal}, {"n3", {}}}},
        ManyCase{.name = "AntiAffinityInAnotherNamespace",
                 .pod = Away(FakePod("p").Namespace("NS1").Label("foo", "123"), {"region", In("foo", {"bar"})}),
                 .existing = {On(FakePod(kFooBar).Namespace("NS1"), "n1"),
                              On(Away(FakePod("e").Namespace("NS2"), {"region", In("foo", {"123"})}), "n3")},
                 .nodes = kChinaIndia,
                 .verdicts = {{"n1", kAntiAffinityRefusal}, {"n2", kAntiAffinityRefusal}, {"n3", {}}}},
        ManyCase{.name = "ExistingTermWithAKeyThatNoNodeHas",
                 .pod = FakePod("p").Label("foo", ""),
                 .existing = {On(Away(FakePod("e"), {"invalid-node-label", kHasFoo}), "a")},
                 .nodes = kSameZone,
                 .pre_filter = kSkip},
        ManyCase{.name = "OwnTermWithAKeyThatNoNodeHas",
                 .pod = Away(FakePod("p"), {"invalid-node-label", kHasFoo}),
                 .existing = {On(FakePod("e").Label("foo", ""), "a")},
                 .nodes = kSameZone,
                 .verdicts = {{"a", {}}, {"b", {}}}},
        ManyCase{.name = "EachExistingTermClosesItsDomain",
                 .pod = FooAndBar(),
                 .existing = {On(Away(FakePod("e"), {"zone", kHasFoo}), "a"),
                              On(Away(FakePod("e"), {"region", kHasBar}), "a")},
                 .nodes = kTwoZones,
                 .verdicts = {{"a", kExistingRefusal}, {"b", kExistingRefusal}}},
        ManyCase{.name = "EachOwnTermClosesItsDomain",
                 .pod = Away(Away(FakePod("p"), {"zone", kHasFoo}), {"region", kHasBar}),
                 .existing = {On(FakePod("e").Label("foo", ""), "a"), On(FakePod("e").Label("bar", ""), "b")},
                 .nodes = kTwoZones,
                 .verdicts = {{"a", kAntiAffinityRefusal}, {"b", kAntiAffinityRefusal}}},
        ManyCase{.name = "ExistingTermsOneWithoutKey",
                 .pod = FooAndBar(),
                 .existing = {On(Away(Away(FakePod("e"), {"invalid-node-label", kHasFoo}), {"zone", kHasBar}), "a")},
                 .nodes = kTwoZones,
                 .verdicts = {{"a", kExistingRefusal}, {"b", {}}}},
        ManyCase{.name = "OwnTermsOneWithoutKey",
                 .pod = Away(Away(FakePod("p"), {"invalid-node-label", kHasFoo}), {"zone", kHasBar}),
                 .existing = {On(FooAndBar("e"), "a")},
                 .nodes = kTwoZones,
                 .verdicts = {{"a", kAntiAffinityRefusal}, {"b", {}}}},
        ManyCase{.name = "ExistingTermsBothWithKey",
                 .pod = FooAndBar(),
                 .existing = {On(Away(Away(FakePod("e"), {"region", kHasFoo}), {"zone", kHasBar}), "a")},
                 .nodes = kTwoZones,
                 .verdicts = {{"a", kExistingRefusal}, {"b", kExistingRefusal}}},
        ManyCase{.name = "OwnTermsBothWithKey",
                 .pod = Away(Away(FakePod("p"), {"region", kHasFoo}), {"zone", kHasBar}),
                 .existing = {On(FooAndBar("e"), "a")},
                 .nodes = kTwoZones,
                 .verdicts = {{"a", kAntiAffinityRefusal}, {"b", kAntiAffinityRefusal}}},
        ManyCase{.name = "TwoExistingPodsCloseTwoZones",
                 .pod = FooAndBar(),
                 .existing = {On(Away(Away(FakePod("e"), {"zone", kHasFoo}), {"zone", Exists("labelA")}), "a"),
                              On(Away(Away(FakePod("e"), {"zone", kHasBar}), {"zone", Exists("labelB")}), "b")},
                 .nodes = {NodeIn("a", "r1", "z1"), NodeIn("b", "r1", "z2"), NodeIn("c", "r1", "z3")},
                 .verdicts = {{"a", kExistingRefusal}, {"b", kExistingRefusal}, {"c", {}}}},
        ManyCase{.name = "AllAffinityTermsMatchOnePod",
                 .pod = Near(Near(FakePod("p"), {"region", kHasFoo}), {"zone", kHasBar}),
                 .existing = {On(FooAndBar("e"), "a")},
                 .nodes = kSameZone,
                 .verdicts = {{"a", {}}, {"b", {}}}},
        ManyCase{.name = "AffinityTermsMatchTwoPodsOnlyTogether",
                 .pod = Near(Near(FakePod("p"), {"region", kHasFoo}), {"zone", kHasBar}),
                 .existing = {On(FakePod("e").Label("foo", ""), "a"), On(FakePod("e").Label("bar", ""), "b")},
                 .nodes = kTwoZones,
                 .verdicts = {{"a", kAffinityRefusal}, {"b", kAffinityRefusal}}}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace plugins::inter_pod::test
