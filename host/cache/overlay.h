// Pods put on a row for a moment: how nominated pods and preemption trials are tried. The row's cells are changed in
// place, so pointers that plugins hold stay right, and put back when the overlay goes. Kept results must not be used
// for the row meanwhile: nothing is entered into the change logs or the delta feed. Thread: scheduling thread, inside a
// cycle; one overlay per row at a time.
#pragma once

#include <vector>

#include "cache/cache.h"

namespace berth::cache {

class Overlay {
 public:
  Overlay(Cache& cache, uint32_t row) : cache_(cache), row_(row) {}
  ~Overlay();
  Overlay(const Overlay&) = delete;
  void Add(const api::PodRef& pod);

 private:
  void MarkChanged();
  Cache& cache_;
  const uint32_t row_;
  std::vector<api::PodRef> added_;
};

}  // namespace berth::cache
