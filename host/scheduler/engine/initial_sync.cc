#include "scheduler/engine/initial_sync.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "api/text_view.h"
#include "scheduler/framework/object_services.h"

namespace berth::engine {
namespace {

using ObjectKey = std::tuple<std::string_view, std::string_view>;  // namespace, name

constexpr uint32_t kObjectsAtOnce = 16;
// The first list of the cluster gives one batch with all pods. A call with all of them could exceed its deadline.
constexpr size_t kDeltasAtOnce = 1024;

using api::View;

}  // namespace

void SendDeltas(plugin::Instance& instance, const std::vector<cache::Delta>& deltas) {
  const berth_deltas* table = instance.tables().deltas;
  if (table == nullptr) return;
  thread_local std::vector<berth_delta> views;
  views.clear();
  for (const cache::Delta& d : deltas) {
    if ((table->mask & (d.node ? BERTH_DELTA_NODES : BERTH_DELTA_PODS)) == 0) continue;
    views.push_back({d.kind, d.row, d.node ? &d.node->abi : nullptr, d.pod ? &d.pod->abi : nullptr});
  }
  for (size_t told = 0; told < views.size(); told += kDeltasAtOnce) {
    const size_t n = std::min<size_t>(views.size() - told, kDeltasAtOnce);
    const berth_list list{views.data() + told, static_cast<uint32_t>(n), sizeof(berth_delta)};
    instance.CallVoid("Deltas", [&] { table->deltas(instance.raw(), list); });
  }
}

InitialSync::InitialSync(std::vector<plugin::Instance*> instances, const cache::Cache& cache,
                         const objects::ObjectStore& objects)
    : cache_(cache), objects_(objects), instances_(std::move(instances)) {
  std::set<objects::KindId> kinds;
  for (plugin::Instance* instance : instances_) {
    if (instance->tables().deltas != nullptr) delta_mask_ |= instance->tables().deltas->mask;
    kinds.insert(instance->needed_kinds().begin(), instance->needed_kinds().end());
  }
  kinds_.assign(kinds.begin(), kinds.end());
  rows_done_ = delta_mask_ == 0;
  objects_done_ = kinds_.empty();
}

bool InitialSync::DeliverMore(const base::Clock& clock, int64_t budget_ns) {
  const int64_t until = clock.MonoNs() + budget_ns;
  bool told = false;
  const auto may_go_on = [&] { return !told || clock.MonoNs() < until; };
  while (!rows_done_ && may_go_on()) {
    DeliverRow(next_row_++);
    told = true;
    rows_done_ = next_row_ >= cache_.capacity();
  }
  while (rows_done_ && !objects_done_ && may_go_on()) {
    objects_done_ = !DeliverObjects();
    told = true;
  }
  return told;
}

void InitialSync::DeliverAll() {
  for (; next_row_ < cache_.capacity(); ++next_row_) DeliverRow(next_row_);
  while (DeliverObjects()) {
  }
  rows_done_ = objects_done_ = true;
}

void InitialSync::DeliverRow(uint32_t row) {
  if (row >= cache_.capacity() || !cache_.live().Test(row)) return;
  scratch_.clear();
  cache_.AppendRow(row, scratch_);
  for (plugin::Instance* instance : instances_) SendDeltas(*instance, scratch_);
  scratch_.clear();
}

bool InitialSync::DeliverObjects() {
  if (kind_ == kinds_.size()) return false;
  const objects::KindId kind = kinds_[kind_];
  const berth_list all = objects_.List(kind, {});
  const auto* const first = static_cast<const berth_object* const*>(all.ptr);
  const auto* const last = first + all.n;
  const auto* at = first;
  if (in_kind_) {
    at = std::partition_point(first, last, [&](const berth_object* object) {
      return std::tuple(View(object->ns), View(object->name)) <= ObjectKey(last_namespace_, last_name_);
    });
  }
  const auto* const stop = at + std::min<ptrdiff_t>(last - at, kObjectsAtOnce);
  for (; at != stop; ++at) {
    for (plugin::Instance* instance : instances_) framework::DeliverNew(*instance, kind, **at);
    last_namespace_ = View((*at)->ns);
    last_name_ = View((*at)->name);
    in_kind_ = true;
  }
  if (at == last) {
    ++kind_;
    in_kind_ = false;
  }
  return kind_ < kinds_.size();
}

void InitialSync::Deliver(const std::vector<cache::Delta>& deltas) {
  scratch_.clear();
  std::copy_if(deltas.begin(), deltas.end(), std::back_inserter(scratch_),
               [&](const cache::Delta& d) { return rows_done_ || d.row < next_row_; });
  if (scratch_.empty()) return;
  for (plugin::Instance* instance : instances_) SendDeltas(*instance, scratch_);
  scratch_.clear();
}

void InitialSync::Deliver(const objects::Change& change) {
  if (!objects_done_) {
    const auto at = std::lower_bound(kinds_.begin(), kinds_.end(), change.kind);
    const auto which = static_cast<size_t>(at - kinds_.begin());
    if (at == kinds_.end() || *at != change.kind || which > kind_) return;
    if (which == kind_) {
      const berth_object& object = change.now != nullptr ? change.now->abi : change.before->abi;
      const bool known =
          in_kind_ && std::tuple(View(object.ns), View(object.name)) <= ObjectKey(last_namespace_, last_name_);
      if (!known) return;
    }
  }
  for (plugin::Instance* instance : instances_) framework::DeliverChange(*instance, change);
}

}  // namespace berth::engine
