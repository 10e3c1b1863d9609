// Domains and sets of pods through the C++ layer and the fake host.
#include <gmock/gmock.h>

#include "berth/domains.hpp"
#include "berth/pod_sets.hpp"
#include "entries.h"

namespace berth::sdk::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Scores a node by the number of pods of the pod's app in its zone; records what the host shows it.
struct Counter {
  static constexpr Info kInfo{.name = "counter"};
  static Counter*& self() {
    static Counter* self = nullptr;
    return self;
  }
  explicit Counter(Host& h) : domains(h), pod_sets(h), zone(h.Intern("zone")), app(h.Intern("app")) { self() = this; }

  Status PreFilter(Cycle& c, const Pod& pod) {
    zones = domains.Of(c.snap(), zone);
    const berth_kv pair{app, pod.labels().Get(app)};
    PodMatch same;
    same.In(pod->ns).Labels(std::span(&pair, 1));
    const PodCounts staying = pod_sets.Counts(c.snap(), PodSet(same, BERTH_POD_SET_NOT_DELETED));
    per_zone.assign(zones.size(), 0);
    per_zone_going.assign(zones.size(), 0);
    const PodCounts all = pod_sets.Counts(c.snap(), PodSet(same));
    for (uint32_t row = 0; row < c.snap().rows(); ++row) {
      if (!zones.Has(row)) continue;
      per_zone[zones[row]] += staying[row];
      per_zone_going[zones[row]] += all[row] - staying[row];
    }
    total = all.total();
    return Status::Ok();
  }
  Status PreScore(Cycle& c, const Pod& pod, Rows) {
    const std::vector<PodMatch> terms = TermsOf(pod);
    required = pod_sets.Counts(c.snap(), PodSet(terms)).total();
    return Status::Ok();
  }
  int64_t Score(Cycle& c, const Pod& pod, Node node) {
    int64_t n = 0;
    const std::vector<PodMatch> terms = TermsOf(pod);
    for (const Pod other : c.snap().Pods(node.row())) n += pod_sets.Contains(PodSet(terms), other) ? 1 : 0;
    return n;
  }
  static std::vector<PodMatch> TermsOf(const Pod& pod) {
    std::vector<PodMatch> terms;
    for (const berth_pod_term& term : List<berth_pod_term>(pod->pod_affinity->required)) {
      terms.emplace_back().In(List<Id>(term.namespaces)).Selector(term.selector);
    }
    return terms;
  }

  DomainColumns domains;
  PodSets pod_sets;
  Id zone, app;
  Domains zones;
  std::vector<int32_t> per_zone, per_zone_going;
  int64_t total = 0, required = 0;
};

class CountsTest : public ::testing::Test {
 protected:
  CountsTest() : plugin(TestPlugin<Counter>()) {
    plugin.cluster()
        .Add(FakeNode("n1").Label("zone", "a"))
        .Add(FakeNode("n2").Label("zone", "b"))
        .Add(FakeNode("n3").Label("zone", "a"))
        .Add(FakeNode("n4"))
        .Add(Web("p1"), "n1")
        .Add(Web("p2"), "n3")
        .Add(Web("p3").Terminating(), "n3")
        .Add(Web("p4").Namespace("other"), "n2")
        .Add(Web("p5"), "n4")
        .Add(FakePod("p6"), "n2");
  }
  static FakePod Web(const std::string& name) { return FakePod(name).Label("app", "web"); }
  Counter& self() { return *Counter::self(); }
  PluginUnderTest plugin;
};

TEST_F(CountsTest, ArePerRowAndPerDomain) {
  ASSERT_TRUE(plugin.Start().ok());
  const auto attempt = plugin.Try(Web("new"));  // the domains live as long as the attempt
  ASSERT_TRUE(attempt->PreFilter().ok());
  std::map<std::string, int32_t> staying, going;
  std::map<std::string, uint32_t> nodes;
  for (uint32_t i = 0; i < self().zones.size(); ++i) {
    const std::string zone = TextOf(self().zones.Value(i));
    staying[zone] = self().per_zone[i];
    going[zone] = self().per_zone_going[i];
    nodes[zone] = self().zones.Nodes(i);
  }
  EXPECT_EQ(staying["a"], 2);
  EXPECT_EQ(staying["b"], 0);
  EXPECT_EQ(going["a"], 1);
  EXPECT_EQ(nodes["a"], 2u);
  EXPECT_EQ(nodes["b"], 1u);
  EXPECT_EQ(nodes.size(), 3u) << "one of them is a domain without nodes";
  EXPECT_EQ(self().total, 4) << "also on nodes without the key";
  EXPECT_THAT(plugin.Violations(), IsEmpty());
}

