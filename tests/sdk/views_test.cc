// Views of the data that a host passes, also if its records are longer than those of this SDK.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>

#include "entries.h"

namespace berth::sdk::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

// ---- text and lists

TEST(TextTest, NullAndEmptyTextsAreTheEmptyView) {
  EXPECT_EQ(View({nullptr, 0}), "");
  EXPECT_NE(View({nullptr, 0}).data(), nullptr);
  EXPECT_EQ(View(Borrow("abc")), "abc");
}

// A record with the size that a newer host uses.
struct LongTaint {
  berth_taint taint;
  uint64_t more[2];
};

TEST(ListTest, TheStrideIsTheProviders) {
  const LongTaint taints[] = {{{1, 2, 3}, {~0ull, ~0ull}}, {{4, 5, 6}, {~0ull, ~0ull}}, {{7, 8, 9}, {~0ull, ~0ull}}};
  const List<berth_taint> list(berth_list{taints, 3, sizeof(LongTaint)});
  std::vector<Id> keys;
  for (const berth_taint& taint : list) keys.push_back(taint.key);
  EXPECT_THAT(keys, ElementsAre(1, 4, 7));
  EXPECT_EQ(list[2].effect, 9u);
  EXPECT_EQ(list.begin()[1].value, 5u);
  EXPECT_EQ((list.end() - 1)->key, 7u);
  EXPECT_EQ(list.end() - list.begin(), 3);
  EXPECT_LT(list.begin(), list.end());
  const auto found = std::find_if(list.begin(), list.end(), [](const berth_taint& t) { return t.key == 4; });
  EXPECT_EQ(found - list.begin(), 1);
}

TEST(ListTest, EmptyLists) {
  EXPECT_TRUE(List<berth_taint>().empty());
  const List<berth_taint> null(berth_list{nullptr, 0, 0});
  EXPECT_TRUE(null.begin() == null.end());
  EXPECT_EQ(null.end() - null.begin(), 0);
}

// ---- pods and nodes

TEST(PodTest, EveryFieldOfABuiltPod) {
  const auto object = FakePod("web-1")
                          .Namespace("shop")
                          .Priority(7)
                          .Node("n1")
                          .Label("tier", "front")
                          .Label("app", "web")
                          .Req({{"memory", 5}, {"cpu", 100}}, {{"cpu", 200}})
                          .InitReq({{"cpu", 900}})
                          .HostPort(80)
                          .Toleration("gpu", "Equal", "yes", "NoSchedule")
                          .NodeSelector("zone", "a")
                          .Gate("quota")
                          .Image("nginx:1")
                          .Build();
  const Pod pod(object->raw());
  EXPECT_EQ(pod.name(), "web-1");
  EXPECT_EQ(pod.uid(), "shop/web-1");
  EXPECT_EQ(TextOf(pod.ns()), "shop");
  EXPECT_EQ(pod.priority(), 7);
  EXPECT_EQ(pod->has, BERTH_POD_HAS_PRIORITY);
  EXPECT_EQ(TextOf(pod.node_name()), "n1");
  EXPECT_EQ(pod->nominated_node, kNoId);
  EXPECT_EQ(TextOf(pod.labels().Get(IdOf("app"))), "web");
  EXPECT_EQ(pod.labels().Get(IdOf("none")), kNoId);
  EXPECT_EQ(TextOf((*pod.labels().begin()).key), "app") << "sorted by key text";
  ASSERT_EQ(pod.containers().size(), 2u);
  EXPECT_EQ(pod.containers()[0].kind, BERTH_CONTAINER_INIT);
  const List<berth_amount> requests(pod.containers()[1].requests);
  EXPECT_EQ(TextOf(requests[0].name), "cpu");
  EXPECT_EQ(requests[1].value, 5);
  EXPECT_EQ(pod.host_ports()[0].port, 80);
  EXPECT_EQ(TextOf(pod.tolerations()[0].op), "Equal");
  EXPECT_EQ(pod.node_affinity().has, BERTH_NODE_AFFINITY_SELECTOR);
  EXPECT_EQ(TextOf(pod.gates()[0]), "quota");
  EXPECT_EQ(TextOf(List<Id>(pod.images().containers)[0]), "nginx:1");
  EXPECT_FALSE(Pod());
}

