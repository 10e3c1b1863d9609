// Changes a row as if pods had left or joined the node, to try nominated pods and preemption. The row's cells and lists
// are changed in place, so pointers that plugins hold stay valid. End restores everything, the generation and the order
// of the pods included. Results that are kept for the row therefore stay valid, but no result may be kept while the
// overlay is active. The change logs and the delta feed record nothing, and Cache::pods() returns the pods that are
// really on the node.
//
// Thread: the scheduling thread, inside a cycle; one overlay per row at a time. Ownership: the caller owns the pods
// until End. The object keeps its memory between uses.
#pragma once

#include <vector>

#include "scheduler/cache/cache.h"

namespace berth::cache {

class Overlay {
 public:
  explicit Overlay(Cache& cache) : cache_(cache) {}
  ~Overlay() { End(); }
  Overlay(const Overlay&) = delete;

  void Begin(uint32_t row);  // the row must be in use
  bool active() const { return row_ != kNoRow; }
  uint32_t row() const { return row_; }
  void Add(const berth_pod& pod);
  bool Remove(const berth_pod& pod);  // false: not on the row; compares addresses
  // Removes the n pods that were added last.
  void TakeBack(size_t n);
  // A number for the sum of the requests of the row's pods. In one use, different sums have different numbers, but one
  // sum may have several numbers. The number is the same again if a pod returns right after it left, or if a pod with
  // equal requests takes its place.
  uint64_t requested() const { return requested_; }
  void End();

 private:
  // The row's cells of one resource. They do not move, because no column is opened while an overlay is active.
  struct Cell {
    base::Id name;
    ResourceColumns::Columns* columns;
    int64_t* requested;
    double* requested_f64;
    int64_t saved;
  };
  struct Cells {
    int64_t *generation, *count, *cpu, *memory;
    double *cpu_f64, *memory_f64;
  };
  // What a pod adds to a cell.
  struct Share {
    uint32_t cell;
    int64_t value;
  };
  // What a pod adds to the sum of a resource that no node offers.
  struct Unoffered {
    base::Id name;
    int64_t value;
  };
  // The shares of the pod that was added or removed last; pods of a node are often alike.
  struct Shares {
    const berth_resources* of = nullptr;
    std::vector<Share> cells;
    std::vector<Unoffered> unoffered;
    int64_t cpu_milli = 0, memory = 0;
  };
  void FindResources();
  void FindShares(const berth_pod& pod);
  void Account(const berth_pod& pod, int64_t sign);
  void Number(const berth_resources* came_or_went, int64_t sign);
  void FindCells();
  static void Show(const Cell& cell, int64_t value);
  void Try(base::Id name, int64_t value);
  void ShowNonZero(int64_t cpu, int64_t memory);
  void MarkChanged() { *at_.generation = ++cache_.generation_; }

  Cache& cache_;
  uint32_t row_ = kNoRow;
  std::vector<Cell> cells_;
  Cells at_{};
  Shares shares_;
  // The last step between two sums, in both directions.
  struct Step {
    uint64_t without = 0, with = 0;
    const berth_resources* resources = nullptr;
  };
  uint64_t requested_ = 0, last_number_ = 0;
  Step step_;
  uint64_t resources_known_ = 0;  // ResourceColumns::version at the last FindResources; versions start at 1
  std::vector<Unoffered> tried_;
  int64_t saved_generation_ = 0, saved_count_ = 0, saved_cpu_ = 0, saved_memory_ = 0;
  std::vector<const berth_pod*> saved_views_;
  std::vector<berth_host_port> saved_ports_;
};

}  // namespace berth::cache
