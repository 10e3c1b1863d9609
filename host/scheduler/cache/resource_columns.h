// The allocatable amount of each resource and the amount that the row's pods request. cpu, memory, ephemeral-storage,
// and pods always have columns; every other resource has them while a node offers it. Source:
// pkg/scheduler/framework/types.go NodeInfo.Requested, Resource.Add.
//
// Thread: the scheduling thread; Find from any thread during a cycle. Ownership: owns one reference of every name.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>

#include "api/resources.h"
#include "scheduler/cache/column_store.h"
#include "scheduler/cache/unoffered_requests.h"

namespace berth::cache {

class ResourceColumns {
 public:
  struct Columns {
    uint32_t nodes = 0;  // number of nodes that offer it
    bool exact = true;   // no cell has ever reached 2^53
    ColumnStore::Handle allocatable = 0, allocatable_f64 = 0, requested = 0, requested_f64 = 0;
  };

  ResourceColumns(api::InternTables& intern, ColumnStore& store);
  ~ResourceColumns();
  ResourceColumns(const ResourceColumns&) = delete;

  // ---- between cycles: columns are opened and closed
  // Changes the offer of the row's node from `before` to `after`.
  void Offer(uint32_t row, std::span<const berth_amount> before, std::span<const berth_amount> after);
  void HideColumns() { unoffered_.HideColumns(); }  // of resources that no node offers; invalidates results of Find

  // Adds (sign +1) or subtracts (sign -1) the requests of a pod.
  void Account(uint32_t row, std::span<const berth_amount> requested, int64_t sign);

  // what: BERTH_NODE_ALLOCATABLE, ..._REQUESTED, or their mirrors. Returns false if every cell is 0.
  bool Find(uint32_t what, base::Id name, berth_column* out) const;

  // Changes when a column is opened or closed.
  uint64_t version() const { return version_; }
  std::unordered_map<base::Id, Columns>& offered() { return offered_; }
  UnofferedRequests& unoffered() { return unoffered_; }
  const UnofferedRequests& unoffered() const { return unoffered_; }

 private:
  bool Counts(const berth_amount& amount) const;
  Columns& Open(base::Id name);
  void Close(base::Id name);
  void SetAllocatable(Columns& columns, uint32_t row, int64_t value);
  void SetRequested(Columns& columns, uint32_t row, int64_t value);

  api::InternTables& intern_;
  ColumnStore& store_;
  std::unordered_map<base::Id, Columns> offered_;
  UnofferedRequests unoffered_;
  uint64_t version_ = 0;
};

}  // namespace berth::cache
