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
  void End();

 private:
  // One resource's cells of the row.
  struct Cell {
    base::Id name;
    Cache::ResourceColumns* columns;
    int64_t saved;
  };
  void FindResources();
  void Account(const berth_pod& pod, int64_t sign);
  void Show(const Cell& cell, int64_t value);
  void ShowNonZero(int64_t cpu, int64_t memory);
  void MarkChanged();

  Cache& cache_;
  uint32_t row_ = kNoRow;
  std::vector<Cell> cells_;
  size_t resources_known_ = 0;
  int64_t saved_generation_ = 0, saved_count_ = 0, saved_cpu_ = 0, saved_memory_ = 0;
  std::vector<const berth_pod*> saved_views_;
  std::vector<berth_host_port> saved_ports_;
};

}  // namespace berth::cache
