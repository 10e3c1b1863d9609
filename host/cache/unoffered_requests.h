// What the pods on rows request of resources that no node offers. Tenants choose those names, so they get no columns:
// there is one sum for each row that has any, and a name is forgotten with its last sum. A plugin that asks for such a
// resource is shown a column that is made then and kept for the cycle.
//
// Thread: scheduling thread; Show from any thread while nothing changes. Ownership: owns one reference of every name.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/intern.h"
#include "cache/shown_in_cycle.h"

namespace berth::cache {

class UnofferedRequests {
 public:
  struct RowSum {
    uint32_t row;
    int64_t sum;  // modulo 2^64, as Go's sums; never 0 between cycles
  };
  struct Column {
    std::vector<int64_t> sums;  // by row
    std::vector<double> mirror;
    bool exact = true;  // see BERTH_COLUMN_EXACT
  };

  explicit UnofferedRequests(base::InternTable& ids) : ids_(ids) {}
  ~UnofferedRequests();
  UnofferedRequests(const UnofferedRequests&) = delete;

  // Adds to the sum of the row.
  void Add(base::Id name, uint32_t row, int64_t value);
  // As Add, for a trial that Add with the negative value ends; false, and nothing is added, when no row has the name.
  bool Try(base::Id name, uint32_t row, int64_t value);
  // The sums, which are forgotten.
  std::vector<RowSum> Take(base::Id name);

  // nullptr: all sums are 0. Good until HideColumns. capacity: of rows, the same until then.
  const Column* Show(base::Id name, uint32_t capacity) const;
  void HideColumns() { shown_.Clear(); }

  size_t n_names() const { return by_name_.size(); }
  // fn(name, RowSum)
  template <class Fn>
  void ForEach(Fn&& fn) const {
    for (const auto& [name, sums] : by_name_) {
      for (const RowSum& sum : sums) fn(name, sum);
    }
  }

 private:
  using Sums = std::vector<RowSum>;  // ascending rows
  Sums::iterator Change(Sums& sums, base::Id name, uint32_t row, int64_t value);

  base::InternTable& ids_;
  std::unordered_map<base::Id, Sums> by_name_;
  mutable ShownInCycle<Column> shown_;
};

}  // namespace berth::cache
