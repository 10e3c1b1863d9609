#include "scheduler/cache/resource_columns.h"

namespace berth::cache {

ResourceColumns::ResourceColumns(api::InternTables& intern, ColumnStore& store)
    : intern_(intern), store_(store), unoffered_(intern.ids) {
  // never removed
  for (base::Id name : {intern.cpu, intern.memory, intern.ephemeral_storage, intern.pods}) ++Open(name).nodes;
}

ResourceColumns::~ResourceColumns() {
  for (const auto& [name, columns] : offered_) intern_.ids.Drop(name);
}

// False for resources that are neither one of the basic four nor scalar; NodeInfo ignores them.
bool ResourceColumns::Counts(const berth_amount& amount) const {
  return (amount.flags & BERTH_AMOUNT_SCALAR) != 0 || offered_.count(amount.name) != 0;
}

void ResourceColumns::Offer(uint32_t row, std::span<const berth_amount> before, std::span<const berth_amount> after) {
  HideColumns();
  // First, so resources in both lists keep their columns.
  for (const berth_amount& a : after) {
    if (Counts(a)) ++Open(a.name).nodes;
  }
  for (const berth_amount& a : before) {
    if (!Counts(a)) continue;
    Columns& columns = offered_.at(a.name);
    SetAllocatable(columns, row, 0);
    if (--columns.nodes == 0) Close(a.name);
  }
  for (const berth_amount& a : after) {
    if (Counts(a)) SetAllocatable(offered_.at(a.name), row, a.value);
  }
}

ResourceColumns::Columns& ResourceColumns::Open(base::Id name) {
  const auto [it, fresh] = offered_.try_emplace(name);
  Columns& columns = it->second;
  if (!fresh) return columns;
  intern_.ids.Keep(name);
  ++version_;
  for (ColumnStore::Handle* handle :
       {&columns.allocatable, &columns.allocatable_f64, &columns.requested, &columns.requested_f64}) {
    *handle = store_.Open(8);
  }
  for (const UnofferedRequests::RowSum& at : unoffered_.Take(name)) SetRequested(columns, at.row, at.sum);
  return columns;
}

void ResourceColumns::Close(base::Id name) {
  const Columns columns = offered_.at(name);
  const int64_t* requested = store_.Cells<int64_t>(columns.requested);
  for (uint32_t row = 0; row < store_.capacity(); ++row) unoffered_.Add(name, row, requested[row]);
  for (ColumnStore::Handle handle :
       {columns.allocatable, columns.allocatable_f64, columns.requested, columns.requested_f64}) {
    store_.Close(handle);
  }
  offered_.erase(name);
  intern_.ids.Drop(name);
  ++version_;
}

void ResourceColumns::Account(uint32_t row, std::span<const berth_amount> requested, int64_t sign) {
  for (const berth_amount& a : requested) {
    // Unsigned arithmetic: large sums wrap as in Go, and are not undefined behavior.
    const uint64_t change = static_cast<uint64_t>(sign) * static_cast<uint64_t>(a.value);
    if (const auto it = offered_.find(a.name); it != offered_.end()) {
      if (a.name == intern_.pods) continue;
      const auto before = static_cast<uint64_t>(store_.Cells<int64_t>(it->second.requested)[row]);
      SetRequested(it->second, row, static_cast<int64_t>(before + change));
    } else if ((a.flags & BERTH_AMOUNT_SCALAR) != 0) {
      unoffered_.Add(a.name, row, static_cast<int64_t>(change));
    }
  }
}

void ResourceColumns::SetAllocatable(Columns& columns, uint32_t row, int64_t value) {
  store_.Cells<int64_t>(columns.allocatable)[row] = value;
  store_.Cells<double>(columns.allocatable_f64)[row] = static_cast<double>(value);
  columns.exact = columns.exact && IsExact(value);
}

void ResourceColumns::SetRequested(Columns& columns, uint32_t row, int64_t value) {
  store_.Cells<int64_t>(columns.requested)[row] = value;
  store_.Cells<double>(columns.requested_f64)[row] = static_cast<double>(value);
  columns.exact = columns.exact && IsExact(value);
}

bool ResourceColumns::Find(uint32_t what, base::Id name, berth_column* out) const {
  const bool mirror = what == BERTH_NODE_ALLOCATABLE_F64 || what == BERTH_NODE_REQUESTED_F64;
  const bool requested = what == BERTH_NODE_REQUESTED || what == BERTH_NODE_REQUESTED_F64;
  const auto answer = [&](const void* cells, bool exact) {
    out->type = mirror ? BERTH_COLUMN_F64 : BERTH_COLUMN_I64;
    out->rows = store_.capacity();
    out->flags = exact ? BERTH_COLUMN_EXACT : 0;
    out->cells = cells;
    return true;
  };
  if (const auto it = offered_.find(name); it != offered_.end()) {
    const Columns& c = it->second;
    const ColumnStore::Handle handle =
        requested ? (mirror ? c.requested_f64 : c.requested) : (mirror ? c.allocatable_f64 : c.allocatable);
    return answer(store_.Cells<std::byte>(handle), c.exact);
  }
  const UnofferedRequests::Column* column = requested ? unoffered_.Show(name, store_.capacity()) : nullptr;
  if (column == nullptr) return false;
  return mirror ? answer(column->mirror.data(), column->exact) : answer(column->sums.data(), column->exact);
}

}  // namespace berth::cache
