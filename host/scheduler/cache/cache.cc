#include "scheduler/cache/cache.h"

#include <algorithm>
#include <cassert>

#include "api/selectors.h"
#include "base/resize_exactly.h"
#include "berth/deltas.h"

namespace berth::cache {
namespace {

std::string Quote(std::string_view s) { return "\"" + std::string(s) + "\""; }

std::string Named(const api::Pod& pod) { return "pod " + std::string(pod.uid()) + "(" + std::string(pod.key()) + ")"; }

}  // namespace

Cache::Cache(api::InternTables& intern)
    : intern_(intern), images_(intern), domains_(intern), affinity_domains_(intern), pod_sets_(intern) {
  name_ = store_.Open(4);
  unschedulable_ = store_.Open(1);
  generation_column_ = store_.Open(8);
  taints_ = store_.Open(4);
  pod_count_ = store_.Open(8);
  nonzero_cpu_ = store_.Open(8);
  nonzero_cpu_f64_ = store_.Open(8);
  nonzero_memory_ = store_.Open(8);
  nonzero_memory_f64_ = store_.Open(8);
}

// ---- rows ----

uint32_t Cache::TakeRow() {
  if (free_rows_.empty()) GrowRows(capacity() + std::max<uint32_t>(64, capacity() / 4));
  const uint32_t row = free_rows_.back();
  free_rows_.pop_back();
  // The first pods of a row need no allocation during a cycle.
  constexpr size_t kFirstPods = 16;
  rows_[row].pods.reserve(kFirstPods);
  rows_[row].views.reserve(kFirstPods);
  return row;
}

void Cache::GrowRows(uint32_t capacity) {
  const uint32_t before = this->capacity();
  store_.Reserve(capacity);
  base::ResizeExactly(rows_, store_.capacity());
  live_.Resize(store_.capacity());
  images_.Reserve(store_.capacity());
  pod_sets_.Reserve(store_.capacity());
  for (uint32_t row = store_.capacity(); row > before; --row) free_rows_.push_back(row - 1);  // low rows are used first
}

uint32_t Cache::RowOf(base::Id node_name) const {
  auto it = row_of_.find(node_name);
  return it == row_of_.end() ? kNoRow : it->second;
}

void Cache::Touch(uint32_t row, uint64_t aspects) {
  store_.Cells<int64_t>(generation_column_)[row] = ++generation_;
  for (int a = 0; a < kRowLogs; ++a) {
    if ((aspects >> a) & 1) logs_[static_cast<size_t>(a)].Append(row);
  }
}

void Cache::Record(uint32_t kind, uint32_t row, api::NodeRef node, api::PodRef pod) {
  const uint32_t mask = node ? BERTH_DELTA_NODES : BERTH_DELTA_PODS;
  if (delta_mask_ & mask) deltas_.push_back({kind, row, std::move(node), std::move(pod)});
}

// ---- nodes ----

bool Cache::SetNode(const api::NodeRef& node) {
  uint32_t row = RowOf(node->abi.name);
  const bool fresh = row == kNoRow;
  if (!fresh && api::EqualForScheduling(*rows_[row].node, *node) && !images_.IsStale(*node)) return false;
  if (fresh) {
    row = TakeRow();
    live_.Set(row);
  }
  api::NodeRef before = rows_[row].node;
  if (!fresh) row_of_.erase(before->abi.name);  // the node that owns the key changes
  row_of_.emplace(node->abi.name, row);
  rows_[row].node = node;
  ShowNode(row, before.get(), *node);
  Record(fresh ? BERTH_DELTA_NODE_ADD : BERTH_DELTA_NODE_CHANGE, row, node, {});
  const auto waiting = unplaced_.find(node->abi.name);
  if (!fresh || waiting == unplaced_.end()) return true;
  const UnplacedPods pods = std::move(waiting->second);
  unplaced_.erase(waiting);
  for (PodRecord* record : pods) PutOnRow(row, *record);
  return true;
}

void Cache::ShowNode(uint32_t row, const api::Node* before, const api::Node& after) {
  uint64_t aspects = 0;
  store_.Cells<uint32_t>(name_)[row] = after.abi.name;
  store_.Cells<uint8_t>(unschedulable_)[row] = static_cast<uint8_t>(after.abi.unschedulable);
  if (before == nullptr || before->abi.unschedulable != after.abi.unschedulable) aspects |= BERTH_ROW_TAINTS;

  if (before == nullptr || before->taints != after.taints) {
    const uint32_t old_set = rows_[row].taint_set;
    rows_[row].taint_set = taint_sets_.Take(after.taints);
    taint_sets_.GiveBack(old_set);
    store_.Cells<uint32_t>(taints_)[row] = rows_[row].taint_set;
    aspects |= BERTH_ROW_TAINTS;
  }
  if (before == nullptr || before->labels != after.labels) {
    for (auto& [key, handle] : label_columns_) {
      store_.Cells<uint32_t>(handle)[row] = api::LabelValue(after.labels->abi, key);
    }
    aspects |= BERTH_ROW_LABELS;
  }
  if (before == nullptr || !api::SameAllocatable(*before, after)) {
    resources_.Offer(row, before == nullptr ? std::span<const berth_amount>() : before->allocatable, after.allocatable);
    aspects |= BERTH_ROW_ALLOCATABLE;
  }
  if (before == nullptr || before->declared_features != after.declared_features) aspects |= BERTH_ROW_FEATURES;

  if (before == nullptr || images_.IsStale(after) || !api::SameImages(*before, after)) {
    if (before != nullptr) images_.Remove(row, *before);
    images_.Add(row, after);
    ++cluster_generations_[1];
    aspects |= BERTH_ROW_IMAGES;
  }
  if (before == nullptr) {
    order_.Add(row, after.zone);
    ++cluster_generations_[0];
    aspects = ~uint64_t{0};
  } else if (before->zone != after.zone) {
    order_.Remove(row, before->zone);
    order_.Add(row, after.zone);
  }
  Touch(row, aspects);
}

bool Cache::RemoveNode(std::string_view name) {
  const uint32_t row = RowOf(intern_.ids.Find(name));
  if (row == kNoRow) return false;
  const api::NodeRef node = rows_[row].node;
  for (const api::PodRef& pod : rows_[row].pods) {
    PodRecord& record = *pods_.Find(pod->uid());
    Uncount(record);
    WaitForHome(record);
  }
  while (!rows_[row].pods.empty()) {
    const api::PodRef pod = rows_[row].pods.back();
    TakeFromRow(row, *pod);
  }
  Record(BERTH_DELTA_NODE_REMOVE, row, node, {});
  resources_.Offer(row, node->allocatable, {});
  for (auto& [key, handle] : label_columns_) store_.Cells<uint32_t>(handle)[row] = 0;
  store_.Cells<uint32_t>(name_)[row] = 0;
  store_.Cells<uint8_t>(unschedulable_)[row] = 0;
  store_.Cells<uint32_t>(taints_)[row] = 0;
  taint_sets_.GiveBack(rows_[row].taint_set);
  rows_[row].taint_set = 0;
  images_.Remove(row, *node);
  order_.Remove(row, node->zone);
  row_of_.erase(node->abi.name);
  live_.Clear(row);
  rows_[row].node = {};
  ++cluster_generations_[0];
  ++cluster_generations_[1];
  Touch(row, ~uint64_t{0});
  free_rows_.push_back(row);
  return true;
}

// ---- what pods request ----

void Cache::AddNonZero(ColumnStore::Handle i64, ColumnStore::Handle f64, uint32_t row, int64_t value) {
  int64_t& cell = store_.Cells<int64_t>(i64)[row];
  cell += value;
  nonzero_exact_ = nonzero_exact_ && IsExact(cell);
  store_.Cells<double>(f64)[row] = static_cast<double>(cell);
}

void Cache::Account(uint32_t row, const api::Pod& pod, int64_t sign) {
  const api::AccountedRequests accounted = pod.resources().Accounted(intern_);
  resources_.Account(row, accounted.requested->amounts, sign);
  AddNonZero(nonzero_cpu_, nonzero_cpu_f64_, row, sign * accounted.non_zero_cpu_milli);
  AddNonZero(nonzero_memory_, nonzero_memory_f64_, row, sign * accounted.non_zero_memory);
  store_.Cells<int64_t>(pod_count_)[row] += sign;
}

// ---- pods on rows ----

void Cache::PutOnRow(uint32_t row, const api::PodRef& pod) {
  Row& r = rows_[row];
  r.pods.push_back(pod);
  r.views.push_back(&pod->abi);
  const berth_list& ports = pod->abi.ports->items;
  for (uint32_t i = 0; i < ports.n; ++i) r.ports.push_back(*BERTH_AT(ports, berth_host_port, i));
  Account(row, *pod, +1);
  Touch(row, BERTH_ROW_REQUESTED | BERTH_ROW_PODS | (ports.n != 0 ? BERTH_ROW_PORTS : 0));
  Record(BERTH_DELTA_POD_ADD, row, {}, pod);
}

void Cache::TakeFromRow(uint32_t row, const api::Pod& pod) {
  Row& r = rows_[row];
  auto it = std::find(r.views.begin(), r.views.end(), &pod.abi);
  assert(it != r.views.end());
  const size_t i = static_cast<size_t>(it - r.views.begin());
  const api::PodRef held = r.pods[i];
  r.pods[i] = r.pods.back();  // as upstream, the last pod fills the gap
  r.pods.pop_back();
  r.views[i] = r.views.back();
  r.views.pop_back();
  const berth_list& ports = pod.abi.ports->items;
  for (uint32_t p = 0; p < ports.n; ++p) {
    const berth_host_port& gone = *BERTH_AT(ports, berth_host_port, p);
    auto used = std::find_if(r.ports.begin(), r.ports.end(), [&](const berth_host_port& u) {
      return u.ip == gone.ip && u.protocol == gone.protocol && u.port == gone.port;
    });
    if (used != r.ports.end()) r.ports.erase(used);
  }
  Account(row, pod, -1);
  Touch(row, BERTH_ROW_REQUESTED | BERTH_ROW_PODS | (ports.n != 0 ? BERTH_ROW_PORTS : 0));
  Record(BERTH_DELTA_POD_REMOVE, row, {}, held);
}

void Cache::PutOnRow(uint32_t row, PodRecord& record) {
  record.row = row;
  PutOnRow(row, record.pod);
  Count(record);
}

void Cache::WaitForHome(PodRecord& record) {
  record.row = kNoRow;
  UnplacedPods& waiting = unplaced_[record.pod->abi.node_name];
  record.unplaced = waiting.insert(waiting.end(), &record);
}

void Cache::Place(PodRecord& record) {
  const uint32_t row = RowOf(record.pod->abi.node_name);
  if (row == kNoRow) {
    WaitForHome(record);
  } else {
    PutOnRow(row, record);
  }
}

void Cache::Displace(PodRecord& record) {
  if (record.row != kNoRow) {
    Uncount(record);
    TakeFromRow(record.row, *record.pod);
    record.row = kNoRow;
    return;
  }
  const auto waiting = unplaced_.find(record.pod->abi.node_name);
  waiting->second.erase(record.unplaced);
  if (waiting->second.empty()) unplaced_.erase(waiting);
}

void Cache::Erase(PodRecord& record) {
  n_assumed_ -= record.assumed;
  pods_.Erase(record);
}

// ---- pods ----

base::Result<void> Cache::Assume(api::PodRef pod) {
  if (pods_.Find(pod->uid()) != nullptr) {
    return base::Fail(Named(*pod) + " is in the cache, so can't be assumed");
  }
  ++n_assumed_;
  Place(pods_.Insert({.pod = std::move(pod), .assumed = true}));
  return {};
}

base::Result<void> Cache::Forget(std::string_view uid) {
  PodRecord* const record = pods_.Find(uid);
  if (record == nullptr) return {};
  if (!record->assumed) {
    return base::Fail(Named(*record->pod) + " wasn't assumed so cannot be forgotten");
  }
  Displace(*record);
  Erase(*record);
  return {};
}

base::Result<void> Cache::AddPod(api::PodRef pod) {
  PodRecord* const record = pods_.Find(pod->uid());
  if (record == nullptr) {
    Place(pods_.Insert({.pod = std::move(pod)}));
    return {};
  }
  if (!record->assumed) return base::Fail(Named(*pod) + " was already in added state");
  Displace(*record);
  record->pod = std::move(pod);
  record->assumed = false;
  --n_assumed_;
  Place(*record);
  return {};
}

base::Result<void> Cache::UpdatePod(api::PodRef pod) {
  PodRecord* const record = pods_.Find(pod->uid());
  if (record == nullptr || record->assumed) {
    return base::Fail(Named(*pod) + " is not added to scheduler cache, so cannot be updated");
  }
  if (record->pod->abi.node_name != pod->abi.node_name) {
    return base::Fail("pod " + Quote(pod->key()) + " updated on a different node than previously added to");
  }
  Displace(*record);
  record->pod = std::move(pod);
  Place(*record);
  return {};
}

bool Cache::RemovePod(std::string_view uid) {
  PodRecord* const record = pods_.Find(uid);
  if (record == nullptr) return false;
  Displace(*record);
  Erase(*record);
  return true;
}

bool Cache::IsAssumed(std::string_view uid) const {
  const PodRecord* const record = pods_.Find(uid);
  return record != nullptr && record->assumed;
}

api::PodRef Cache::FindPod(std::string_view uid) const {
  const PodRecord* const record = pods_.Find(uid);
  return record == nullptr ? api::PodRef() : record->pod;
}

}  // namespace berth::cache