TEST(PodTest, WhatItSaysAboutOthers) {
  const FakeSelector web{.labels = {{"app", "web"}}};
  const auto object = FakePod("web-1")
                          .PodAffinity({.key = "zone", .selector = web})
                          .PodAntiAffinity({"host", {.expressions = {{"app", "In", {"db", "web"}}}}, {"a", "b"}}, 30)
                          .Spread({.key = "zone", .max_skew = 2, .selector = web, .match_label_keys = {"rev"}})
                          .ClaimVolume("data")
                          .Volume({BERTH_VOLUME_EPHEMERAL, "scratch"})
                          .Volume({.kind = BERTH_VOLUME_RBD, .handle = "img", .pool = "p", .monitors = {"m"}})
                          .Claim("gpu", "", "one-gpu")
                          .Controller("ReplicaSet", "web")
                          .Has(BERTH_POD_HAS_HOST_NETWORK)
                          .Started(5)
                          .ScheduledAt(4)
                          .PreemptionPolicy("Never")
                          .PriorityClass("high")
                          .Build();
  const Pod pod(object->raw());
  const berth_pod_affinity& affinity = pod.pod_affinity();
  EXPECT_EQ(affinity.has, BERTH_POD_AFFINITY_SET | BERTH_POD_ANTI_AFFINITY_SET);
  ASSERT_EQ(affinity.required.n, 1u);
  ASSERT_EQ(affinity.anti_preferred.n, 1u);
  EXPECT_EQ(affinity.preferred.n + affinity.anti_required.n, 0u);
  const berth_pod_term& required = List<berth_pod_term>(affinity.required)[0];
  const berth_pod_term& avoided = List<berth_pod_term>(affinity.anti_preferred)[0];
  EXPECT_EQ(TextOf(required.topology_key), "zone");
  EXPECT_EQ(required.namespace_selector->has, 0u) << "nil";
  EXPECT_EQ(avoided.weight, 30);
  EXPECT_EQ(TextOf(List<Id>(avoided.namespaces)[1]), "b");
  const auto& in = List<berth_label_requirement>(avoided.selector->expressions)[0];
  EXPECT_EQ(TextOf(in.op) + TextOf(List<Id>(in.values)[1]), "Inweb");
  const berth_spread_constraint& spread = pod.spread()[0];
  EXPECT_EQ(spread.selector->content, required.selector->content);
  EXPECT_EQ(spread.max_skew, 2);
  EXPECT_EQ(spread.min_domains, 1);
  EXPECT_EQ(spread.node_taints_policy, kNoId);
  EXPECT_EQ(TextOf(List<Id>(spread.match_label_keys)[0]), "rev");
  ASSERT_EQ(pod.volumes().size(), 3u);
  EXPECT_EQ(TextOf(pod.volumes()[0].handle), "data");
  EXPECT_EQ(pod.volumes()[1].handle, kNoId);
  EXPECT_EQ(TextOf(pod.volumes()[1].name), "scratch");
  EXPECT_EQ(TextOf(pod.volumes()[2].pool) + TextOf(List<Id>(pod.volumes()[2].monitors)[0]), "pm");
  EXPECT_EQ(pod.claims()[0].claim_name, kNoId);
  EXPECT_EQ(TextOf(pod.controller().kind) + "/" + TextOf(pod.controller().name), "ReplicaSet/web");
  EXPECT_TRUE(pod.Has(BERTH_POD_HAS_HOST_NETWORK));
  EXPECT_FALSE(pod.Has(BERTH_POD_HAS_PRIORITY));
  EXPECT_EQ(pod->start_unix_ns, 5);
  EXPECT_EQ(pod.scheduled_unix_ns(), 4);
  EXPECT_EQ(TextOf(pod->preemption_policy) + TextOf(pod->priority_class), "Neverhigh");
}

TEST(PodTest, FieldsThatAnOlderHostDoesNotHaveAreNotRead) {
  const auto object = FakePod("p").ScheduledAt(4).Build();
  berth_pod older = *object->raw();
  older.size = offsetof(berth_pod, scheduled_unix_ns);
  EXPECT_EQ(Pod(&older).scheduled_unix_ns(), BERTH_NO_TIME);
  older.size = offsetof(berth_pod, generation);
  older.generation = 3;
  EXPECT_EQ(Pod(&older).generation(), 0);
}

