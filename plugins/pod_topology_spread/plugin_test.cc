// Default constraints, special cases, errors, raw scores, and args.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spreading.h"

namespace {

using namespace spreading;  // NOLINT: the names are made for this
using testing::ElementsAre;
using testing::IsEmpty;

const char* const kZones = "a zone=zone1; b zone=zone1; x zone=zone2";

FakeObject Service(const char* selector) {
  return FakeObject("service", "default").Spec(std::string(R"({"selector": )") + selector + "}");
}
FakeObject Owner(const char* selector, const char* name = "owner") {
  return FakeObject(name, "default").Spec(std::string(R"({"selector": )") + selector + "}");
}
std::map<std::string, Outcome> Filtered(Plugin& plugin, const FakePod& pod) {
  auto attempt = plugin.Try(pod);
  if (!attempt->PreFilter().ok()) return {};
  return attempt->Filter().nodes;
}
Scores Raw(Plugin& plugin, const FakePod& pod, const Texts& nodes = {}) {
  auto attempt = plugin.Try(pod);
  return attempt->PreScore(nodes).ok() ? attempt->Score(nodes).nodes : Scores();
}

// ---- pods with and without constraints

TEST(PodTopologySpread, PodsWithoutConstraintsAreSkipped) {
  Plugin plugin(kZones, "");
  ASSERT_TRUE(plugin.Start().ok());
  EXPECT_EQ(plugin.Try(FakePod("p"))->PreFilter().code, BERTH_SKIP);  // TestPreFilterState "skip if not specified"
  EXPECT_EQ(plugin.Try(FakePod("p"))->PreScore().code, BERTH_SKIP);
  EXPECT_EQ(plugin.Try(Spreading("", {Soft(1, "zone", kFoo)}).Build())->PreFilter().code, BERTH_SKIP);
  EXPECT_EQ(plugin.Try(Spreading("", {Hard(1, "zone", kFoo)}).Build())->PreScore().code, BERTH_SKIP);
}

TEST(PodTopologySpread, FilterWithoutPreFilterIsAnError) {
  Plugin plugin(kZones, "");
  ASSERT_TRUE(plugin.Start().ok());
  const FilterOutcome outcome = plugin.Try(FakePod("p"))->Filter();
  EXPECT_EQ(outcome.code, BERTH_ERROR);
  EXPECT_THAT(outcome.reasons, ElementsAre("reading \"PreFilterPodTopologySpread\" from cycleState: not found"));
}

TEST(PodTopologySpread, InvalidSelectorsAreErrors) {
  Plugin plugin(kZones, "");
  ASSERT_TRUE(plugin.Start().ok());
  const FakeSelector broken{{}, {{"foo", "Near", {}}}};
  const Spreading hard("foo", {Soft(1, "zone", kFoo), Hard(1, "zone", kFoo), Hard(1, "zone", broken)});
  const std::string why = "\"Near\" is not a valid label selector operator";
  EXPECT_THAT(plugin.Try(hard.Build())->PreFilter().reasons,
              ElementsAre("get constraints from pod: obtaining pod's hard topology spread constraints: " + why));
  EXPECT_TRUE(plugin.Try(hard.Build())->PreScore().ok()) << "the other action's selector is not looked at";
  EXPECT_THAT(plugin.Try(Spreading("foo", {Soft(1, "zone", broken)}).Build())->PreScore().reasons,
              ElementsAre("calculating preScoreState: obtaining pod's soft topology spread constraints: " + why));
}

TEST(PodTopologySpread, FiltersInParallel) {
  std::string nodes = "n0 zone=z0", pods = "n0 foo";
  for (int i = 1; i < 200; ++i) nodes += "; n" + std::to_string(i) + " zone=z" + std::to_string(i % 4);
  for (int i = 1; i < 100; ++i) pods += "; n" + std::to_string(i) + " foo";
  Plugin plugin(nodes, pods + "; n0 foo");
  ASSERT_TRUE(plugin.Start().ok());
  auto attempt = plugin.Try(Spreading("foo", {Hard(1, "zone", kFoo)}).Build());
  ASSERT_TRUE(attempt->PreFilter().ok());
  EXPECT_EQ(attempt->FilterInParallel(4).nodes, attempt->Filter().nodes);
  EXPECT_EQ(attempt->Filter().nodes.at("n4"), Reject('-'));
  EXPECT_EQ(attempt->Filter().nodes.at("n5"), Reject('+'));
}

// ---- default constraints

// TestPreFilterState "default constraints and a service" and the cases next to it; a ReplicaSet's pods with a Service.
TEST(PodTopologySpread, DefaultConstraintsTakeTheServicesSelector) {
  const FakeValue args = List({Default(2, "zone", "DoNotSchedule"), Default(1, "rack", "ScheduleAnyway")});
  Plugin plugin(kZones, "a foo=bar baz=kar; b foo=bar", args);
  ASSERT_TRUE(plugin.Start().ok());
  const FakePod pod = FakePod("p").Label("foo", "bar").Label("baz", "kar");
  EXPECT_EQ(plugin.Try(pod)->PreFilter().code, BERTH_SKIP) << "nothing selects it";
  plugin.Put("v1/services", Service(R"({"foo": "no"})"));
  EXPECT_EQ(plugin.Try(pod)->PreFilter().code, BERTH_SKIP) << "the Service does not select it";
  plugin.Put("v1/services", Service(R"({"foo": "bar"})"));
  EXPECT_EQ(Filtered(plugin, pod).at("a"), Reject('-'));
  EXPECT_EQ(Filtered(plugin, pod).at("x"), Reject('+'));
  plugin.Put("v1/services", Service(R"({"foo": "bar", "baz": "kar"})"));
  EXPECT_EQ(Filtered(plugin, pod).at("a"), Reject('+')) << "one pod is like it";
  plugin.Delete("v1/services", "service", "default");
  EXPECT_EQ(plugin.Try(pod)->PreFilter().code, BERTH_SKIP);
}

TEST(PodTopologySpread, OwnConstraintsReplaceTheDefaults) {
  Plugin plugin(kZones, "", List({Default(1, "zone", "DoNotSchedule")}));
  plugin.Put("v1/services", Service(R"({"foo": ""})"));
  ASSERT_TRUE(plugin.Start().ok());
  EXPECT_EQ(plugin.Try(Spreading("foo", {Soft(1, "zone", kFoo)}).Build())->PreFilter().code, BERTH_SKIP);
  const auto nodes = Filtered(plugin, Spreading("foo", {Hard(1, "node", kFoo)}).Build());
  EXPECT_EQ(nodes.at("a"), Reject('!'));
}

struct OwnerCase {
  const char* name;
  const char* kind;  // of the store
  const char* selector;
  FakePod pod;
  bool selects;
};
class DefaultSelectorOf : public testing::TestWithParam<OwnerCase> {};

TEST_P(DefaultSelectorOf, Owner) {
  Plugin plugin(kZones, "a foo=bar", List({Default(1, "zone", "DoNotSchedule")}));
  plugin.Put(GetParam().kind, Owner(GetParam().selector));
  ASSERT_TRUE(plugin.Start().ok());
  const FakePod pod = FakePod(GetParam().pod).Label("foo", "bar");
  if (GetParam().selects) {
    EXPECT_EQ(Filtered(plugin, pod).at("b"), Reject('-'));
  } else {
    EXPECT_EQ(plugin.Try(pod)->PreFilter().code, BERTH_SKIP);
  }
}

const char* const kLabels = R"({"matchLabels": {"foo": "bar"}})";
INSTANTIATE_TEST_SUITE_P(
    Kinds, DefaultSelectorOf,
    testing::Values(OwnerCase{.name = "ReplicaSet",
                              .kind = "apps/v1/replicasets",
                              .selector = kLabels,
                              .pod = FakePod("p").Controller("ReplicaSet", "owner"),
                              .selects = true},
                    OwnerCase{.name = "Expressions",
                              .kind = "apps/v1/replicasets",
                              .selector = R"({"matchExpressions": [{"key": "foo", "operator": "Exists"}]})",
                              .pod = FakePod("p").Controller("ReplicaSet", "owner"),
                              .selects = true},
                    OwnerCase{.name = "StatefulSet",
                              .kind = "apps/v1/statefulsets",
                              .selector = kLabels,
                              .pod = FakePod("p").Controller("StatefulSet", "owner"),
                              .selects = true},
                    OwnerCase{.name = "ReplicationController",
                              .kind = "v1/replicationcontrollers",
                              .selector = R"({"foo": "bar"})",
                              .pod = FakePod("p").Controller("ReplicationController", "owner", "v1"),
                              .selects = true},
                    OwnerCase{.name = "OtherGroup",
                              .kind = "apps/v1/replicasets",
                              .selector = kLabels,
                              .pod = FakePod("p").Controller("ReplicaSet", "owner", "extensions/v1beta1"),
                              .selects = false},
                    OwnerCase{.name = "OtherKind",
                              .kind = "apps/v1/replicasets",
                              .selector = kLabels,
                              .pod = FakePod("p").Controller("DaemonSet", "owner"),
                              .selects = false},
                    OwnerCase{.name = "OtherName",
                              .kind = "apps/v1/replicasets",
                              .selector = kLabels,
                              .pod = FakePod("p").Controller("ReplicaSet", "other"),
                              .selects = false},
                    OwnerCase{.name = "NoOwner",
                              .kind = "apps/v1/replicasets",
                              .selector = kLabels,
                              .pod = FakePod("p"),
                              .selects = false},
                    OwnerCase{.name = "EmptySelector",
                              .kind = "apps/v1/replicasets",
                              .selector = "{}",
                              .pod = FakePod("p").Controller("ReplicaSet", "owner"),
                              .selects = false},
                    OwnerCase{.name = "NilSelector",
                              .kind = "apps/v1/replicasets",
                              .selector = "null",
                              .pod = FakePod("p").Controller("ReplicaSet", "owner"),
                              .selects = false},
                    OwnerCase{.name = "BrokenSelector",
                              .kind = "apps/v1/replicasets",
                              .selector = R"({"matchExpressions": [{"key": "foo", "operator": "Near"}]})",
                              .pod = FakePod("p").Controller("ReplicaSet", "owner"),
                              .selects = false}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(PodTopologySpread, ServiceAndOwnerAreBothAskedFor) {
  Plugin plugin(kZones, "a app=web; a app=web hash=1; b app=web hash=2", List({Default(1, "zone", "DoNotSchedule")}));
  plugin.Put("v1/services", Service(R"({"app": "web"})"));
  plugin.Put("apps/v1/replicasets", Owner(R"({"matchLabels": {"hash": "1"}})"));
  ASSERT_TRUE(plugin.Start().ok());
  const FakePod pod = FakePod("p").Label("app", "web").Label("hash", "1").Controller("ReplicaSet", "owner");
  EXPECT_EQ(Filtered(plugin, pod).at("a"), Reject('-')) << "1 + 1 - 0 > 1";
  plugin.Put("apps/v1/replicasets", Owner(R"({"matchLabels": {"hash": "3"}})"));
  EXPECT_EQ(Filtered(plugin, pod).at("a"), Reject('+')) << "the owner has changed, and no pod matches";
}

// The plugin releases the selectors that it kept.
TEST(PodTopologySpread, KeptSelectorsAreDropped) {
  Plugin plugin(kZones, "", List({Default(1, "zone", "DoNotSchedule")}));
  plugin.Put("v1/services", Service(R"({"foo": "bar"})"));
  plugin.Put("apps/v1/replicasets", Owner(kLabels));
  ASSERT_TRUE(plugin.Start().ok());
  const FakePod pod = FakePod("p").Label("foo", "bar").Controller("ReplicaSet", "owner");
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(Filtered(plugin, pod).size(), 3u);
    EXPECT_EQ(plugin.host().matching().kept(), 2u);
    plugin.Put("apps/v1/replicasets", Owner(kLabels));
    plugin.Put("v1/services", Service(R"({"foo": "bar"})"));
  }
  plugin.Stop();
  EXPECT_EQ(plugin.host().matching().kept(), 0u);
}

// TestPreScoreSkip "default constraints and a replicaset that doesn't match"
TEST(PodTopologySpread, NoScoreWhenNothingSelectsThePod) {
  Plugin plugin("a planet=mars", "", List({Default(2, "planet", "ScheduleAnyway")}));
  plugin.Put("apps/v1/replicasets", Owner(R"({"matchExpressions": [{"key": "tar", "operator": "Exists"}]})", "rs1"));
  ASSERT_TRUE(plugin.Start().ok());
  const FakePod pod = FakePod("p").Label("foo", "bar").Label("baz", "sup").Controller("ReplicaSet", "rs2");
  EXPECT_EQ(plugin.Try(pod)->PreScore().code, BERTH_SKIP);
}

// ---- quirks of the filter

// An empty selector matches every pod, including the incoming one, but none is counted; a nil one matches none. Trials
// change an empty selector's counts nevertheless.
TEST(PodTopologySpread, EmptyAndNilSelectors) {
  Plugin plugin(kZones, "a foo; a foo; b foo");
  ASSERT_TRUE(plugin.Start().ok());
  const auto fits = [&](int skew, const FakeSelector& selector) {
    return Filtered(plugin, Spreading("foo", {Hard(skew, "zone", selector)}).Build()).at("a").ok();
  };
  EXPECT_TRUE(fits(1, kEverything)) << "0 + 1 - 0";
  EXPECT_FALSE(fits(0, kEverything)) << "the pod matches itself";
  EXPECT_TRUE(fits(0, kNil)) << "it does not";
  auto attempt = plugin.Try(Spreading("foo", {Hard(1, "zone", kEverything)}).Build());
  ASSERT_TRUE(attempt->PreFilter().ok());
  auto trial = attempt->Trial();
  ASSERT_TRUE(trial->AddPod(FakePod("new"), "a").ok());
  EXPECT_EQ(trial->Filter({"a"}).nodes.at("a"), Reject('-'));
}

// A terminating pod does not count, but a trial that removes it subtracts it.
TEST(PodTopologySpread, TerminatingPodIsSubtractedAllTheSame) {
  Plugin plugin(kZones, "a foo; a foo terminating; x foo");
  ASSERT_TRUE(plugin.Start().ok());
  auto attempt = plugin.Try(Spreading("foo", {Hard(0, "zone", kFoo)}).Build());
  ASSERT_TRUE(attempt->PreFilter().ok());
  EXPECT_EQ(attempt->Filter({"a"}).nodes.at("a"), Reject('-')) << "1 + 1 - 1 > 0";
  auto trial = attempt->Trial();
  ASSERT_TRUE(trial->RemovePod(FakePod("on-2").Label("foo", "").Terminating(), "a").ok());
  EXPECT_EQ(trial->Filter({"a"}).nodes.at("a"), Reject('-')) << "0 + 1 - 0 > 0";
  ASSERT_TRUE(trial->RemovePod(FakePod("on-1").Label("foo", ""), "a").ok());
  EXPECT_EQ(trial->Filter({"x"}).nodes.at("x"), Reject('-'));
}

// Neither the attempt nor another trial sees the changes of a trial.
TEST(PodTopologySpread, TrialsAreApart) {
  Plugin plugin(kZones, "a foo; x foo");
  ASSERT_TRUE(plugin.Start().ok());
  auto attempt = plugin.Try(Spreading("foo", {Hard(1, "zone", kFoo)}).Build());
  ASSERT_TRUE(attempt->PreFilter().ok());
  auto one = attempt->Trial(), other = attempt->Trial();
  ASSERT_TRUE(one->AddPod(FakePod("new").Label("foo", ""), "a").ok());
  ASSERT_TRUE(other->RemovePod(FakePod("on-2").Label("foo", ""), "x").ok());
  EXPECT_EQ(one->Filter({"a"}).nodes.at("a"), Reject('-'));
  EXPECT_EQ(other->Filter({"a"}).nodes.at("a"), Reject('-'));
  EXPECT_EQ(other->Filter({"x"}).nodes.at("x"), Reject('+'));
  EXPECT_EQ(attempt->Filter({"a"}).nodes.at("a"), Reject('+'));
}

// Domains without an eligible node: the minimum is 0, and no pod is rejected for it.
TEST(PodTopologySpread, NoEligibleDomain) {
  Plugin plugin(kZones, "a foo; a foo");
  ASSERT_TRUE(plugin.Start().ok());
  const auto nodes = Filtered(plugin, Spreading("foo", {Hard(1, "zone", kFoo)}).NodeSelector("no", "where").pod);
  EXPECT_TRUE(nodes.empty()) << "a pod without its constraints";
  auto pod = Spreading("foo", {Hard(1, "zone", kFoo)}).NodeSelector("no", "where").Build();
  for (const auto& [node, outcome] : Filtered(plugin, pod)) EXPECT_EQ(outcome, Reject('+')) << node;
}

// ---- raw scores

TEST(PodTopologySpread, RawScores) {
  Plugin plugin("a host=a; b host=b; c host=c; d host=d", "a foo; a foo; b foo; d foo; d foo; d foo");
  ASSERT_TRUE(plugin.Start().ok());
  EXPECT_EQ(Raw(plugin, Spreading("foo", {Soft(1, kHost, kFoo)}).Build()),
            (Scores{{"a", 4}, {"b", 2}, {"c", 0}, {"d", 5}}));
  EXPECT_EQ(Raw(plugin, Spreading("foo", {Soft(2, kHost, kFoo)}).Build()),
            (Scores{{"a", 5}, {"b", 3}, {"c", 1}, {"d", 6}}));
}

// System defaults. c has no zone: it scores nothing for it, but counts as a bucket.
TEST(PodTopologySpread, SystemDefaults) {
  const char* const zone = "topology.kubernetes.io/zone";
  for (const bool labelled : {true, false}) {
    Plugin plugin(std::string("a host=a ") + zone + "=1; b host=b " + zone + "=1; c host=c" +
                      (labelled ? std::string(" ") + zone + "=2" : ""),
                  "a foo; a foo; b foo", std::nullopt);
    plugin.Put("v1/services", Service(R"({"foo": ""})"));
    ASSERT_TRUE(plugin.Start().ok());
    const FakePod pod = FakePod("p").Label("foo", "");
    EXPECT_EQ(plugin.Try(pod)->PreFilter().code, BERTH_SKIP);
    if (!labelled) {
      EXPECT_EQ(Raw(plugin, pod), (Scores{{"a", 13}, {"b", 12}, {"c", 2}}));
    }
    auto attempt = plugin.Try(pod);
    ASSERT_TRUE(attempt->PreScore().ok());
    EXPECT_EQ(attempt->Normalize(attempt->Score().nodes).nodes,
              labelled ? (Scores{{"a", 46}, {"b", 53}, {"c", 100}}) : (Scores{{"a", 15}, {"b", 23}, {"c", 100}}));
  }
}

// Upstream reads a missing label as "", so these nodes' pods count for nodes with the value "".
TEST(PodTopologySpread, SystemDefaultsJoinTheEmptyValue) {
  const char* const zone = "topology.kubernetes.io/zone";
  Plugin plugin(std::string("a ") + zone + "=; b ; c " + zone + "=1", "a foo; b foo; b foo", std::nullopt);
  plugin.Put("v1/services", Service(R"({"foo": ""})"));
  ASSERT_TRUE(plugin.Start().ok());
  // Two buckets, "" with three pods and "1" with none: a = 3 ln 4 + 4, b has neither label, c = 4.
  EXPECT_EQ(Raw(plugin, FakePod("p").Label("foo", "")), (Scores{{"a", 8}, {"b", 0}, {"c", 4}}));
}

// If no pod matches, all nodes score the same, except for nodes without a required key.
TEST(PodTopologySpread, UniformScores) {
  Plugin plugin("a host=a zone=1; b host=b zone=2; c host=c", "a bar");
  ASSERT_TRUE(plugin.Start().ok());
  const FakePod pod = Spreading("foo", {Soft(3, kHost, kFoo), Soft(5, "zone", kFoo)}).Build();
  auto attempt = plugin.Try(pod);
  ASSERT_TRUE(attempt->PreScore({"a", "b"}).ok());
  const auto score = attempt->Score({"a", "b"});
  EXPECT_TRUE(score.uniform);
  EXPECT_EQ(score.nodes, (Scores{{"a", 6}, {"b", 6}}));
  EXPECT_EQ(attempt->Normalize(score.nodes).nodes, (Scores{{"a", 100}, {"b", 100}}));
  ASSERT_TRUE(attempt->PreScore().ok());
  EXPECT_EQ(attempt->Score().nodes, (Scores{{"a", 6}, {"b", 6}, {"c", 0}}));
  EXPECT_EQ(attempt->Normalize({{"a", 6}, {"b", 6}, {"c", 0}}).nodes, (Scores{{"a", 100}, {"b", 100}, {"c", 0}}));
}

// Wide ranges are divided one by one.
TEST(PodTopologySpread, NormalizesWideRanges) {
  Plugin plugin("a host=a; b host=b; c host=c", "");
  ASSERT_TRUE(plugin.Start().ok());
  auto attempt = plugin.Try(Spreading("foo", {Soft(1, kHost, kFoo)}).Build());
  ASSERT_TRUE(attempt->PreScore().ok());
  EXPECT_EQ(attempt->Normalize({{"a", 3}, {"b", 1000}, {"c", 100000}}).nodes,
            (Scores{{"a", 100}, {"b", 99}, {"c", 0}}));
  EXPECT_EQ(attempt->Normalize({{"a", 0}, {"b", 0}, {"c", 0}}).nodes, (Scores{{"a", 100}, {"b", 100}, {"c", 100}}));
}

// ---- args

FakeValue Constraint(std::vector<FakeValue::Member> members) { return FakeValue::Object(std::move(members)); }

TEST(PodTopologySpreadArgs, Complete) {
  Plugin plugin("", "");
  EXPECT_EQ(plugin.Complete(FakeValue::Object()).json, R"({"defaultingType":"System"})");
  EXPECT_EQ(plugin.Complete(FakeValue::Object({{"defaultingType", ""}})).json, R"({"defaultingType":"System"})");
  EXPECT_EQ(plugin.Complete(List({Default(2, "planet", "DoNotSchedule")})).json,
            R"({"defaultConstraints":[{"maxSkew":2,"topologyKey":"planet","whenUnsatisfiable":"DoNotSchedule"}],)"
            R"("defaultingType":"List"})");
  const FakeValue more = Constraint({{"maxSkew", 1},
                                     {"topologyKey", "zone"},
                                     {"whenUnsatisfiable", "ScheduleAnyway"},
                                     {"minDomains", 2},
                                     {"nodeTaintsPolicy", "Honor"},
                                     {"matchLabelKeys", FakeValue::Array({"app"})}});
  EXPECT_EQ(plugin.Complete(List({more})).json,
            R"({"defaultConstraints":[{"maxSkew":1,"topologyKey":"zone","whenUnsatisfiable":"ScheduleAnyway",)"
            R"("minDomains":2,"nodeTaintsPolicy":"Honor","matchLabelKeys":["app"]}],"defaultingType":"List"})");
  EXPECT_THAT(plugin.Complete(FakeValue::Object({{"defaultType", "List"}})).Errors(),
              ElementsAre("defaultType: unknown field \"defaultType\""));
  EXPECT_THAT(plugin.Complete(List({Constraint({{"maxSkew", "1"}})})).Errors(),
              ElementsAre("defaultConstraints[0].maxSkew: json: cannot unmarshal string into Go struct field "
                          "TopologySpreadConstraint.defaultConstraints.maxSkew of type int32"));
}

// ValidatePodTopologySpreadArgs
TEST(PodTopologySpreadArgs, Check) {
  Plugin plugin("", "");
  EXPECT_THAT(plugin.Check(List({Default(1, "node", "DoNotSchedule"), Default(2, "zone", "ScheduleAnyway")})).Errors(),
              IsEmpty());
  EXPECT_THAT(plugin.Check(FakeValue::Object({{"defaultingType", "Foo"}})).Errors(),
              ElementsAre("defaultingType: Unsupported value: \"Foo\": supported values: \"System\", \"List\""));
  FakeValue system = FakeValue::Object(
      {{"defaultingType", "System"}, {"defaultConstraints", FakeValue::Array({Default(1, "zone", "DoNotSchedule")})}});
  EXPECT_THAT(plugin.Check(system).Errors(),
              ElementsAre("defaultingType: Invalid value: \"System\": when .defaultConstraints are not empty"));
  const FakeValue wrong =
      Constraint({{"maxSkew", -1}, {"whenUnsatisfiable", "Unknown"}, {"labelSelector", FakeValue::Object()}});
  EXPECT_THAT(plugin.Check(List({wrong, Default(1, "a b", "")})).Errors(),
              ElementsAre("defaultConstraints[0].maxSkew: Invalid value: -1: not in valid range (0, inf)",
                          "defaultConstraints[0].topologyKey: Required value: can not be empty",
                          "defaultConstraints[0].whenUnsatisfiable: Unsupported value: \"Unknown\": supported values: "
                          "\"DoNotSchedule\", \"ScheduleAnyway\"",
                          "defaultConstraints[0].labelSelector: Forbidden: constraint must not define a selector, as "
                          "they deduced for each pod",
                          testing::StartsWith("defaultConstraints[1].topologyKey: Invalid value: \"a b\": name part "
                                              "must consist of alphanumeric characters"),
                          "defaultConstraints[1].whenUnsatisfiable: Required value: can not be empty"));
  EXPECT_THAT(plugin
                  .Check(List({Default(1, "zone", "DoNotSchedule"), Default(2, "zone", "DoNotSchedule"),
                               Default(2, "zone", "DoNotSchedule")}))
                  .Errors(),
              ElementsAre("defaultConstraints[1]: Duplicate value: \"{zone, DoNotSchedule}\"",
                          "defaultConstraints[2]: Duplicate value: \"{zone, DoNotSchedule}\""));
}

}  // namespace
