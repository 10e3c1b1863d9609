// The values and case names of Kubernetes 1.22's
// pkg/scheduler/framework/plugins/selectorspread/selector_spread_test.go. The pod's namespace, which is empty in some
// of its cases, is "default" here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <berth/testing/plugin_under_test.hpp>

#include <cctype>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "berth/entry.h"

namespace {

using namespace berth::sdk::testing;  // NOLINT: tests use the fake host's names

// "foo=bar baz=blah" as pairs.
std::vector<std::pair<std::string, std::string>> Pairs(const std::string& text) {
  std::vector<std::pair<std::string, std::string>> pairs;
  std::istringstream in(text);
  for (std::string word; in >> word;)
    pairs.emplace_back(word.substr(0, word.find('=')), word.substr(word.find('=') + 1));
  return pairs;
}
FakePod Labelled(FakePod pod, const std::string& labels) {
  for (const auto& [key, value] : Pairs(labels)) pod.Label(key, value);
  return pod;
}
FakeValue Map(const std::string& labels) {
  std::vector<FakeValue::Member> members;
  for (const auto& [key, value] : Pairs(labels)) members.emplace_back(key, value);
  return FakeValue::Object(std::move(members));
}
FakeObject Selecting(const char* name, FakeValue selector) {
  return FakeObject(name, "default").Set("spec", FakeValue::Object({{"selector", std::move(selector)}}));
}

const char* const kOne = "foo=bar baz=blah";
const char* const kTwo = "bar=foo baz=blah";

struct Existing {
  const char* node;
  const char* labels;
  const char* ns = "default";
  bool terminating = false;
};
struct Case {
  const char* name;
  const char* pod;  // its labels
  std::vector<Existing> pods;
  const char* service = nullptr;  // what it selects
  const char* owner = nullptr;    // the selector of the pod's owner
  std::vector<int64_t> want;      // in the order of the nodes
};

std::string CaseName(const char* name) {
  std::string out;
  for (const char* c = name; *c != 0; ++c) {
    if (std::isalnum(static_cast<unsigned char>(*c)) != 0) {
      out += *c;
    } else if (!out.empty() && out.back() != '_') {
      out += '_';
    }
  }
  return out;
}

struct Kind {
  const char* name;
  const char* api_version;
  const char* store;
  bool map;  // its selector is a plain map
};
constexpr Kind kKinds[] = {
    {.name = "ReplicationController", .api_version = "v1", .store = "v1/replicationcontrollers", .map = true},
    {.name = "ReplicaSet", .api_version = "apps/v1", .store = "apps/v1/replicasets", .map = false},
    {.name = "StatefulSet", .api_version = "apps/v1", .store = "apps/v1/statefulsets", .map = false}};

std::vector<int64_t> ScoresOf(PluginUnderTest& plugin, const FakePod& pod, const Texts& nodes) {
  auto attempt = plugin.Try(pod);
  EXPECT_TRUE(attempt->PreScore(nodes).ok());
  const Scores scores = attempt->Normalize(attempt->Score(nodes).nodes).nodes;
  std::vector<int64_t> in_order;
  for (const std::string& node : nodes) in_order.push_back(scores.at(node));
  return in_order;
}

void Expect(const Case& c, const Kind& kind, const std::vector<FakeNode>& nodes) {
  SCOPED_TRACE(kind.name);
  PluginUnderTest plugin(berth_entry_v1, "SelectorSpread");
  Texts names;
  for (const FakeNode& node : nodes) plugin.cluster().Add(node), names.push_back(node.name());
  for (const Existing& one : c.pods) {
    FakePod pod = Labelled(FakePod("p" + std::to_string(&one - c.pods.data())), one.labels).Namespace(one.ns);
    if (one.terminating) pod.Terminating();
    plugin.cluster().Add(pod, one.node);
  }
  if (c.service != nullptr) plugin.Put("v1/services", Selecting("s1", Map(c.service)));
  FakePod pod = Labelled(FakePod("waiting"), c.pod);
  if (c.owner != nullptr) {
    const FakeValue selector = kind.map ? Map(c.owner) : FakeValue::Object({{"matchLabels", Map(c.owner)}});
    plugin.Put(kind.store, Selecting("owner", selector));
    pod.Controller(kind.name, "owner", kind.api_version);
  }
  ASSERT_TRUE(plugin.Start().ok());
  EXPECT_EQ(ScoresOf(plugin, pod, names), c.want);
}

// TestSelectorSpreadScore. The cases with an owner are upstream's for each of the three kinds.
class SelectorSpreadScore : public testing::TestWithParam<Case> {};

TEST_P(SelectorSpreadScore, Nodes) {
  for (const Kind& kind : kKinds) Expect(GetParam(), kind, {FakeNode("node1"), FakeNode("node2")});
}

const Case kCases[] = {
    {.name = "nothing scheduled", .pod = "", .pods = {}, .want = {100, 100}},
    {.name = "no services", .pod = kOne, .pods = {{"node1", ""}}, .want = {100, 100}},
    {.name = "different services", .pod = kOne, .pods = {{"node1", kTwo}}, .service = "key=value", .want = {100, 100}},
    {.name = "two pods, one service pod",
     .pod = kOne,
     .pods = {{"node1", kTwo}, {"node2", kOne}},
     .service = kOne,
     .want = {100, 0}},
    {.name = "five pods, one service pod in no namespace",
     .pod = kOne,
     .pods = {{"node1", kTwo}, {"node1", kOne, "other"}, {"node1", kOne, "ns1"}, {"node2", kOne}, {"node2", kTwo}},
     .service = kOne,
     .want = {100, 0}},
    {.name = "four pods, one service pod in default namespace",
     .pod = kOne,
     .pods = {{"node1", kOne, "other"}, {"node1", kOne, "ns1"}, {"node2", kOne}, {"node2", kTwo, "other"}},
     .service = kOne,
     .want = {100, 0}},
    {.name = "five pods, one service pod in specific namespace",
     .pod = kOne,
     .pods = {{"node1", kTwo, "other"},
              {"node1", kOne, "other"},
              {"node1", kOne, "ns2"},
              {"node2", kOne},
              {"node2", kTwo, "other"}},
     .service = kOne,
     .want = {100, 0}},
    {.name = "three pods, two service pods on different nodes",
     .pod = kOne,
     .pods = {{"node1", kTwo}, {"node1", kOne}, {"node2", kOne}},
     .service = kOne,
     .want = {0, 0}},
    {.name = "four pods, three service pods",
     .pod = kOne,
     .pods = {{"node1", kTwo}, {"node1", kOne}, {"node2", kOne}, {"node2", kOne}},
     .service = kOne,
     .want = {50, 0}},
    {.name = "service with partial pod label matches",
     .pod = kOne,
     .pods = {{"node1", kTwo}, {"node1", kOne}, {"node2", kOne}},
     .service = "baz=blah",
     .want = {0, 50}},
    {.name = "service with partial pod label matches with service and owner",
     .pod = kOne,
     .pods = {{"node1", kTwo}, {"node1", kOne}, {"node2", kOne}},
     .service = "baz=blah",
     .owner = "foo=bar",
     .want = {0, 0}},
    {.name = "disjoined service and owner matches no pods",
     .pod = "foo=bar bar=foo",
     .pods = {{"node1", kTwo}, {"node1", kOne}, {"node2", kOne}},
     .service = "bar=foo",
     .owner = "foo=bar",
     .want = {100, 100}},
    {.name = "owner with partial pod label matches",
     .pod = kOne,
     .pods = {{"node1", kTwo}, {"node1", kOne}, {"node2", kOne}},
     .owner = "foo=bar",
     .want = {0, 0}},
    {.name = "another owner with partial pod label matches",
     .pod = kOne,
     .pods = {{"node1", kTwo}, {"node1", kOne}, {"node2", kOne}},
     .owner = "baz=blah",
     .want = {0, 50}},
    {.name = "terminating pods do not count",  // not upstream's
     .pod = kOne,
     .pods = {{.node = "node1", .labels = kOne, .ns = "default", .terminating = true}, {"node2", kOne}},
     .service = kOne,
     .want = {100, 0}}};
INSTANTIATE_TEST_SUITE_P(Upstream, SelectorSpreadScore, testing::ValuesIn(kCases),
                         [](const auto& info) { return CaseName(info.param.name); });

// TestZoneSelectorSpreadPriority
class SelectorSpreadZones : public testing::TestWithParam<Case> {};

FakeNode InZone(const char* name, const char* zone) {
  return FakeNode(name).Label("topology.kubernetes.io/zone", zone);
}

TEST_P(SelectorSpreadZones, Zones) {
  for (const Kind& kind : kKinds) {
    Expect(GetParam(), kind,
           {InZone("m1z1", "zone1"), InZone("m1z2", "zone2"), InZone("m2z2", "zone2"), InZone("m1z3", "zone3"),
            InZone("m2z3", "zone3"), InZone("m3z3", "zone3")});
  }
}

const char* const kL1 = "label1=l1 baz=blah";
const char* const kL2 = "label2=l2 baz=blah";
const Case kZoneCases[] = {
    {.name = "nothing scheduled", .pod = "", .pods = {}, .want = {100, 100, 100, 100, 100, 100}},
    {.name = "no services", .pod = kL1, .pods = {{"m1z1", ""}}, .want = {100, 100, 100, 100, 100, 100}},
    {.name = "different services",
     .pod = kL1,
     .pods = {{"m1z1", kL2}},
     .service = "key=value",
     .want = {100, 100, 100, 100, 100, 100}},
    {.name = "two pods, 0 matching",
     .pod = kL1,
     .pods = {{"m1z1", kL2}, {"m1z2", kL2}},
     .service = kL1,
     .want = {100, 100, 100, 100, 100, 100}},
    {.name = "two pods, 1 matching (in z2)",
     .pod = kL1,
     .pods = {{"m1z1", kL2}, {"m1z2", kL1}},
     .service = kL1,
     .want = {100, 0, 33, 100, 100, 100}},
    {.name = "five pods, 3 matching (z2=2, z3=1)",
     .pod = kL1,
     .pods = {{"m1z1", kL2}, {"m1z2", kL1}, {"m2z2", kL1}, {"m1z3", kL2}, {"m2z3", kL1}},
     .service = kL1,
     .want = {100, 0, 0, 66, 33, 66}},
    {.name = "four pods, 3 matching (z1=1, z2=1, z3=1)",
     .pod = kL1,
     .pods = {{"m1z1", kL1}, {"m1z2", kL1}, {"m2z2", kL2}, {"m1z3", kL1}},
     .service = kL1,
     .want = {0, 0, 33, 0, 33, 33}},
    {.name = "five pods, 4 matching (z1=1, z2=2, z3=1)",
     .pod = kL1,
     .pods = {{"m1z1", kL1}, {"m1z2", kL1}, {"m2z2", kL1}, {"m2z2", kL2}, {"m1z3", kL1}},
     .service = kL1,
     .want = {33, 0, 0, 33, 66, 66}},
    {.name = "Replication controller spreading (z1=0, z2=1, z3=2)",
     .pod = kL1,
     .pods = {{"m1z3", kL1}, {"m1z2", kL1}, {"m1z3", kL1}},
     .owner = kL1,
     .want = {100, 50, 66, 0, 33, 33}}};
INSTANTIATE_TEST_SUITE_P(Upstream, SelectorSpreadZones, testing::ValuesIn(kZoneCases),
                         [](const auto& info) { return CaseName(info.param.name); });

// "Another statefulset with TopologySpreadConstraints set in pod": upstream scores it 0 everywhere.
TEST(SelectorSpread, PodsWithConstraintsAreSkipped) {
  PluginUnderTest plugin(berth_entry_v1, "SelectorSpread");
  plugin.cluster().Add(FakeNode("node1"));
  ASSERT_TRUE(plugin.Start().ok());
  EXPECT_EQ(plugin.Try(FakePod("p").Spread({.key = "foo"}))->PreScore().code, BERTH_SKIP);
}

// The same zone in two regions is two zones. A region alone is a zone. The beta labels take precedence. A node without
// these labels is scored by itself, next to nodes in zones.
TEST(SelectorSpread, ZoneOfANode) {
  const char *const zone = "topology.kubernetes.io/zone", *const region = "topology.kubernetes.io/region",
                    *const beta = "failure-domain.beta.kubernetes.io/zone";
  PluginUnderTest plugin(berth_entry_v1, "SelectorSpread");
  plugin.cluster()
      .Add(FakeNode("a").Label(zone, "1").Label(region, "r"))
      .Add(FakeNode("b").Label(zone, "1").Label(region, "s"))
      .Add(FakeNode("c").Label(region, "r"))
      .Add(FakeNode("d").Label(beta, "1").Label(zone, "2").Label(region, "r"))
      .Add(FakeNode("e"))
      .Add(FakeNode("f").Label(zone, "").Label(region, ""))
      .Add(Labelled(FakePod("like"), kOne), "a")
      .Add(Labelled(FakePod("like-too"), kOne), "e");
  plugin.Put("v1/services", Selecting("s1", Map(kOne)));
  ASSERT_TRUE(plugin.Start().ok());
  EXPECT_EQ(ScoresOf(plugin, Labelled(FakePod("p"), kOne), {"a", "b", "c", "d", "e", "f"}),
            (std::vector<int64_t>{0, 100, 100, 33, 0, 100}));
}

// Only scored nodes count for a zone.
TEST(SelectorSpread, OtherNodesDoNotCount) {
  PluginUnderTest plugin(berth_entry_v1, "SelectorSpread");
  plugin.cluster()
      .Add(InZone("a", "1"))
      .Add(InZone("full", "1"))
      .Add(InZone("b", "2"))
      .Add(Labelled(FakePod("like"), kOne), "full")
      .Add(Labelled(FakePod("like-too"), kOne), "b");
  plugin.Put("v1/services", Selecting("s1", Map(kOne)));
  ASSERT_TRUE(plugin.Start().ok());
  EXPECT_EQ(ScoresOf(plugin, Labelled(FakePod("p"), kOne), {"a", "b"}), (std::vector<int64_t>{100, 0}));
}

}  // namespace
