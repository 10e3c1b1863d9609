// The requests of the pods on rows for resources that no node offers. Tenants choose these names, so they get no
// columns: there is one sum per row with such requests, and a name is removed with its last sum. If a plugin asks for
// such a resource, a column is created for the rest of the cycle.
//
// Thread: the scheduling thread; Show from any thread while nothing changes. Ownership: owns one reference of every
// name.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/intern.h"
#include "scheduler/cache/shown_in_cycle.h"

namespace berth::cache {

class UnofferedRequests {
 public:
  struct RowSum {
    uint32_t row;
    int64_t sum;  // modulo 2^64, like sums in Go; never 0 between cycles
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
  // Like Add, for a trial that ends with Add of the negative value. Returns false, and adds nothing, if no row has the
  // name.
  bool Try(base::Id name, uint32_t row, int64_t value);
  // Removes the name and returns its sums.
  std::vector<RowSum> Take(base::Id name);

  // nullptr: all sums are 0. Valid until HideColumns. capacity: rows of the column, the same in all calls until then.
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
