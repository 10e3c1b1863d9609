// Adds the exclusive resources of victims to the zones where they run, as if the victims had left. Source:
// pkg/noderesourcetopology/preemption/preemption.go of kubernetes-sigs/scheduler-plugins.
// Thread: one at a time; one for each call.
#pragma once

#include <berth/plugin.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "board.h"
#include "demand.h"
#include "misfit.h"
#include "row_zones.h"
#include "victims.h"

namespace plugins::node_topology {

class Eviction {
 public:
  // Null: this is no trial.
  Eviction(const Board& board, const Demand& demand, const Victims* victims)
      : board_(board), demand_(demand), victims_(victims) {}

  bool simulated() const { return victims_ != nullptr && !victims_->empty(); }

  // A row whose placement is not known stays as it is.
  Misfit Apply(uint32_t row, RowZones& zones) {
    if (!simulated() || board_.PlacementOn(row).empty()) return Misfit::kNone;
    if (!Collect(row)) return Misfit::kNothingToAdd;
    for (const Sum& sum : sums_) {
      if (!Fits(row, sum)) return Misfit::kTooMuchToAdd;
      AddTo(zones, sum);
    }
    return Misfit::kNone;
  }

 private:
  struct Sum {
    berth::sdk::Id name;
    uint32_t zone;
    __int128 amount;
  };

  // Whether there is anything to add.
  bool Collect(uint32_t row) {
    sums_.clear();
    bool any = false;
    victims_->ForEachRelease([&](const Release& release) {
      const Placed* placed = PlacedOn(row, release.container);
      if (placed == nullptr || (release.device && !Lists(row, release.name))) return;
      any = true;
      if (placed->zone < board_.At(row).zones) SumOf(release.name, placed->zone).amount += release.amount;
    });
    return any;
  }
  const Placed* PlacedOn(uint32_t row, uint64_t container) const {
    const Placement& placement = board_.PlacementOn(row);
    const auto before = [](const Placed& placed, uint64_t hash) { return placed.container < hash; };
    const auto at = std::lower_bound(placement.begin(), placement.end(), container, before);
    return at == placement.end() || at->container != container ? nullptr : &*at;
  }
  bool Lists(uint32_t row, berth::sdk::Id name) const {
    const int64_t* cells = board_.Column(name);
    if (cells == nullptr) return false;
    cells += size_t{row} * board_.width();
    return std::any_of(cells, cells + board_.width(), [](int64_t cell) { return cell != kUnlisted; });
  }
  Sum& SumOf(berth::sdk::Id name, uint32_t zone) {
    const auto same = [&](const Sum& sum) { return sum.name == name && sum.zone == zone; };
    const auto at = std::find_if(sums_.begin(), sums_.end(), same);
    return at == sums_.end() ? sums_.emplace_back(Sum{name, zone, 0}) : *at;
  }

  // A resource that the zone does not list cannot exceed it.
  bool Fits(uint32_t row, const Sum& sum) const {
    const int64_t *cells = board_.Column(sum.name), *limits = board_.Limits(sum.name);
    const size_t at = size_t{row} * board_.width() + sum.zone;
    return cells == nullptr || cells[at] == kUnlisted || cells[at] + sum.amount <= limits[at];
  }
  // An amount that fits is not larger than a cell.
  void AddTo(RowZones& zones, const Sum& sum) const {
    for (uint32_t place = 0; place < demand_.resources().size(); ++place) {
      int64_t& cell = zones.Cells(place)[sum.zone];
      if (demand_.resources()[place].name == sum.name && cell != kUnlisted) cell += static_cast<int64_t>(sum.amount);
    }
  }

  const Board& board_;
  const Demand& demand_;
  const Victims* const victims_;
  std::vector<Sum> sums_;
};

}  // namespace plugins::node_topology
