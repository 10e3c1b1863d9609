// Filtering: the number of pods per domain for each DoNotSchedule constraint, and the domains in which the pod would
// exceed the skew. Source: preFilterState, updateWithPod and Filter of
// pkg/scheduler/framework/plugins/podtopologyspread/filtering.go. HardBase is computed once per pod and shared by all
// trials of the cycle. A HardState is a reference to it and the few counts that a trial changed, so copies are small.
// Thread: HardBase is created in [serial] calls. One [parallel] call at a time changes a HardState.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "../common/lease.h"
#include "constraint.h"
#include "inclusion.h"
#include "tally.h"

namespace plugins::spread {

// The counts of one constraint. Vectors are by cell, see tally.h.
struct HardCounts {
  berth::sdk::Domains domains;
  std::vector<int32_t> pods;
  std::vector<uint8_t> there;  // 1: the cell has a node that counts
  Lowest lowest;
  int32_t max_skew = 0, min_domains = 1;
  bool self = false;  // the pod matches its own constraint, so it will count
  uint8_t barriers = 0;

  void Count(const Constraint& constraint, const Inclusion& inclusion, std::span<const int32_t> pods_of_row) {
    max_skew = constraint.max_skew;
    min_domains = constraint.min_domains;
    barriers = inclusion.Barriers(constraint);
    pods.assign(domains.size() + 1, 0);
    there.assign(domains.size() + 1, 0);
    AddPods(domains.of_row(), pods_of_row, inclusion.against(), barriers, pods);
    MarkCells(domains, inclusion.against(), barriers, there.data());
    lowest = FindLowest(pods.data(), there.data(), pods.size());
  }
  uint32_t Cell(uint32_t row) const { return CellOf(domains[row]); }
  // The largest count with which a domain can take the pod, if the smallest count is `least`.
  int64_t Most(int64_t least) const {
    if (static_cast<int64_t>(lowest.there) < min_domains) least = 0;
    return int64_t{max_skew} - (self ? 1 : 0) + least;
  }
};

// A constraint in the form in which rows are checked.
struct Limit {
  const uint32_t* domain_of_row;
  const int32_t* pods;  // per cell
  int64_t most;         // in a domain that has room
};

struct HardBase {
  Constraints constraints;
  Inclusion inclusion;
  std::vector<HardCounts> counts;  // the first constraints.size() are in use
  std::vector<Limit> limits;

  // Once all is counted.
  void SetLimits() {
    limits.clear();
    for (size_t i = 0; i < constraints.size(); ++i) {
      const HardCounts& one = counts[i];
      limits.push_back({one.domains.of_row().data(), one.pods.data(), one.Most(one.lowest.first)});
    }
  }
};

enum class Room : uint8_t { kYes, kFull, kNoKey };

class HardState {
 public:
  explicit HardState(const Pool<HardBase>::Lease& base) : base_(base) {}

  const HardBase& base() const { return *base_; }

  // A trial adds a pod that matches this constraint to the row (by = 1) or removes it (-1).
  void Change(size_t constraint, uint32_t row, int32_t by) {
    const uint32_t cell = base_->counts[constraint].Cell(row);
    for (Changed& one : changed_) {
      if (one.constraint != constraint || one.cell != cell) continue;
      one.pods += by;
      return;
    }
    changed_.push_back({constraint, cell, base_->counts[constraint].pods[cell] + int64_t{by}});
  }

  // Calls fn(i, Room) for every row that some constraint rejects, with the first such constraint.
  template <class Fn>
  void EachRefused(const berth::sdk::Rows& rows, Fn&& fn) const {
    if (!changed_.empty()) return EachRefusedNow(rows, fn);
    const std::span<const Limit> limits(base_->limits);
    if (limits.size() > 1) return EachRefusedBy(rows, limits, fn);
    EachRefusedBy(rows, limits.first<1>(), fn);
  }

 private:
  struct Changed {
    size_t constraint;
    uint32_t cell;
    int64_t pods;  // now
  };
  template <size_t N, class Fn>
  static void EachRefusedBy(const berth::sdk::Rows& rows, std::span<const Limit, N> limits, Fn& fn) {
    rows.ForEachLive([&fn, limits](uint32_t i, uint32_t row) {
      for (const Limit& limit : limits) {
        const uint32_t cell = CellOf(limit.domain_of_row[row]);
        if (cell == 0) return fn(i, Room::kNoKey);
        if (limit.pods[cell] > limit.most) return fn(i, Room::kFull);
      }
    });
  }
  template <class Fn>
  void EachRefusedNow(const berth::sdk::Rows& rows, Fn& fn) const {
    rows.ForEachLive([&](uint32_t i, uint32_t row) {
      for (size_t c = 0; c < base_->constraints.size(); ++c) {
        const uint32_t cell = base_->counts[c].Cell(row);
        if (cell == 0) return fn(i, Room::kNoKey);
        if (PodsIn(c, cell) > base_->counts[c].Most(Least(c))) return fn(i, Room::kFull);
      }
    });
  }

  int64_t PodsIn(size_t constraint, uint32_t cell) const {
    for (const Changed& one : changed_) {
      if (one.constraint == constraint && one.cell == cell) return one.pods;
    }
    return base_->counts[constraint].pods[cell];
  }

  // The smallest count of a domain. A trial concerns one node and changes one cell of a constraint. If several cells
  // changed, all are read.
  int64_t Least(size_t constraint) const {
    const HardCounts& counts = base_->counts[constraint];
    const Changed* change = nullptr;
    for (const Changed& one : changed_) {
      if (one.constraint != constraint) continue;
      if (change != nullptr) return LeastOfAll(constraint);
      change = &one;
    }
    return change == nullptr ? counts.lowest.first : counts.lowest.With(counts.pods[change->cell], change->pods);
  }
  int64_t LeastOfAll(size_t constraint) const {
    const HardCounts& counts = base_->counts[constraint];
    int64_t least = Lowest::kNone;
    for (uint32_t cell = 1; cell < counts.pods.size(); ++cell) {
      if (counts.there[cell] != 0) least = std::min(least, PodsIn(constraint, cell));
    }
    return least;
  }

  Pool<HardBase>::Lease base_;
  std::vector<Changed> changed_;
};

}  // namespace plugins::spread
