#include "scheduler/cache/overlay.h"

#include <algorithm>

namespace berth::cache {
namespace {

// Unsigned arithmetic: large sums wrap as in Go, and are not undefined behavior.
int64_t Signed(int64_t value, int64_t sign) {
  return static_cast<int64_t>(static_cast<uint64_t>(sign) * static_cast<uint64_t>(value));
}

}  // namespace

// Reads the resources with columns; they do not change during a cycle.
void Overlay::FindResources() {
  ResourceColumns& resources = cache_.resources_;
  if (resources_known_ == resources.version()) return;
  resources_known_ = resources.version();
  cells_.clear();
  for (auto& [name, columns] : resources.offered()) {
    if (name != cache_.intern_.pods) cells_.push_back({name, &columns, nullptr, nullptr, 0});
  }
}

void Overlay::FindCells() {
  ColumnStore& store = cache_.store_;
  for (Cell& cell : cells_) {
    cell.requested = store.Cells<int64_t>(cell.columns->requested) + row_;
    cell.requested_f64 = store.Cells<double>(cell.columns->requested_f64) + row_;
  }
  at_ = {
      store.Cells<int64_t>(cache_.generation_column_) + row_, store.Cells<int64_t>(cache_.pod_count_) + row_,
      store.Cells<int64_t>(cache_.nonzero_cpu_) + row_,       store.Cells<int64_t>(cache_.nonzero_memory_) + row_,
      store.Cells<double>(cache_.nonzero_cpu_f64_) + row_,    store.Cells<double>(cache_.nonzero_memory_f64_) + row_};
}

void Overlay::Begin(uint32_t row) {
  row_ = row;
  shares_.of = step_.resources = nullptr;  // its pods may no longer exist
  requested_ = ++last_number_;
  FindResources();
  FindCells();
  for (Cell& cell : cells_) cell.saved = *cell.requested;
  saved_generation_ = *at_.generation;
  saved_count_ = *at_.count;
  saved_cpu_ = *at_.cpu;
  saved_memory_ = *at_.memory;
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
  for (const Cell& cell : cells_) Show(cell, cell.saved);
  for (const Unoffered& tried : tried_) cache_.resources_.unoffered().Add(tried.name, row_, Signed(tried.value, -1));
  tried_.clear();
  ShowNonZero(saved_cpu_, saved_memory_);
  *at_.count = saved_count_;
  *at_.generation = saved_generation_;
  cache_.rows_[row_].views = saved_views_;
  cache_.rows_[row_].ports = saved_ports_;
  row_ = kNoRow;
}

void Overlay::FindShares(const berth_pod& pod) {
  const api::AccountedRequests accounted = api::ResourcesBlockOf(pod.resources).Accounted(cache_.intern_);
  shares_.of = pod.resources;
  shares_.cells.clear();
  shares_.unoffered.clear();
  for (const berth_amount& amount : accounted.requested->amounts) {
    const auto cell = std::find_if(cells_.begin(), cells_.end(), [&](const Cell& c) { return c.name == amount.name; });
    if (cell != cells_.end()) {
      shares_.cells.push_back({static_cast<uint32_t>(cell - cells_.begin()), amount.value});
    } else if ((amount.flags & BERTH_AMOUNT_SCALAR) != 0) {
      shares_.unoffered.push_back({amount.name, amount.value});
    }
  }
  shares_.cpu_milli = accounted.non_zero_cpu_milli;
  shares_.memory = accounted.non_zero_memory;
}

void Overlay::Account(const berth_pod& pod, int64_t sign) {
  if (shares_.of != pod.resources) FindShares(pod);
  for (const Share& share : shares_.cells) {
    const Cell& cell = cells_[share.cell];
    const auto before = static_cast<uint64_t>(*cell.requested);
    Show(cell, static_cast<int64_t>(before + static_cast<uint64_t>(Signed(share.value, sign))));
  }
  for (const Unoffered& share : shares_.unoffered) Try(share.name, Signed(share.value, sign));
  ShowNonZero(*at_.cpu + sign * shares_.cpu_milli, *at_.memory + sign * shares_.memory);
  *at_.count += sign;
  Number(pod.resources, sign);
}

void Overlay::Number(const berth_resources* came_or_went, int64_t sign) {
  uint64_t& here = sign > 0 ? step_.without : step_.with;
  uint64_t& there = sign > 0 ? step_.with : step_.without;
  if (step_.resources != came_or_went || here != requested_) {
    step_.resources = came_or_went;
    here = requested_;
    there = ++last_number_;
  }
  requested_ = there;
}

void Overlay::Try(base::Id name, int64_t value) {
  if (cache_.resources_.unoffered().Try(name, row_, value)) tried_.push_back({name, value});
}

void Overlay::Show(const Cell& cell, int64_t value) {
  *cell.requested = value;
  *cell.requested_f64 = static_cast<double>(value);
  if (!IsExact(value)) cell.columns->exact = false;
}

void Overlay::ShowNonZero(int64_t cpu, int64_t memory) {
  *at_.cpu = cpu;
  *at_.cpu_f64 = static_cast<double>(cpu);
  *at_.memory = memory;
  *at_.memory_f64 = static_cast<double>(memory);
  if (!IsExact(cpu) || !IsExact(memory)) cache_.nonzero_exact_ = false;
}

}  // namespace berth::cache
