// The data that a plugin gets lies in memory where it cannot write: a plugin checks every pointer in every call.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <set>
#include <string>

#include "berth/domains.h"
#include "berth/objects.h"
#include "berth/pod_sets.h"
#include "berth/testing/plugin_under_test.hpp"
#include "cmd/berthctl/validate/read_only.h"
#include "cmd/berthctl/validate/samples.h"

namespace berth::validate {
namespace {

using sdk::testing::FakeNode;
using sdk::testing::FakeObject;
using sdk::testing::FakePod;
using sdk::testing::FakeValue;
using sdk::testing::PluginUnderTest;

std::set<std::string> writable, seen;  // by the kind of data

void Look(const std::string& what, const void* at) {
  if (at == nullptr) return;
  seen.insert(what);
  if (!ReadOnly::Install().Shows(at)) writable.insert(what);
}
void LookAt(const std::string& what, berth_str text) {
  if (text.len > 0) Look(what, text.ptr);
}

const berth_host* host;
template <class Table>
const Table& Service(const char* id) {
  return *static_cast<const Table*>(host->service(host, id));
}

void LookAtPod(const std::string& who, const berth_pod* pod) {
  Look(who, pod);
  if (pod == nullptr) return;
  LookAt(who + " uid", pod->uid);
  LookAt(who + " name", pod->name);
  Look(who + " labels", pod->labels);
  Look(who + " labels list", pod->labels->items.ptr);
  Look(who + " resources", pod->resources);
  Look(who + " containers", pod->resources->containers.ptr);
  Look(who + " node affinity", pod->node_affinity);
  Look(who + " spread", pod->spread->items.ptr);
  Look(who + " tolerations", pod->tolerations->items.ptr);
}
void LookAtNode(const std::string& who, const berth_node* node) {
  Look(who, node);
  if (node == nullptr) return;
  Look(who + " labels", node->labels);
  Look(who + " labels list", node->labels->items.ptr);
  Look(who + " allocatable", node->allocatable.ptr);
  Look(who + " taints", node->taints.ptr);
}
void LookAtValue(const std::string& who, const berth_value* value) {
  Look(who, value);
  const auto& values = Service<berth_values>(BERTH_SERVICE_VALUE);
  LookAt(who + " text", values.string(value));
  for (uint32_t i = 0; i < values.count(value); ++i) {
    LookAt(who + " key", values.key(value, i));
    LookAtValue(who, values.at(value, i));
  }
}
void LookAtRows(const std::string& who, const berth_rows* rows) {
  Look(who + " rows", rows);
  Look(who + " row numbers", rows->rows);
  Look(who + " live", rows->live);
}

void LookAtSnapshot(berth_cycle* cycle, const berth_pod* pod) {
  const auto& cycles = Service<berth_cycles>(BERTH_SERVICE_CYCLE);
  const auto& snapshot = Service<berth_snapshot>(BERTH_SERVICE_SNAPSHOT);
  const berth_snap* snap = cycles.snap(cycle);
  Look("live", snapshot.live(snap));
  Look("order", snapshot.order(snap).ptr);
  for (uint32_t row = 0; row < snapshot.rows(snap); ++row) {
    LookAtNode("node", snapshot.node(snap, row));
    Look("pods of a row", snapshot.pods(snap, row).ptr);
    Look("used ports", snapshot.used_ports(snap, row).ptr);
  }
  for (uint32_t what = BERTH_NODE_NAME; what <= BERTH_NODE_TAINTS; ++what) {
    berth_column column{};
    column.size = sizeof column;
    const berth_id key = what >= BERTH_NODE_ALLOCATABLE && what <= BERTH_NODE_NONZERO_REQUESTED_F64
                             ? sdk::testing::IdOf("cpu")
                             : BERTH_ID_ABSENT;
    ASSERT_EQ(snapshot.column(snap, what, key, &column), 0) << what;
    Look("column", column.cells);
  }
  Look("set", snapshot.set_items(snap, BERTH_NODE_TAINTS, 1).ptr);
  berth_image image{};
  image.size = sizeof image;
  ASSERT_EQ(snapshot.image(snap, sdk::testing::IdOf("registry.example/app:1"), &image), 0);
  Look("image", image.nodes);
  Look("requests", Service<berth_requests>(BERTH_SERVICE_REQUESTS).of(host, pod, 0).ptr);
  LookAt("text", host->text(host, pod->ns));
  const berth_str reason{"a reason", 8};
  const uint32_t reasons = cycles.reasons(host, cycle, &reason, 1);
  const berth_list texts = cycles.reason_texts(host, cycle, reasons);
  Look("reasons", texts.ptr);
  LookAt("reason", *BERTH_AT(texts, berth_str, 0));
}
void LookAtDomains(berth_cycle* cycle) {
  const berth_snap* snap = Service<berth_cycles>(BERTH_SERVICE_CYCLE).snap(cycle);
  berth_domains domains{};
  domains.size = sizeof domains;
  Service<berth_domain_columns>(BERTH_SERVICE_DOMAINS).of(snap, sdk::testing::IdOf("zone"), &domains);
  Look("domains", domains.of_row);
  const berth_pod_set every{sizeof(berth_pod_set), 0, {nullptr, 0, sizeof(berth_pod_match)}};
  berth_pod_counts counts{};
  counts.size = sizeof counts;
  Service<berth_pod_sets>(BERTH_SERVICE_POD_SETS).counts(snap, &every, &counts);
  Look("counts", counts.of_row);
}

// ---- the plugin
berth_status Activate(berth_plugin*) {
  const auto& config = Service<berth_config>(BERTH_SERVICE_CONFIG);
  LookAtValue("args", config.args(host));
  LookAt("profile", config.profile(host));
  LookAt("name", config.name(host));
  Service<berth_objects>(BERTH_SERVICE_OBJECTS).need(host, {"", 0}, {"v1", 2}, {"services", 8});
  return BERTH_SUCCESS;
}
berth_status PreFilter(berth_plugin*, berth_cycle* c, const berth_pod* pod, berth_names*) {
  LookAtPod("pod", pod);
  LookAtSnapshot(c, pod);
  LookAtDomains(c);
  const auto& objects = Service<berth_objects>(BERTH_SERVICE_OBJECTS);
  Look("object", objects.get(host, 1, {"default", 7}, {"web", 3}));
  Look("objects", objects.list(host, 1, {"", 0}).ptr);
  return BERTH_SUCCESS;
}
berth_status Filter(berth_plugin*, berth_cycle*, const berth_pod*, const berth_rows* rows, berth_verdict*) {
  return LookAtRows("Filter", rows), BERTH_SUCCESS;
}
berth_status PostFilter(berth_plugin*, berth_cycle*, const berth_pod*, const berth_diagnosis* why, berth_post_result*) {
  Look("diagnosis", why);
  Look("verdicts", why->verdicts);
  return BERTH_UNSCHEDULABLE;
}
berth_status PreScore(berth_plugin*, berth_cycle*, const berth_pod*, const berth_rows* rows) {
  return LookAtRows("PreScore", rows), BERTH_SUCCESS;
}
berth_status Score(berth_plugin*, berth_cycle*, const berth_pod*, const berth_rows* rows, int64_t*) {
  return LookAtRows("Score", rows), BERTH_SUCCESS;
}
berth_status Normalize(berth_plugin*, berth_cycle*, const berth_pod*, const berth_rows* rows, int64_t*) {
  return LookAtRows("Normalize", rows), BERTH_SUCCESS;
}
int32_t Less(berth_plugin*, const berth_queued* a, const berth_queued* b) {
  Look("queued", a);
  LookAtPod("queued pod", b->pod);
  return 0;
}
berth_list Interests(berth_plugin*) {
  static const berth_interest all{{"Node", 4}, BERTH_ACTION_ALL, BERTH_INTEREST_HINT};
  return {&all, 1, sizeof all};
}
berth_status Hints(berth_plugin*, berth_cycle*, const berth_event* event, const berth_pod* const* pods, uint32_t n,
                   uint8_t*) {
  Look("event", event);
  LookAt("event resource", event->resource);
  LookAtNode("event node", event->new_node);
  LookAtPod("event pod", event->new_pod);
  if (event->new_value != nullptr) LookAtValue("event value", event->new_value);
  Look("hinted pods", pods);
  for (uint32_t i = 0; i < n; ++i) LookAtPod("hinted pod", pods[i]);
  return BERTH_SUCCESS;
}
void Deltas(berth_plugin*, berth_list deltas) {
  Look("deltas", deltas.ptr);
  LookAtNode("delta node", BERTH_AT(deltas, berth_delta, 0)->node);
  if (const berth_pod* pod = BERTH_AT(deltas, berth_delta, 0)->pod) LookAtPod("delta pod", pod);
}
void Changed(berth_plugin*, uint32_t, const berth_object* before, const berth_object* now) {
  Look("object before", before);
  Look("object now", now);
  if (now == nullptr) return;
  LookAt("object name", now->name);
  Look("object labels", now->labels);
  LookAtValue("object value", now->value);
}
void Judge(const berth_host* of, const berth_value* args, const berth_args_sink* sink) {
  host = of;
  LookAtValue("judged args", args);
  Look("sink", sink);
}

const void* Extension(berth_plugin*, const char* id) {
  static const berth_pre_filter pre_filter{sizeof pre_filter, 0, &PreFilter};
  static const berth_filter filter{sizeof filter, 0, {BERTH_TOTAL, 0, 0, 0, 0}, &Filter};
  static const berth_post_filter post_filter{sizeof post_filter, 0, &PostFilter};
  static const berth_pre_score pre_score{sizeof pre_score, 0, &PreScore};
  static const berth_score score{sizeof score, BERTH_NORMALIZE_CALL, {BERTH_TOTAL, 0, 0, 0, 0}, &Score, &Normalize};
  static const berth_queue_sort queue_sort{sizeof queue_sort, 0, &Less};
  static const berth_events events{sizeof events, 0, &Interests, &Hints};
  static const berth_deltas deltas{sizeof deltas, BERTH_DELTA_NODES | BERTH_DELTA_PODS, &Deltas, nullptr};
  static const berth_object_changes changes{sizeof changes, 0, &Changed};
  static const std::map<std::string, const void*> tables = {
      {BERTH_POINT_PRE_FILTER, &pre_filter}, {BERTH_POINT_FILTER, &filter}, {BERTH_POINT_POST_FILTER, &post_filter},
      {BERTH_POINT_PRE_SCORE, &pre_score},   {BERTH_POINT_SCORE, &score},   {BERTH_POINT_QUEUE_SORT, &queue_sort},
      {BERTH_POINT_EVENTS, &events},         {BERTH_POINT_DELTAS, &deltas}, {BERTH_POINT_OBJECTS, &changes}};
  const auto at = tables.find(id);
  return at == tables.end() ? nullptr : at->second;
}
berth_plugin* Create(const char* name, const berth_host* of) {
  Look("name to create", name);
  host = of;
  static berth_plugin plugin{sizeof(berth_plugin),
                             0,
                             nullptr,
                             [](berth_plugin*) { return BERTH_SUCCESS; },
                             &Activate,
                             [](berth_plugin*) {},
                             [](berth_plugin*) {},
                             &Extension,
                             nullptr,
                             nullptr};
  return &plugin;
}
const berth_entry* Entry(uint32_t) {
  static const berth_args judge{sizeof(berth_args), 0, &Judge, &Judge};
  static const berth_entry entry{sizeof(berth_entry),
                                 BERTH_ABI_MINOR,
                                 [] { return 1u; },
                                 [](uint32_t) -> const berth_descriptor* { return nullptr; },
                                 &Create,
                                 [](const char*, const char*) -> const void* { return &judge; }};
  return &entry;
}

FakePod RichPod() {
  return FakePod("rich")
      .Label("app", "web")
      .Req({{"cpu", 500}})
      .Toleration("dedicated")
      .NodeSelector("disk", "ssd")
      .Spread({.key = "zone", .selector = {.labels = {{"app", "web"}}}});
}

void ShowEverything() {
  const FakeValue args = FakeValue::Object({{"weights", FakeValue::Array({"cpu", 7})}});
  PluginUnderTest plugin(&Entry, "probe");
  plugin.Complete(args);
  plugin.Args(args).cluster() = SampleCluster(12);
  plugin.Put("v1/services", FakeObject("web", "default").Label("app", "web").Spec(R"({"selector": {"app": "web"}})"));
  ASSERT_TRUE(plugin.Start().ok());
  plugin.SendState();
  plugin.Put("v1/services", FakeObject("web", "default").Label("app", "db"));
  {
    const auto attempt = plugin.Try(RichPod());
    attempt->PreFilter();
    attempt->Filter();
    attempt->PostFilter({{"n0", BERTH_UNSCHEDULABLE}});
    attempt->PreScore();
    attempt->Normalize(attempt->Score().nodes);
  }
  plugin.Less({RichPod(), 1, 1, 1}, {RichPod(), 2, 2, 1});
  for (const char* resource : {"Node", "Pod", "v1/services"}) {
    for (const auto& event : SampleEvents(resource, 0)) plugin.Hints(event, {RichPod()});
  }
  EXPECT_THAT(plugin.Violations(), testing::IsEmpty());
}

TEST(Shown, IsReadOnlyWhateverItIs) {
  ReadOnly::Install();
  ShowEverything();
  EXPECT_THAT(writable, testing::IsEmpty());
  EXPECT_GT(seen.size(), 60u) << testing::PrintToString(seen);
}

TEST(Shown, MemoryServesAgain) {
  ReadOnly& memory = ReadOnly::Install();
  const auto first = memory.Take(100);
  memory.GiveBack(first, 100);
  const auto second = memory.Take(120);
  EXPECT_EQ(first.show, second.show);
  std::memcpy(second.write, "text", 5);
  EXPECT_STREQ(static_cast<const char*>(second.show), "text");
  memory.GiveBack(second, 120);
}

TEST(ShownDeathTest, AWriteIsToldOf) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto place = ReadOnly::Install().Take(8);
  EXPECT_DEATH(*static_cast<volatile char*>(const_cast<void*>(place.show)) = 1, "a write to what the host has shown");
}

}  // namespace
}  // namespace berth::validate
