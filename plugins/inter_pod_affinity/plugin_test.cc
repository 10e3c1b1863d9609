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
        SingleCase{"NoRulesNoPods", FakePod("p"), {}, kSkip, {}},
        SingleCase{"In", Near(Security(), {"region", kScanOr2}), {kScan}, {}, {}},
        SingleCase{
            "NotIn", Near(Security(), {"region", NotIn("service", {"securityscan3", "value3"})}), {kScan}, {}, {}},
        SingleCase{"DifferentNamespace",
                   Near(Security(), {"region", kScanOr2, {"DiffNameSpace"}}),
                   {FakePod(kScan).Namespace("ns")},
                   {},
                   kAffinityRefusal},
        SingleCase{"OtherLabels", Near(Service(), {"", kVirusOr2}), {kScan}, {}, kAffinityRefusal},
        SingleCase{"DifferentOperators",
                   Near(Near(Security(), {"region", And(Exists("service"), DoesNotExist("wrongkey"))}),
                        {"region", And(In("service", {"securityscan"}), NotIn("service", {"WrongValue"}))}),
                   {kScan},
                   {},
                   {}},
        SingleCase{"ExpressionsAreAnded",
                   Near(Near(Security(), {"region", And(Exists("service"), DoesNotExist("wrongkey"))}),
                        {"region", And(In("service", {"securityscan2"}), NotIn("service", {"WrongValue"}))}),
                   {kScan},
                   {},
                   kAffinityRefusal},
        SingleCase{"AffinityAndAntiAffinity",
                   Away(Near(Security(), {"region", kScanOr2}), {"node", kVirusOr2}),
                   {kScan},
                   {},
                   {}},
        SingleCase{"AffinityAndAntiAffinityAndSymmetry",
                   Away(Near(Security(), {"region", kScanOr2}), {"node", kVirusOr2}),
                   {Away(kScan, {"node", kVirusOr2})},
                   {},
                   {}},
        SingleCase{"AntiAffinityNotSatisfied",
                   Away(Near(Security(), {"region", kScanOr2}), {"zone", kScanOr2}),
                   {kScan},
                   {},
                   kAntiAffinityRefusal},
        SingleCase{"SymmetryNotSatisfied",
                   Away(Near(Service(), {"region", kScanOr2}), {"node", kVirusOr2}),
                   {Away(kScan, {"zone", kScanOr2})},
                   {},
                   kExistingRefusal},
        SingleCase{"SymmetryOfPodWithoutRules", Service(), {Away(kScan, {"zone", kScanOr2})}, {}, kExistingRefusal},
        SingleCase{"SymmetryOfPodWithoutRulesSatisfied",
                   Service(),
                   {Away(kScan, {"zone", NotIn("service", {"securityscan", "value2"})})},
                   kSkip,
                   {}},
        SingleCase{"OwnAntiAffinityIsToldFirst",
                   Away(Away(Service(), {"region", Exists("service")}), {"region", Exists("security")}),
                   {Away(Security(), {"zone", Exists("security")})},
                   {},
                   kAntiAffinityRefusal},
        SingleCase{"SymmetryCheckA1",
                   Away(Away(Service(), {"zone", Exists("service")}), {"zone", Exists("security")}),
                   {Away(Security(), {"zone", Exists("security")})},
                   {},
                   kAntiAffinityRefusal},
        SingleCase{"SymmetryCheckA2",
                   Away(Security(), {"zone", Exists("security")}),
                   {Away(Away(Service(), {"zone", Exists("service")}), {"zone", Exists("security")})},
                   {},
                   kExistingRefusal},
        SingleCase{"SymmetryCheckB1",
                   AwayFromAbcAndDef(FakePod("p").Label("abc", "").Label("xyz", "")),
                   {AwayFromAbcAndDef(FakePod("e").Label("def", "").Label("xyz", ""))},
                   {},
                   kAntiAffinityRefusal},
        SingleCase{"SymmetryCheckB2",
                   AwayFromAbcAndDef(FakePod("p").Label("def", "").Label("xyz", "")),
                   {AwayFromAbcAndDef(FakePod("e").Label("abc", "").Label("xyz", ""))},
                   {},
                   kAntiAffinityRefusal},
        SingleCase{
            "InvalidAffinity", Near(Near(Service(), {"region", kBad}), {"node", kVirusOr2}), {}, kUnreadable, {}},
        SingleCase{"InvalidSecondTerm",
                   Near(Near(Service(), {"region", In("service", {"foo"})}), {"node", kBad}),
                   {},
                   kUnreadable,
                   {}},
        SingleCase{"NamespaceSelector",
                   Near(Security(), {"region", kScanOr2, {}, In("team", {"team1"})}),
                   {FakePod(kScan).Namespace("subteam1.team1")},
                   {},
                   {}},
        SingleCase{"NamespaceSelectorOfOthers",
                   Near(Security(), {"region", kScanOr2, {}, In("team", {"team1"})}),
                   {FakePod(kScan).Namespace("subteam1.team2")},
                   {},
                   kAffinityRefusal},
        SingleCase{"AntiAffinityNamespaceSelector",
                   Away(Security().Namespace("subteam1.team1"), {"zone", kScanOr2, {}, In("team", {"team1"})}),
                   {FakePod(kScan).Namespace("subteam2.team1")},
                   {},
                   kAntiAffinityRefusal},
        SingleCase{"AntiAffinityEveryNamespace",
                   Away(Security().Namespace("subteam1.team1"), {"zone", kScanOr2, {}, Sel{}}),
                   {FakePod(kScan).Namespace("subteam2.team1")},
                   {},
                   kAntiAffinityRefusal},
        SingleCase{"AntiAffinityNamespaceSelectorOfOthers",
                   Away(Security().Namespace("subteam1.team1"), {"zone", kScanOr2, {}, In("team", {"team1"})}),
                   {FakePod(kScan).Namespace("subteam1.team2")},
                   {},
                   {}}),
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
    testing::Values(ManyCase{"WholeDomainOfAMatchingPod",
                             Near(FakePod("p"), {"region", In("foo", {"bar"})}),
                             {On(kFooBar, "n1")},
                             kChinaIndia,
                             {},
                             {{"n1", {}}, {"n2", {}}, {"n3", kAffinityRefusal}}},
                    ManyCase{"FirstPodOfTheCollection",
                             FirstOfAGroup(),
                             {On(kFooBar, "a")},
                             {FakeNode("a").Label("zone", "az1"), FakeNode("b").Label("zone", "az2")},
                             {},
                             {{"a", {}}, {"b", {}}}},
                    ManyCase{"FirstPodNeedsTheKeys",
                             FirstOfAGroup(),
                             {On(kFooBar, "a")},
                             {FakeNode("a").Label("zoneLabel", "az1"), FakeNode("b").Label("zoneLabel", "az2")},
                             {},
                             {{"a", kAffinityRefusal}, {"b", kAffinityRefusal}}},
                    ManyCase{"AntiAffinityWholeDomain",
                             Away(FakePod("p"), {"region", kIsAbc}),
                             {On(kFooAbc, "a")},
                             kSameZone,
                             {},
                             {{"a", kAntiAffinityRefusal}, {"b", kAntiAffinityRefusal}}},
                    ManyCase{"AntiAffinityAnyTerm",
                             Away(Away(FakePod("p"), {"region", kIsAbc}), {"zone", In("service", {"scan"})}),
                             {On(FakePod(kFooAbc).Label("service", "scan"), "a")},
                             kTwoZones,
                             {},
                             {{"a", kAntiAffinityRefusal}, {"b", kAntiAffinityRefusal}}},
                    ManyCase{"AntiAffinityOtherDomainIsFree",
                             Away(FakePod("p"), {"region", kIsAbc}),
                             {On(kFooAbc, "n1")},
                             kChinaIndia,
                             {},
                             {{"n1", kAntiAffinityRefusal}, {"n2", kAntiAffinityRefusal}, {"n3", {}}}},
                    ManyCase{"AntiAffinityInAnotherNamespace",
                             Away(FakePod("p").Namespace("NS1").Label("foo", "123"), {"region", In("foo", {"bar"})}),
                             {On(FakePod(kFooBar).Namespace("NS1"), "n1"),
                              On(Away(FakePod("e").Namespace("NS2"), {"region", In("foo", {"123"})}), "n3")},
                             kChinaIndia,
                             {},
                             {{"n1", kAntiAffinityRefusal}, {"n2", kAntiAffinityRefusal}, {"n3", {}}}},
                    ManyCase{"ExistingTermWithAKeyThatNoNodeHas",
                             FakePod("p").Label("foo", ""),
                             {On(Away(FakePod("e"), {"invalid-node-label", kHasFoo}), "a")},
                             kSameZone,
                             kSkip,
                             {}},
                    ManyCase{"OwnTermWithAKeyThatNoNodeHas",
                             Away(FakePod("p"), {"invalid-node-label", kHasFoo}),
                             {On(FakePod("e").Label("foo", ""), "a")},
                             kSameZone,
                             {},
                             {{"a", {}}, {"b", {}}}},
                    ManyCase{"EachExistingTermClosesItsDomain",
                             FooAndBar(),
                             {On(Away(FakePod("e"), {"zone", kHasFoo}), "a"),
                              On(Away(FakePod("e"), {"region", kHasBar}), "a")},
                             kTwoZones,
                             {},
                             {{"a", kExistingRefusal}, {"b", kExistingRefusal}}},
                    ManyCase{"EachOwnTermClosesItsDomain",
                             Away(Away(FakePod("p"), {"zone", kHasFoo}), {"region", kHasBar}),
                             {On(FakePod("e").Label("foo", ""), "a"), On(FakePod("e").Label("bar", ""), "b")},
                             kTwoZones,
                             {},
                             {{"a", kAntiAffinityRefusal}, {"b", kAntiAffinityRefusal}}},
                    ManyCase{"ExistingTermsOneWithoutKey",
                             FooAndBar(),
                             {On(Away(Away(FakePod("e"), {"invalid-node-label", kHasFoo}), {"zone", kHasBar}), "a")},
                             kTwoZones,
                             {},
                             {{"a", kExistingRefusal}, {"b", {}}}},
                    ManyCase{"OwnTermsOneWithoutKey",
                             Away(Away(FakePod("p"), {"invalid-node-label", kHasFoo}), {"zone", kHasBar}),
                             {On(FooAndBar("e"), "a")},
                             kTwoZones,
                             {},
                             {{"a", kAntiAffinityRefusal}, {"b", {}}}},
                    ManyCase{"ExistingTermsBothWithKey",
                             FooAndBar(),
                             {On(Away(Away(FakePod("e"), {"region", kHasFoo}), {"zone", kHasBar}), "a")},
                             kTwoZones,
                             {},
                             {{"a", kExistingRefusal}, {"b", kExistingRefusal}}},
                    ManyCase{"OwnTermsBothWithKey",
                             Away(Away(FakePod("p"), {"region", kHasFoo}), {"zone", kHasBar}),
                             {On(FooAndBar("e"), "a")},
                             kTwoZones,
                             {},
                             {{"a", kAntiAffinityRefusal}, {"b", kAntiAffinityRefusal}}},
                    ManyCase{"TwoExistingPodsCloseTwoZones",
                             FooAndBar(),
                             {On(Away(Away(FakePod("e"), {"zone", kHasFoo}), {"zone", Exists("labelA")}), "a"),
                              On(Away(Away(FakePod("e"), {"zone", kHasBar}), {"zone", Exists("labelB")}), "b")},
                             {NodeIn("a", "r1", "z1"), NodeIn("b", "r1", "z2"), NodeIn("c", "r1", "z3")},
                             {},
                             {{"a", kExistingRefusal}, {"b", kExistingRefusal}, {"c", {}}}},
                    ManyCase{"AllAffinityTermsMatchOnePod",
                             Near(Near(FakePod("p"), {"region", kHasFoo}), {"zone", kHasBar}),
                             {On(FooAndBar("e"), "a")},
                             kSameZone,
                             {},
                             {{"a", {}}, {"b", {}}}},
                    ManyCase{"AffinityTermsMatchTwoPodsOnlyTogether",
                             Near(Near(FakePod("p"), {"region", kHasFoo}), {"zone", kHasBar}),
                             {On(FakePod("e").Label("foo", ""), "a"), On(FakePod("e").Label("bar", ""), "b")},
                             kTwoZones,
                             {},
                             {{"a", kAffinityRefusal}, {"b", kAffinityRefusal}}}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace plugins::inter_pod::test