TEST(PodTest, WithoutRelationsTheBlocksAreEmpty) {
  const auto object = FakePod("plain").Build();
  const Pod pod(object->raw());
  EXPECT_EQ(pod.pod_affinity().has, 0u);
  EXPECT_TRUE(pod.spread().empty() && pod.volumes().empty() && pod.claims().empty());
  EXPECT_EQ(pod.controller().uid, kNoId);
  EXPECT_EQ(pod->start_unix_ns, BERTH_NO_TIME);
  EXPECT_EQ(pod.scheduled_unix_ns(), BERTH_NO_TIME);
  EXPECT_EQ(pod->priority_class, kNoId);
}

TEST(PodTest, EqualBlocksHaveEqualContent) {
  const auto a = FakePod("a").Label("x", "1").Req({{"cpu", 1}}).Build();
  const auto b = FakePod("b").Label("x", "1").Req({{"cpu", 2}}).Build();
  EXPECT_EQ(a->pod.labels->content, b->pod.labels->content);
  EXPECT_NE(a->pod.resources->content, b->pod.resources->content);
  EXPECT_EQ(a->pod.tolerations->content, b->pod.tolerations->content);
  const auto c = FakePod("c").Spread({.key = "zone"}).PodAffinity({"zone", {}}).ClaimVolume("x").Build();
  const auto d = FakePod("d").Spread({.key = "zone"}).PodAntiAffinity({"zone", {}}).ClaimVolume("y").Build();
  EXPECT_EQ(c->pod.spread->content, d->pod.spread->content);
  EXPECT_NE(c->pod.pod_affinity->content, d->pod.pod_affinity->content);
  EXPECT_NE(c->pod.volumes->content, d->pod.volumes->content);
  EXPECT_EQ(c->pod.controller->content, a->pod.controller->content);
}

TEST(NodeTest, Allocatable) {
  const auto object = FakeNode("n").Allocatable({{"cpu", 4000}, {"pods", 110}}).Unschedulable().Feature("F").Build();
  const NodeView node(object->raw());
  EXPECT_EQ(TextOf(node.declared_features()[0]), "F");
  EXPECT_EQ(node.Allocatable(IdOf("pods")), 110);
  EXPECT_EQ(node.Allocatable(IdOf("memory")), 0);
  EXPECT_TRUE(node.unschedulable());
}

// ---- values

TEST(ValueTest, TypedWalk) {
  const FakeValue document = FakeValue::Object({{"b", true},
                                                {"i", -3},
                                                {"d", 1.5},
                                                {"s", "text"},
                                                {"n", FakeValue()},
                                                {"a", FakeValue::Array({1, "two", FakeValue::Object()})}});
  const Value value = document.view();
  EXPECT_TRUE(value.is_object());
  EXPECT_EQ(value.size(), 6u);
  EXPECT_EQ(value.KeyAt(3), "s");
  EXPECT_TRUE(value.Get("b").AsBool());
  EXPECT_EQ(value.Get("i").AsInt(), -3);
  EXPECT_EQ(value.Get("i").AsNumber(), -3.0);
  EXPECT_EQ(value.Get("d").AsNumber(), 1.5);
  EXPECT_EQ(value.Get("d").AsInt(), 0);
  EXPECT_EQ(value.Get("s").AsString(), "text");
  EXPECT_TRUE(value.Get("n") && value.Get("n").is_null());
  EXPECT_EQ(value.Get("a")[1].AsString(), "two");
  EXPECT_FALSE(value.Get("a")[3]);
  EXPECT_FALSE(value.Get("i").AsBool()) << "a number is no boolean";
  EXPECT_FALSE(value.Get("missing"));
  EXPECT_EQ(value.Get("missing").Get("deeper")[7].AsString(), "");
}

// ---- snapshot and columns, as a plugin sees them

struct Looker {
  static constexpr Info kInfo{.name = "looker"};
  static std::function<void(Cycle&, const Pod&, Looker&)>& look() {
    static std::function<void(Cycle&, const Pod&, Looker&)> look;
    return look;
  }
  explicit Looker(Host& h) : host(h) {}
  void Activate() { host.OpenColumn(BERTH_NODE_LABEL, host.Intern("zone")); }
  Status PreFilter(Cycle& c, const Pod& pod) { return look()(c, pod, *this), Status::Ok(); }
  Host& host;
};