TEST_F(CountsTest, NumberingChangesWithTheMeaning) {
  ASSERT_TRUE(plugin.Start().ok());
  ASSERT_TRUE(plugin.Try(Web("new"))->PreFilter().ok());
  const uint64_t numbering = self().zones.numbering();
  plugin.cluster().Add(Web("p7"), "n1");
  ASSERT_TRUE(plugin.Try(Web("new"))->PreFilter().ok());
  EXPECT_EQ(self().zones.numbering(), numbering);
  plugin.cluster().Add(FakeNode("n5").Label("zone", "c"));
  ASSERT_TRUE(plugin.Try(Web("new"))->PreFilter().ok());
  EXPECT_NE(self().zones.numbering(), numbering);
}

TEST_F(CountsTest, EveryTermMustHold) {
  plugin.cluster().Add(Web("p8").Label("tier", "front"), "n1");
  ASSERT_TRUE(plugin.Start().ok());
  const FakePodTerm web{"zone", {.labels = {{"app", "web"}}}, {"default", "other"}};
  const FakePodTerm front{"zone", {.expressions = {{"tier", "Exists", {}}}}, {"default"}};
  auto attempt = plugin.Try(FakePod("new").PodAffinity(web));
  ASSERT_TRUE(attempt->PreScore().ok());
  EXPECT_EQ(self().required, 6);
  attempt = plugin.Try(FakePod("new").PodAffinity(web).PodAffinity(front));
  ASSERT_TRUE(attempt->PreScore().ok());
  EXPECT_EQ(self().required, 1);
  EXPECT_EQ(attempt->Score().nodes.at("n1"), 1);
  EXPECT_EQ(attempt->Score().nodes.at("n3"), 0);
  EXPECT_THAT(plugin.Violations(), IsEmpty());
}

TEST_F(CountsTest, NoTermsIsEveryPod) {
  ASSERT_TRUE(plugin.Start().ok());
  ASSERT_TRUE(plugin.Try(FakePod("new"))->PreScore().ok());
  EXPECT_EQ(self().required, 6);
}

TEST_F(CountsTest, AHostMayLackThem) {
  plugin.host().Without(BERTH_SERVICE_DOMAINS);
  ASSERT_TRUE(plugin.Start().ok());
  const Outcome outcome = plugin.Try(Web("new"))->PreFilter();
  EXPECT_EQ(outcome.code, BERTH_ERROR);
  EXPECT_THAT(outcome.reasons, ElementsAre(HasSubstr("this host does not offer berth.host.domains/1: of")));
}

// ---- what the fake host catches

struct Careless {
  static constexpr Info kInfo{.name = "careless"};
  explicit Careless(Host& h) : domains(h), pod_sets(h), zone(h.Intern("zone")) {}
  int64_t Score(Cycle& c, const Pod&, Node) { return domains.Of(c.snap(), zone).size(); }
  Status PreFilter(Cycle& c, const Pod&) {
    berth_selector own{sizeof(berth_selector), 1, BERTH_SELECTOR_SET, {}, {}};
    PodMatch match;
    match.InEveryNamespace().Selector(&own);
    pod_sets.Counts(c.snap(), PodSet(match));
    return Status::Ok();
  }
  DomainColumns domains;
  PodSets pod_sets;
  Id zone;
};

TEST(CountsMistakes, AreReported) {
  PluginUnderTest plugin = TestPlugin<Careless>();
  plugin.cluster().Add(FakeNode("n1"));
  ASSERT_TRUE(plugin.Start().ok());
  auto attempt = plugin.Try(FakePod("p"));
  attempt->PreFilter();
  EXPECT_THAT(plugin.Violations(), ElementsAre(HasSubstr("a selector that is neither a pod's nor one the host keeps")));
  attempt->Score();
  EXPECT_THAT(plugin.Violations(), ::testing::Contains(HasSubstr("domains of() was called in Score")));
}

}  // namespace
}  // namespace berth::sdk::testing
