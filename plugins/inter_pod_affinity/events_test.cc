// The events that requeue a rejected pod. Cases have the names of
// pkg/scheduler/framework/plugins/interpodaffinity/plugin_test.go.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "test_pods.h"

namespace plugins::inter_pod::test {
namespace {

const Sel kScansService = In("service", {"securityscan", "value2"});
FakePod Waiting() { return FakePod("p").Uid("p"); }
FakePod NearScan() { return Near(Waiting(), {"region", kScansService}); }
FakePod AwayFromScan() { return Away(Waiting(), {"region", kScansService}); }
FakePod NearAaaAndBbb() { return Near(Near(Waiting(), {"hostname", Exists("aaa")}), {"hostname", Exists("bbb")}); }
FakePod Other(const char* key, const char* value) { return FakePod("other").Uid("other").Node("n").Label(key, value); }
FakePod Nowhere(const char* key, const char* value) { return FakePod("other").Uid("other").Label(key, value); }
FakePod Nominated(const char* key, const char* value) { return Nowhere(key, value).Nominated("n"); }
FakePod OtherAwayFromScan() { return Away(FakePod("other").Uid("other").Node("n"), {"region", kScansService}); }

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
        PodCase{.name = "AddMatching",
                .pod = NearScan(),
                .before = kNone,
                .after = Other("service", "securityscan"),
                .wakes = true},
        PodCase{.name = "AddUnscheduled",
                .pod = NearScan(),
                .before = kNone,
                .after = Nowhere("service", "securityscan"),
                .wakes = false},
        PodCase{.name = "AddOther", .pod = NearScan(), .before = kNone, .after = Other("aaa", "a"), .wakes = false},
        PodCase{.name = "UpdateToMatch",
                .pod = NearScan(),
                .before = Other("aaa", "a"),
                .after = Other("service", "securityscan"),
                .wakes = true},
        PodCase{.name = "UpdateMatchesBefore",
                .pod = NearScan(),
                .before = Other("service", "value2"),
                .after = Other("service", "securityscan"),
                .wakes = false},
        PodCase{.name = "UpdateUnscheduled",
                .pod = NearScan(),
                .before = Nowhere("aaa", "a"),
                .after = Nowhere("service", "securityscan"),
                .wakes = false},
        PodCase{.name = "UpdateToNoMatch",
                .pod = NearScan(),
                .before = Other("service", "securityscan"),
                .after = Other("aaa", "a"),
                .wakes = false},
        PodCase{.name = "UpdateToNoMatchTerms",
                .pod = NearAaaAndBbb(),
                .before = Other("aaa", "a"),
                .after = Other("service", "securityscan"),
                .wakes = false},
        PodCase{.name = "UpdateToMatchTerms",
                .pod = NearAaaAndBbb(),
                .before = Other("aaa", "a"),
                .after = Other("aaa", "").Label("bbb", ""),
                .wakes = true},
        PodCase{.name = "OwnUpdate",
                .pod = Waiting(),
                .before = Waiting().Label("foo", "bar"),
                .after = Waiting().Label("foo", "baz"),
                .wakes = true},
        PodCase{.name = "AntiToNoMatch",
                .pod = AwayFromScan(),
                .before = Other("service", "securityscan"),
                .after = Other("service", "aaaa"),
                .wakes = true},
        PodCase{.name = "AntiToMatch",
                .pod = AwayFromScan(),
                .before = Other("service", "bbb"),
                .after = Other("service", "securityscan"),
                .wakes = false},
        PodCase{
            .name = "DeleteOther", .pod = AwayFromScan(), .before = Other("aaa", "a"), .after = kNone, .wakes = false},
        PodCase{.name = "DeleteMatching",
                .pod = AwayFromScan(),
                .before = Other("service", "securityscan"),
                .after = kNone,
                .wakes = true},
        PodCase{.name = "DeleteThatHatedIt",
                .pod = Waiting().Label("service", "securityscan"),
                .before = OtherAwayFromScan(),
                .after = kNone,
                .wakes = true},
        PodCase{.name = "DeleteThatHatedOthers",
                .pod = Waiting().Label("service", "foo"),
                .before = OtherAwayFromScan(),
                .after = kNone,
                .wakes = false},
        PodCase{.name = "DeleteStranger",
                .pod = AwayFromScan().Label("service", "foo"),
                .before = OtherAwayFromScan().Label("service", "foo"),
                .after = kNone,
                .wakes = false},
        PodCase{.name = "DeleteNominatedOther",
                .pod = AwayFromScan(),
                .before = Nominated("aaa", "a"),
                .after = kNone,
                .wakes = false},
        PodCase{.name = "DeleteNominatedMatching",
                .pod = AwayFromScan(),
                .before = Nominated("service", "securityscan"),
                .after = kNone,
                .wakes = true}),
    [](const auto& info) { return std::string(info.param.name); });