class SnapshotTest : public ::testing::Test {
 protected:
  SnapshotTest() : plugin(TestPlugin<Looker>()) {
    plugin.cluster()
        .Add(FakeNode("n1")
                 .Allocatable({{"cpu", 4000}, {"memory", int64_t{1} << 60}})
                 .Label("zone", "a")
                 .Taint("k", "NoSchedule")
                 .Image("nginx:1", 500))
        .Add(FakeNode("n2").Allocatable({{"cpu", 2000}}).Unschedulable().Taint("k", "NoSchedule").Image("nginx:1", 9))
        .Add(FakePod("a").Req({{"cpu", 300}}).HostPort(80), "n1")
        .Add(FakePod("b").Req({}), "n1");
  }
  void Look(std::function<void(Cycle&, const Pod&, Looker&)> look) { EXPECT_EQ(Try(std::move(look)), Outcome()); }
  Outcome Try(std::function<void(Cycle&, const Pod&, Looker&)> look) {
    Looker::look() = std::move(look);
    if (!started_) {
      EXPECT_TRUE(plugin.Start().ok());
    }
    started_ = true;
    Outcome outcome = plugin.Try(FakePod("new").Req({{"cpu", 50}}).InitReq({{"cpu", 80}}))->PreFilter();
    Looker::look() = nullptr;
    return outcome;
  }
  PluginUnderTest plugin;
  bool started_ = false;
};

TEST_F(SnapshotTest, RowsNodesAndPods) {
  Look([](Cycle& c, const Pod&, Looker&) {
    const Snapshot& snap = c.snap();
    EXPECT_EQ(snap.nodes(), 2u);
    EXPECT_EQ(snap.rows(), 3u) << "one row is dead";
    const uint32_t n1 = *snap.RowOf(IdOf("n1")), n2 = *snap.RowOf(IdOf("n2"));
    EXPECT_THAT(std::vector<uint32_t>(snap.order().begin(), snap.order().end()), ElementsAre(n1, n2));
    EXPECT_EQ(snap.RowOf(IdOf("n3")), std::nullopt);
    EXPECT_FALSE(snap.View(1));
    EXPECT_EQ(snap.At(1).name(), kNoId);
    EXPECT_EQ(snap.At(n1).pods().size(), 2u);
    EXPECT_EQ(snap.At(n1).pods()[0].name(), "a");
    EXPECT_EQ(snap.At(n1).used_ports()[0].port, 80);
    EXPECT_EQ(snap.At(n2).used_ports().size(), 0u);
  });
}

TEST_F(SnapshotTest, TypedColumns) {
  Look([](Cycle& c, const Pod&, Looker&) {
    const Snapshot& snap = c.snap();
    const Id cpu = IdOf("cpu");
    const uint32_t n1 = *snap.RowOf(IdOf("n1")), n2 = *snap.RowOf(IdOf("n2"));
    EXPECT_EQ((*snap.Int64(BERTH_NODE_ALLOCATABLE, cpu))[n1], 4000);
    EXPECT_EQ((*snap.Int64(BERTH_NODE_REQUESTED, cpu))[n1], 300);
    EXPECT_EQ((*snap.Int64(BERTH_NODE_NONZERO_REQUESTED, cpu))[n1], 400);
    EXPECT_EQ((*snap.Int64(BERTH_NODE_POD_COUNT))[n1], 2);
    EXPECT_EQ(snap.Int64(BERTH_NODE_ALLOCATABLE, IdOf("gpu")), std::nullopt);
    bool exact = false;
    EXPECT_EQ((*snap.Float64(BERTH_NODE_ALLOCATABLE_F64, cpu, &exact))[n2], 2000.0);
    EXPECT_TRUE(exact);
    (void)snap.Float64(BERTH_NODE_ALLOCATABLE_F64, IdOf("memory"), &exact);
    EXPECT_FALSE(exact) << "2^60 is no exact mirror";
    EXPECT_EQ((*snap.Uint8(BERTH_NODE_UNSCHEDULABLE))[n2], 1);
    EXPECT_EQ((*snap.Ids(BERTH_NODE_NAME))[n2], IdOf("n2"));
    EXPECT_EQ((*snap.Ids(BERTH_NODE_LABEL, IdOf("zone")))[n1], IdOf("a"));
    EXPECT_EQ((*snap.Ids(BERTH_NODE_LABEL, IdOf("zone")))[n2], kNoId);
    const auto taints = *snap.Sets(BERTH_NODE_TAINTS);
    EXPECT_EQ(taints[n1], taints[n2]) << "equal sets have one number";
    EXPECT_EQ(taints[1], 0u);
    EXPECT_EQ(TextOf(snap.TaintsOf(taints[n1])[0].effect), "NoSchedule");
    const auto image = snap.Image(IdOf("nginx:1"));
    EXPECT_EQ(image->n_nodes, 2u);
    EXPECT_EQ(image->bytes, 500);
    EXPECT_EQ(snap.Image(IdOf("redis")), std::nullopt);
  });
}

