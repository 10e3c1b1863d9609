#include "scheduler/framework/cluster_services.h"

#include <cstring>
#include <string>
#include <thread>

#include "api/selectors.h"
#include "api/text_view.h"
#include "base/parallelizer.h"
#include "plugin/instance/instance.h"
#include "plugin/instance/known_id.h"
#include "scheduler/cache/cache.h"
#include "scheduler/framework/count_services.h"
#include "scheduler/framework/domain_matching.h"
#include "scheduler/framework/matching_service.h"
#include "scheduler/framework/row_matching.h"

namespace berth::framework {
namespace {

api::InternTables& InternTablesOf(const berth_host* host) { return plugin::ContextOf(host).services->intern; }

// ---- snapshot ----

uint32_t Rows(const berth_snap* snap) { return snap->cache->capacity(); }
uint32_t Nodes(const berth_snap* snap) { return snap->cache->n_nodes(); }
const uint64_t* Live(const berth_snap* snap) { return snap->cache->live().words(); }

berth_list Order(const berth_snap* snap) {
  const std::vector<uint32_t>& order = snap->cache->order();
  return {order.data(), static_cast<uint32_t>(order.size()), sizeof(uint32_t)};
}

const berth_node* NodeAt(const berth_snap* snap, uint32_t row) {
  if (row >= snap->cache->capacity()) return nullptr;
  const api::Node* node = snap->cache->node(row);
  return node == nullptr ? nullptr : &node->abi;
}

// One pointer per pod; BERTH_AT(list, const berth_pod *, i) reads them.
berth_list PodsAt(const berth_snap* snap, uint32_t row) {
  if (row >= snap->cache->capacity()) return {nullptr, 0, sizeof(const berth_pod*)};
  const auto& views = snap->cache->pod_views(row);
  return {views.data(), static_cast<uint32_t>(views.size()), sizeof(const berth_pod*)};
}

berth_list UsedPorts(const berth_snap* snap, uint32_t row) {
  if (row >= snap->cache->capacity()) return {nullptr, 0, sizeof(berth_host_port)};
  const auto& ports = snap->cache->used_ports(row);
  return {ports.data(), static_cast<uint32_t>(ports.size()), sizeof(berth_host_port)};
}

int64_t RowOf(const berth_snap* snap, berth_id name) {
  const uint32_t row = snap->cache->RowOf(name);
  return row == cache::kNoRow ? -1 : static_cast<int64_t>(row);
}

int32_t Column(const berth_snap* snap, uint32_t what, berth_id key, berth_column* out) {
  berth_column full{sizeof full, 0, 0, 0, nullptr};
  if (!snap->cache->FindColumn(what, key, &full)) return -1;
  const uint32_t size = out->size;  // the struct of an older plugin can be shorter
  std::memcpy(out, &full, std::min<size_t>(size, sizeof full));
  out->size = size;
  return 0;
}

berth_list SetItems(const berth_snap* snap, uint32_t what, uint32_t set) {
  if (what != BERTH_NODE_TAINTS) return {nullptr, 0, 0};
  return snap->cache->TaintsOfSet(set);
}

int32_t Image(const berth_snap* snap, berth_id name, berth_image* out) {
  const cache::ImageIndex& images = snap->cache->images();
  const cache::ImageState* state = images.Find(name);
  if (state == nullptr) return -1;
  const berth_image full{out->size, state->rows.size(), state->bytes, images.NodesWith(name, *state)};
  std::memcpy(out, &full, std::min<size_t>(out->size, sizeof full));
  return 0;
}

// The cache belongs to another thread: the engine opens the column when it publishes the instance.
int32_t OpenColumn(const berth_host* host, uint32_t what, berth_id key) {
  plugin::Instance* instance = plugin::ContextOf(host).instance;
  if (instance == nullptr || !instance->activating()) return -1;
  if (what != BERTH_NODE_LABEL || !plugin::IsKnownId(InternTablesOf(host).ids, key)) return -1;
  instance->NeedLabelColumn(key);
  return 0;
}

// ---- selectors ----

api::FieldErrorSink SinkOf(berth_error_sink sink, void* ctx) {
  return [sink, ctx](std::string_view path, std::string_view detail) {
    if (sink != nullptr) sink(ctx, api::Borrow(path), api::Borrow(detail));
  };
}

// A compiled selector lives as long as the instance that compiled it, or as long as the validation of its args.
template <class Kept>
auto KeepFor(const berth_host* host, Kept compiled) {
  return plugin::ContextOf(host).instance->handles().Keep(std::move(compiled));
}

const berth_label_selector* CompileLabelSelector(const berth_host* host, const berth_value* value,
                                                 berth_error_sink sink, void* ctx) {
  auto compiled =
      api::LabelSelector::Compile(InternTablesOf(host), reinterpret_cast<const json::Value*>(value), SinkOf(sink, ctx));
  if (!compiled) return nullptr;
  if (plugin::HostContext& context = plugin::ContextOf(host); context.instance == nullptr) {
    context.args_selectors.push_back(std::move(compiled));
    return reinterpret_cast<const berth_label_selector*>(context.args_selectors.back().get());
  }
  return reinterpret_cast<const berth_label_selector*>(KeepFor(host, std::move(compiled)));
}

int32_t MatchLabels(const berth_label_selector* selector, const berth_labels* labels) {
  return reinterpret_cast<const api::LabelSelector*>(selector)->Matches(*labels) ? 1 : 0;
}

const berth_node_affinity* CompileNodeAffinity(const berth_host* host, const berth_value* value, berth_error_sink sink,
                                               void* ctx) {
  static const json::Value kNull;
  const auto* affinity = value == nullptr ? &kNull : reinterpret_cast<const json::Value*>(value);
  api::Ref<const api::NodeAffinityBlock> compiled =
      api::CompileNodeAffinity(InternTablesOf(host), *affinity, SinkOf(sink, ctx));
  if (!compiled) return nullptr;
  if (plugin::HostContext& context = plugin::ContextOf(host); context.instance == nullptr) {
    context.args_affinities.push_back(std::move(compiled));
    return &context.args_affinities.back()->abi;
  }
  return KeepFor(host, std::move(compiled));
}

bool MayUseDomains(const berth_snap* snap, const berth_rows& rows) {
  return rows.n >= kDomainMatchingFrom && !base::Parallelizer::InsideRun() &&
         snap->cache->cycle_thread() == std::this_thread::get_id();
}

void MatchRequired(const berth_host*, const berth_snap* snap, const berth_node_affinity* affinity,
                   const berth_rows* rows, uint64_t* out) {
  if (MayUseDomains(snap, *rows) && DomainMatching(*snap->cache, *rows).Required(*affinity, out)) return;
  RowMatching(*snap->cache, *rows).Required(*affinity, out);
}

void MatchTerm(const berth_host* host, const berth_snap* snap, const berth_node_term* term, const berth_rows* rows,
               uint64_t* out) {
  const api::NodeTermMatcher matcher(InternTablesOf(host), *term);
  if (MayUseDomains(snap, *rows) && DomainMatching(*snap->cache, *rows).Term(matcher, out)) return;
  RowMatching(*snap->cache, *rows).Term(matcher, out);
}

int32_t MatchNode(const berth_host* host, const berth_node* node, const berth_node_affinity* affinity) {
  return api::RequiredMatches(InternTablesOf(host), *affinity, {node->labels, node->name}) ? 1 : 0;
}

berth_str TermErrors(const berth_host* host, const berth_node_affinity* affinity, uint32_t which) {
  thread_local std::string text;
  text = which == 0 ? api::RequiredTermErrors(InternTablesOf(host), *affinity)
                    : api::PreferredTermErrors(InternTablesOf(host), *affinity);
  return api::Borrow(text);
}

}  // namespace

void AddClusterServices(plugin::Services& services) {
  static const berth_snapshot snapshot{sizeof snapshot, 0,         Rows,  Nodes,  Live,     Order, NodeAt,
                                       PodsAt,          UsedPorts, RowOf, Column, SetItems, Image, OpenColumn};
  static const berth_selectors selectors{
      sizeof selectors, 0,         CompileLabelSelector, MatchLabels, CompileNodeAffinity, MatchRequired, MatchTerm,
      MatchNode,        TermErrors};
  services.Add(BERTH_SERVICE_SNAPSHOT, &snapshot);
  services.Add(BERTH_SERVICE_SELECTORS, &selectors);
  services.Add(BERTH_SERVICE_MATCHING, MatchingService());
  services.Add(BERTH_SERVICE_DOMAINS, DomainService());
  services.Add(BERTH_SERVICE_POD_SETS, PodSetService());
}

}  // namespace berth::framework
