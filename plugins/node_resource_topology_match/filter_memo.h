// What Filter found for pods with the same resources, of each row, until the row changes. The host cannot keep these
// results: a cache has to learn of each pod and node that Filter rejects.
//
// Thread: Begin in [serial] calls; Find in [parallel] calls about different rows. Ownership: none.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "misfit.h"

namespace plugins::node_topology {

class FilterMemo {
 public:
  class Results {
   public:
    // version: of the row, not 0. compute: returns the Misfit of the row.
    template <class Compute>
    Misfit Of(uint32_t row, uint32_t version, Compute&& compute) {
      if (row >= rows_.size()) return compute();
      Row& known = rows_[row];
      if (known.version != version) known = {version, compute()};
      return known.misfit;
    }

   private:
    friend class FilterMemo;
    struct Row {
      uint32_t version = 0;
      Misfit misfit = Misfit::kNone;
    };

    uint32_t resources_ = 0;
    std::vector<Row> rows_;
  };

  // A cycle of a pod with these resources (berth_resources.content) begins, in a cluster with this many rows.
  void Begin(uint32_t resources, size_t rows) {
    Results* of = Find(resources);
    if (of == nullptr) {
      of = &all_[next_];
      next_ = (next_ + 1) % all_.size();
      of->resources_ = resources;
      of->rows_.clear();
    }
    if (of->rows_.size() < rows) of->rows_.resize(rows);
  }
  // Null: there are none for these resources.
  Results* Find(uint32_t resources) {
    const auto at =
        std::find_if(all_.begin(), all_.end(), [resources](const Results& one) { return one.resources_ == resources; });
    return resources == 0 || at == all_.end() ? nullptr : &*at;
  }

 private:
  static constexpr size_t kMost = 4;  // a workload has few different pods at a time

  std::array<Results, kMost> all_;
  size_t next_ = 0;
};

}  // namespace plugins::node_topology
