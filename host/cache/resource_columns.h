// What nodes offer of each resource and what the pods on rows request of it: four columns for cpu, memory,
// ephemeral-storage and pods, and for every other resource as long as a node offers it.
// Source of which resources count: NodeInfo.Requested, core.md 6.5.
//
// Thread: scheduling thread; Find from any thread during a cycle. Ownership: owns one reference of every name.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>

#include "api/resources.h"
#include "cache/column_store.h"
#include "cache/unoffered_requests.h"

namespace berth::cache {

class ResourceColumns {
 public:
  struct Columns {
    uint32_t nodes = 0;  // that offer it
    bool exact = true;   // no cell ever reached 2^53
    ColumnStore::Handle allocatable = 0, allocatable_f64 = 0, requested = 0, requested_f64 = 0;
  };

  ResourceColumns(api::Vocabulary& words, ColumnStore& store);
  ~ResourceColumns();
  ResourceColumns(const ResourceColumns&) = delete;

  // ---- between cycles: columns come and go
  // The row's node offers `after`, and `before` no longer.
  void Offer(uint32_t row, std::span<const berth_amount> before, std::span<const berth_amount> after);
  void HideColumns() { unoffered_.HideColumns(); }  // of resources that no node offers; answers to Find end with it

  // A pod came to the row (+1) or left it (-1).
  void Account(uint32_t row, std::span<const berth_amount> requested, int64_t sign);

  // what: BERTH_NODE_ALLOCATABLE, ..._REQUESTED or their mirrors. false: every cell is 0.
  bool Find(uint32_t what, base::Id name, berth_column* out) const;

  // Changes whenever columns came or went.
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

  api::Vocabulary& words_;
  ColumnStore& store_;
  std::unordered_map<base::Id, Columns> offered_;
  UnofferedRequests unoffered_;
  uint64_t version_ = 0;
};

}  // namespace berth::cache