FakePod AwayFromTwo() { return Away(Away(Waiting(), {"region", Exists("aaa")}), {"region", Exists("bbb")}); }
// Upstream's hints are coarser than its filter, and so are these.
INSTANTIATE_TEST_SUITE_P(
    Quirks, PodChange,
    testing::Values(
        PodCase{.name = "NamespaceSelectorSeesNoLabels",
                .pod = Near(Waiting(),
                            {.key = "region", .selector = kScansService, .namespace_selector = In("team", {"team1"})}),
                .before = kNone,
                .after = Other("service", "securityscan").Namespace("subteam1.team1"),
                .wakes = false},
        PodCase{
            .name = "NegativeNamespaceSelectorDoes",
            .pod = Near(Waiting(),
                        {.key = "region", .selector = kScansService, .namespace_selector = NotIn("team", {"team1"})}),
            .before = kNone,
            .after = Other("service", "securityscan").Namespace("subteam1.team1"),
            .wakes = true},
        PodCase{.name = "ListedNamespaces",
                .pod = Near(Waiting(), {"region", kScansService, {"subteam1.team1"}}),
                .before = kNone,
                .after = Other("service", "securityscan").Namespace("subteam1.team1"),
                .wakes = true},
        PodCase{.name = "AllAntiAffinityTermsNotAny",
                .pod = AwayFromTwo(),
                .before = Other("aaa", ""),
                .after = kNone,
                .wakes = false},
        PodCase{.name = "AllAntiAffinityTerms",
                .pod = AwayFromTwo(),
                .before = Other("aaa", "").Label("bbb", ""),
                .after = kNone,
                .wakes = true},
        PodCase{.name = "MatchesBothAndLeavesTheHated",
                .pod = Away(Near(Waiting(), {"region", Exists("service")}), {"region", kScansService}),
                .before = Other("service", "securityscan"),
                .after = Other("service", "aaaa"),
                .wakes = true},
        PodCase{.name = "DeleteOfUnreadableTermsWakes",
                .pod = Waiting().Label("service", "foo"),
                .before = Away(OtherAwayFromScan(), {"region", One("a", "Has")}),
                .after = kNone,
                .wakes = true},
        PodCase{.name = "NoTermsAtAll", .pod = Waiting(), .before = kNone, .after = Other("aaa", ""), .wakes = false},
        PodCase{.name = "UnreadableTermsWake",
                .pod = Near(Waiting(), {"region", One("a", "Has")}),
                .before = kNone,
                .after = Other("aaa", ""),
                .wakes = true}),
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
  const FakePod pod =
      test.anti ? Away(Waiting(), {test.key, kScansService}) : Near(Waiting(), {test.key, kScansService});
  EXPECT_EQ(
      world.plugin.Hints({.resource = "Node", .interest = 1, .old_node = test.before, .new_node = test.after}, {pod})
          .queue.at(0),
      test.wakes);
}

const FakeNode kBare("n"), kZone1 = FakeNode("n").Label("zone", "zone1"), kZone2 = FakeNode("n").Label("zone", "zone2");
const FakeNode kUnrelated = FakeNode(kZone1).Label("unrelated-label", "unrelated");
const FakeNode kAaaA = FakeNode("n").Label("aaa", "a"), kAaaB = FakeNode("n").Label("aaa", "b");
// Test_isSchedulableAfterNodeChange, in its order.
INSTANTIATE_TEST_SUITE_P(
    Upstream, NodeChange,
    testing::Values(
        NodeCase{.name = "AddWithKey", .anti = false, .key = "zone", .before = kNone, .after = kZone1, .wakes = true},
        NodeCase{
            .name = "AddWithoutKey", .anti = false, .key = "region", .before = kNone, .after = kZone1, .wakes = false},
        NodeCase{.name = "OtherLabel", .anti = false, .key = "zone", .before = kAaaA, .after = kAaaB, .wakes = false},
        NodeCase{.name = "UnrelatedLabel",
                 .anti = false,
                 .key = "zone",
                 .before = kZone1,
                 .after = kUnrelated,
                 .wakes = false},
        NodeCase{.name = "OtherValue", .anti = false, .key = "zone", .before = kZone1, .after = kZone2, .wakes = true},
        NodeCase{.name = "KeyGained", .anti = false, .key = "zone", .before = kAaaA, .after = kZone1, .wakes = true},
        NodeCase{
            .name = "AntiAddWithKey", .anti = true, .key = "zone", .before = kNone, .after = kZone1, .wakes = true},
        NodeCase{
            .name = "AntiAddWithoutKey", .anti = true, .key = "zone", .before = kNone, .after = kBare, .wakes = true},
        NodeCase{.name = "AntiUnrelatedLabel",
                 .anti = true,
                 .key = "zone",
                 .before = kZone1,
                 .after = kUnrelated,
                 .wakes = false},
        NodeCase{
            .name = "AntiOtherValue", .anti = true, .key = "zone", .before = kZone1, .after = kZone2, .wakes = true},
        NodeCase{
            .name = "AntiKeyGained", .anti = true, .key = "zone", .before = kAaaA, .after = kZone1, .wakes = false},
        NodeCase{.name = "AntiKeyLost", .anti = true, .key = "zone", .before = kZone1, .after = kAaaA, .wakes = true},
        // Not upstream's:
        NodeCase{.name = "KeyLost", .anti = false, .key = "zone", .before = kZone1, .after = kAaaA, .wakes = false}),
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