TEST_F(SnapshotTest, AColumnOfAnotherTypeThrows) {
  const Outcome outcome = Try([](Cycle& c, const Pod&, Looker&) { (void)c.snap().Ids(BERTH_NODE_POD_COUNT); });
  EXPECT_EQ(outcome,
            (Outcome{BERTH_ERROR,
                     {"plugin looker: PreFilter threw: column 10 has type 1 and 3 rows where type 4 and 3 rows "
                      "are needed"}}));
}

TEST_F(SnapshotTest, RequestsOfAPod) {
  Look([](Cycle&, const Pod& pod, Looker& self) {
    const auto requests = self.host.Requests(pod);
    EXPECT_EQ(requests[0].value, 80) << "the init container asks for more";
    EXPECT_EQ(self.host.Requests(pod, BERTH_REQUESTS_NON_MISSING).size(), 2u);
  });
}

TEST_F(SnapshotTest, SelectorsMatchRows) {
  Look([](Cycle& c, const Pod&, Looker& self) {
    const auto wanted = FakePod("p").NodeAffinityIn("zone", {"a", "b"}).Build();
    const uint32_t first[] = {0, 2};
    const berth_rows raw{sizeof(berth_rows), 2, 0, 0, first, c.snap().live()};
    const RowBits bits = self.host.Selectors().MatchRequired(c.snap(), *wanted->pod.node_affinity, Rows(&raw));
    EXPECT_EQ(bits.size(), 2u);
    EXPECT_TRUE(bits[0]);
    EXPECT_FALSE(bits[1]);
  });
}

TEST_F(SnapshotTest, LogLinesCarryFieldsAndPlace) {
  plugin.host().Verbosity(3);
  Look([](Cycle&, const Pod& pod, Looker& self) {
    self.host.Info("seen", {{"pod", pod.name()}, {"n", -4}, {"ok", true}, {"share", 0.5}});
    if (auto log = self.host.V(3)) log.Info("deeper");
    EXPECT_FALSE(self.host.V(4));
    self.host.V(4).Info("too deep");
    self.host.Warning("odd");
    self.host.Error("bad");
  });
  const auto log = plugin.host().Log();
  ASSERT_EQ(log.size(), 4u);
  EXPECT_THAT(log[0].fields,
              ElementsAre(Pair("pod", "new"), Pair("n", "-4"), Pair("ok", "true"), Pair("share", "0.5")));
  EXPECT_EQ(log[0].file, "views_test.cc");
  EXPECT_EQ(log[1].verbosity, 3);
  EXPECT_EQ(log[2].severity, BERTH_LOG_WARNING);
  EXPECT_EQ(log[3].severity, BERTH_LOG_ERROR);
}

struct Early {
  static constexpr Info kInfo{.name = "early"};
  Status PreEnqueue(Cycle& c, const Pod&) { return (void)c.snap(), Status::Ok(); }
};

TEST_F(SnapshotTest, ThereIsNoSnapshotOutsideTheSchedulingCycle) {
  PluginUnderTest early = TestPlugin<Early>();
  ASSERT_TRUE(early.Start().ok());
  EXPECT_THAT(early.Try(FakePod())->PreEnqueue().reasons,
              ElementsAre("plugin early: PreEnqueue threw: there is no snapshot outside a scheduling cycle"));
}

}  // namespace
}  // namespace berth::sdk::testing
