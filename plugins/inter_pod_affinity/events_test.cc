// The events that requeue a rejected pod. Cases have the names of
// pkg/scheduler/framework/plugins/interpodaffinity/plugin_test.go.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "test_pods.h"

namespace plugins::inter_pod::test {
namespace {

const Sel kScan = In("service", {"securityscan", "value2"});
FakePod Waiting() { return FakePod("p").Uid("p"); }
FakePod NearScan() { return Near(Waiting(), {"region", kScan}); }
FakePod AwayFromScan() { return Away(Waiting(), {"region", kScan}); }
FakePod NearAaaAndBbb() { return Near(Near(Waiting(), {"hostname", Exists("aaa")}), {"hostname", Exists("bbb")}); }
FakePod Other(const char* key, const char* value) { return FakePod("other").Uid("other").Node("n").Label(key, value); }
FakePod Nowhere(const char* key, const char* value) { return FakePod("other").Uid("other").Label(key, value); }
FakePod Nominated(const char* key, const char* value) { return Nowhere(key, value).Nominated("n"); }
FakePod OtherAwayFromScan() { return Away(FakePod("other").Uid("other").Node("n"), {"region", kScan}); }

struct PodCase {
  const char* name;
  FakePod pod;
  std::optional<FakePod> before, after;
  bool wakes;
};
class PodChange : public testing::TestWithParam<PodCase> {};

TEST_P(PodChange, Hint) {
  World world;
  world.Start();
  const PodCase& test = GetParam();
  EXPECT_EQ(
      world.plugin.Hints({.resource = "Pod", .interest = 0, .old_pod = test.before, .new_pod = test.after}, {test.pod})
          .queue.at(0),
      test.wakes);
}

constexpr std::nullopt_t kNone = std::nullopt;
// Test_isSchedulableAfterPodChange, in its order.
INSTANTIATE_TEST_SUITE_P(
    Upstream, PodChange,
    testing::Values(
        PodCase{"AddMatching", NearScan(), kNone, Other("service", "securityscan"), true},
        PodCase{"AddUnscheduled", NearScan(), kNone, Nowhere("service", "securityscan"), false},
        PodCase{"AddOther", NearScan(), kNone, Other("aaa", "a"), false},
        PodCase{"UpdateToMatch", NearScan(), Other("aaa", "a"), Other("service", "securityscan"), true},
        PodCase{"UpdateMatchesBefore", NearScan(), Other("service", "value2"), Other("service", "securityscan"), false},
        PodCase{"UpdateUnscheduled", NearScan(), Nowhere("aaa", "a"), Nowhere("service", "securityscan"), false},
        PodCase{"UpdateToNoMatch", NearScan(), Other("service", "securityscan"), Other("aaa", "a"), false},
        PodCase{"UpdateToNoMatchTerms", NearAaaAndBbb(), Other("aaa", "a"), Other("service", "securityscan"), false},
        PodCase{"UpdateToMatchTerms", NearAaaAndBbb(), Other("aaa", "a"), Other("aaa", "").Label("bbb", ""), true},
        PodCase{"OwnUpdate", Waiting(), Waiting().Label("foo", "bar"), Waiting().Label("foo", "baz"), true},
        PodCase{"AntiToNoMatch", AwayFromScan(), Other("service", "securityscan"), Other("service", "aaaa"), true},
        PodCase{"AntiToMatch", AwayFromScan(), Other("service", "bbb"), Other("service", "securityscan"), false},
        PodCase{"DeleteOther", AwayFromScan(), Other("aaa", "a"), kNone, false},
        PodCase{"DeleteMatching", AwayFromScan(), Other("service", "securityscan"), kNone, true},
        PodCase{"DeleteThatHatedIt", Waiting().Label("service", "securityscan"), OtherAwayFromScan(), kNone, true},
        PodCase{"DeleteThatHatedOthers", Waiting().Label("service", "foo"), OtherAwayFromScan(), kNone, false},
        PodCase{"DeleteStranger", AwayFromScan().Label("service", "foo"), OtherAwayFromScan().Label("service", "foo"),
                kNone, false},
        PodCase{"DeleteNominatedOther", AwayFromScan(), Nominated("aaa", "a"), kNone, false},
        PodCase{"DeleteNominatedMatching", AwayFromScan(), Nominated("service", "securityscan"), kNone, true}),
    [](const auto& info) { return std::string(info.param.name); });

FakePod AwayFromTwo() { return Away(Away(Waiting(), {"region", Exists("aaa")}), {"region", Exists("bbb")}); }
// Upstream's hints are coarser than its filter, and so are these.
INSTANTIATE_TEST_SUITE_P(
    Quirks, PodChange,
    testing::Values(
        PodCase{"NamespaceSelectorSeesNoLabels", Near(Waiting(), {"region", kScan, {}, In("team", {"team1"})}), kNone,
                Other("service", "securityscan").Namespace("subteam1.team1"), false},
        PodCase{"NegativeNamespaceSelectorDoes", Near(Waiting(), {"region", kScan, {}, NotIn("team", {"team1"})}),
                kNone, Other("service", "securityscan").Namespace("subteam1.team1"), true},
        PodCase{"ListedNamespaces", Near(Waiting(), {"region", kScan, {"subteam1.team1"}}), kNone,
                Other("service", "securityscan").Namespace("subteam1.team1"), true},
        PodCase{"AllAntiAffinityTermsNotAny", AwayFromTwo(), Other("aaa", ""), kNone, false},
        PodCase{"AllAntiAffinityTerms", AwayFromTwo(), Other("aaa", "").Label("bbb", ""), kNone, true},
        PodCase{"MatchesBothAndLeavesTheHated", Away(Near(Waiting(), {"region", Exists("service")}), {"region", kScan}),
                Other("service", "securityscan"), Other("service", "aaaa"), true},
        PodCase{"DeleteOfUnreadableTermsWakes", Waiting().Label("service", "foo"),
                Away(OtherAwayFromScan(), {"region", One("a", "Has")}), kNone, true},
        PodCase{"NoTermsAtAll", Waiting(), kNone, Other("aaa", ""), false},
        PodCase{"UnreadableTermsWake", Near(Waiting(), {"region", One("a", "Has")}), kNone, Other("aaa", ""), true}),
    [](const auto& info) { return std::string(info.param.name); });

struct NodeCase {
  const char* name;
  bool anti;
  const char* key;
  std::optional<FakeNode> before;
  FakeNode after;
  bool wakes;
};
class NodeChange : public testing::TestWithParam<NodeCase> {};

TEST_P(NodeChange, Hint) {
  World world;
  world.Start();
  const NodeCase& test = GetParam();
  const FakePod pod = test.anti ? Away(Waiting(), {test.key, kScan}) : Near(Waiting(), {test.key, kScan});
  EXPECT_EQ(
      world.plugin.Hints({.resource = "Node", .interest = 1, .old_node = test.before, .new_node = test.after}, {pod})
          .queue.at(0),
      test.wakes);
}

const FakeNode kBare("n"), kZone1 = FakeNode("n").Label("zone", "zone1"), kZone2 = FakeNode("n").Label("zone", "zone2");
const FakeNode kUnrelated = FakeNode(kZone1).Label("unrelated-label", "unrelated");
const FakeNode kAaaA = FakeNode("n").Label("aaa", "a"), kAaaB = FakeNode("n").Label("aaa", "b");
// Test_isSchedulableAfterNodeChange, in its order.
INSTANTIATE_TEST_SUITE_P(Upstream, NodeChange,
                         testing::Values(NodeCase{"AddWithKey", false, "zone", kNone, kZone1, true},
                                         NodeCase{"AddWithoutKey", false, "region", kNone, kZone1, false},
                                         NodeCase{"OtherLabel", false, "zone", kAaaA, kAaaB, false},
                                         NodeCase{"UnrelatedLabel", false, "zone", kZone1, kUnrelated, false},
                                         NodeCase{"OtherValue", false, "zone", kZone1, kZone2, true},
                                         NodeCase{"KeyGained", false, "zone", kAaaA, kZone1, true},
                                         NodeCase{"AntiAddWithKey", true, "zone", kNone, kZone1, true},
                                         NodeCase{"AntiAddWithoutKey", true, "zone", kNone, kBare, true},
                                         NodeCase{"AntiUnrelatedLabel", true, "zone", kZone1, kUnrelated, false},
                                         NodeCase{"AntiOtherValue", true, "zone", kZone1, kZone2, true},
                                         NodeCase{"AntiKeyGained", true, "zone", kAaaA, kZone1, false},
                                         NodeCase{"AntiKeyLost", true, "zone", kZone1, kAaaA, true},
                                         // Not upstream's:
                                         NodeCase{"KeyLost", false, "zone", kZone1, kAaaA, false}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(InterPodAffinity, Interests) {
  World world;
  world.Start();
  const auto interests = world.plugin.Interests();
  ASSERT_EQ(interests.size(), 2u);
  EXPECT_EQ(interests[0].resource, "Pod");
  EXPECT_EQ(interests[0].actions, BERTH_ACTION_ADD | BERTH_ACTION_UPDATE_POD_LABEL | BERTH_ACTION_DELETE);
  EXPECT_EQ(interests[1].resource, "Node");
  EXPECT_EQ(interests[1].actions, BERTH_ACTION_ADD | BERTH_ACTION_UPDATE_NODE_LABEL);
}

}  // namespace
}  // namespace plugins::inter_pod::test
