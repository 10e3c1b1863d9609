// A row as if pods had left it or come: how nominated pods and preemption trials are tried. The row's cells and lists
// are changed in place, so pointers that plugins hold stay right, and End puts everything back, the generation and the
// order of the pods included: that is why answers that are kept for the row stay good, and why none may be taken for it
// meanwhile. Nothing enters the change logs or the delta feed, and Cache::pods() goes on naming who really is there.
//
// Thread: scheduling thread, inside a cycle; one overlay per row at a time. Ownership: pods are the caller's until End;
// the object keeps its memory from one use to the next.
#pragma once

#include <vector>

#include "cache/cache.h"

namespace berth::cache {

class Overlay {
 public:
  explicit Overlay(Cache& cache) : cache_(cache) {}
  ~Overlay() { End(); }
  Overlay(const Overlay&) = delete;

  void Begin(uint32_t row);  // a live one
  bool active() const { return row_ != kNoRow; }
  uint32_t row() const { return row_; }
  void Add(const berth_pod& pod);
  bool Remove(const berth_pod& pod);  // false: it is not on the row; compared by address
  // The n pods that were added last leave again.
  void TakeBack(size_t n);
  // What the pods of the row request in sum, as a number: it is never two sums' in one use, but one sum may have
  // several. A pod that comes back right after it left, or one that requests the same, brings the number back.
  uint64_t requested() const { return requested_; }
  void End();

 private:
  // One resource's cells of the row. No column comes while there is an overlay, so they stay where they are.
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
  // What a pod adds to one of them.
  struct Share {
    uint32_t cell;
    int64_t value;
  };
  // The same of a resource that no node offers.
  struct Unoffered {
    base::Id name;
    int64_t value;
  };
  // Of the pod that came or went last: pods of a node tend to be alike.
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
  // The last step between two sums, and back.
  struct Step {
    uint64_t without = 0, with = 0;
    const berth_resources* resources = nullptr;
  };
  uint64_t requested_ = 0, last_number_ = 0;
  Step step_;
  uint64_t resources_known_ = 0;  // ResourceColumns::version; the first is past 0
  std::vector<Unoffered> tried_;
  int64_t saved_generation_ = 0, saved_count_ = 0, saved_cpu_ = 0, saved_memory_ = 0;
  std::vector<const berth_pod*> saved_views_;
  std::vector<berth_host_port> saved_ports_;
};

}  // namespace berth::cache
