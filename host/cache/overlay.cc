#include "cache/overlay.h"

#include <algorithm>

namespace berth::cache {

// Every resource that the cache counts. One that appears later would be of pods that never were on a node, and of no
// node: its cells are 0 with or without them, and a new column in the middle of a cycle would move all others.
void Overlay::FindResources() {
  if (resources_known_ == cache_.resources_.size()) return;
  resources_known_ = cache_.resources_.size();
  cells_.clear();
  for (auto& [name, columns] : cache_.resources_) {
    if (columns.tracked && name != cache_.words_.pods) cells_.push_back({name, &columns, 0});
  }
}

void Overlay::Begin(uint32_t row) {
  row_ = row;
  FindResources();
  ColumnStore& store = cache_.store_;
  for (Cell& cell : cells_) cell.saved = store.Cells<int64_t>(cell.columns->requested)[row];
  saved_generation_ = store.Cells<int64_t>(cache_.generation_column_)[row];
  saved_count_ = store.Cells<int64_t>(cache_.pod_count_)[row];
  saved_cpu_ = store.Cells<int64_t>(cache_.nonzero_cpu_)[row];
  saved_memory_ = store.Cells<int64_t>(cache_.nonzero_memory_)[row];
  saved_views_ = cache_.rows_[row].views;
  saved_ports_ = cache_.rows_[row].ports;
}

void Overlay::Add(const berth_pod& pod) {
  Cache::Row& row = cache_.rows_[row_];
  row.views.push_back(&pod);
  const berth_list& ports = pod.ports->items;
  for (uint32_t i = 0; i < ports.n; ++i) row.ports.push_back(*BERTH_AT(ports, berth_host_port, i));
  Account(pod, +1);
  MarkChanged();
}

bool Overlay::Remove(const berth_pod& pod) {
  Cache::Row& row = cache_.rows_[row_];
  const auto at = std::find(row.views.begin(), row.views.end(), &pod);
  if (at == row.views.end()) return false;
  *at = row.views.back();
  row.views.pop_back();
  const berth_list& ports = pod.ports->items;
  for (uint32_t i = 0; i < ports.n; ++i) {
    const berth_host_port& gone = *BERTH_AT(ports, berth_host_port, i);
    const auto used = std::find_if(row.ports.begin(), row.ports.end(), [&](const berth_host_port& u) {
      return u.ip == gone.ip && u.protocol == gone.protocol && u.port == gone.port;
    });
    if (used != row.ports.end()) row.ports.erase(used);
  }
  Account(pod, -1);
  MarkChanged();
  return true;
}

void Overlay::TakeBack(size_t n) {
  Cache::Row& row = cache_.rows_[row_];
  for (; n > 0; --n) {
    const berth_pod& pod = *row.views.back();
    row.views.pop_back();
    row.ports.resize(row.ports.size() - pod.ports->items.n);
    Account(pod, -1);
    MarkChanged();
  }
}

void Overlay::End() {
  if (!active()) return;
  ColumnStore& store = cache_.store_;
  for (const Cell& cell : cells_) Show(cell, cell.saved);
  ShowNonZero(saved_cpu_, saved_memory_);
  store.Cells<int64_t>(cache_.pod_count_)[row_] = saved_count_;
  store.Cells<int64_t>(cache_.generation_column_)[row_] = saved_generation_;
  cache_.rows_[row_].views = saved_views_;
  cache_.rows_[row_].ports = saved_ports_;
  row_ = kNoRow;
}

void Overlay::Account(const berth_pod& pod, int64_t sign) {
  const api::AccountedRequests accounted = api::ResourcesBlockOf(pod.resources).Accounted(cache_.words_);
  ColumnStore& store = cache_.store_;
  for (const berth_amount& amount : accounted.requested->amounts) {
    const auto cell = std::find_if(cells_.begin(), cells_.end(), [&](const Cell& c) { return c.name == amount.name; });
    if (cell == cells_.end()) continue;
    // Unsigned, so that absurd sums wrap as Go's do instead of being undefined.
    const auto before = static_cast<uint64_t>(store.Cells<int64_t>(cell->columns->requested)[row_]);
    Show(*cell, static_cast<int64_t>(before + static_cast<uint64_t>(sign) * static_cast<uint64_t>(amount.value)));
  }
  ShowNonZero(store.Cells<int64_t>(cache_.nonzero_cpu_)[row_] + sign * accounted.non_zero_cpu_milli,
              store.Cells<int64_t>(cache_.nonzero_memory_)[row_] + sign * accounted.non_zero_memory);
  store.Cells<int64_t>(cache_.pod_count_)[row_] += sign;
}

void Overlay::Show(const Cell& cell, int64_t value) {
  ColumnStore& store = cache_.store_;
  store.Cells<int64_t>(cell.columns->requested)[row_] = value;
  store.Cells<double>(cell.columns->requested_f64)[row_] = static_cast<double>(value);
  cell.columns->exact = cell.columns->exact && IsExact(value);
}

void Overlay::ShowNonZero(int64_t cpu, int64_t memory) {
  ColumnStore& store = cache_.store_;
  store.Cells<int64_t>(cache_.nonzero_cpu_)[row_] = cpu;
  store.Cells<double>(cache_.nonzero_cpu_f64_)[row_] = static_cast<double>(cpu);
  store.Cells<int64_t>(cache_.nonzero_memory_)[row_] = memory;
  store.Cells<double>(cache_.nonzero_memory_f64_)[row_] = static_cast<double>(memory);
  cache_.nonzero_exact_ = cache_.nonzero_exact_ && IsExact(cpu) && IsExact(memory);
}

void Overlay::MarkChanged() { cache_.store_.Cells<int64_t>(cache_.generation_column_)[row_] = ++cache_.generation_; }

}  // namespace berth::cache
