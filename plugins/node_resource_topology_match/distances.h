// How far the zones of a node are from each other: the sum of the costs of all ordered pairs of a set of zones, each
// zone with itself included. Nodes with equal costs share one table. Source: nodesAvgDistance and
// minAvgDistanceInCombinations of pkg/noderesourcetopology/least_numa.go of kubernetes-sigs/scheduler-plugins.
// Thread: tables are made in one thread and read in any.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "topology.h"

namespace plugins::node_topology {

inline constexpr uint32_t kUnknownCost = 255;     // as the ACPI table of distances has it
inline constexpr uint32_t kMostTabledZones = 16;  // 2^16 sums of 4 bytes
inline constexpr uint32_t kMostOfMany = 3;        // the largest set that is tried on nodes with more zones

using Costs = std::vector<uint32_t>;  // of n * n pairs of zones: from, to

inline Costs CostsOf(const std::vector<Zone>& zones) {
  Costs costs;
  for (const Zone& from : zones) {
    for (const Zone& to : zones) {
      const auto is_to = [&to](const auto& cost) { return cost.first == to.id; };
      const auto at = std::find_if(from.costs.begin(), from.costs.end(), is_to);
      costs.push_back(at == from.costs.end() ? kUnknownCost : at->second);
    }
  }
  return costs;
}

class Distances {
 public:
  Distances(Costs costs, uint32_t zones) : costs_(std::move(costs)), zones_(zones), most_(zones) {
    if (zones > kMostTabledZones) most_ = kMostOfMany;
    least_.resize(size_t{most_} + 1);
    for (uint32_t size = 1; size <= most_; ++size) least_[size] = uint64_t{kUnknownCost} * size * size;
    if (zones > kMostTabledZones) {
      Visit(0, 0, 0);
    } else {
      FillSums();
    }
  }

  // Of the zones whose bits are set.
  uint64_t Sum(uint64_t set) const { return sums_.empty() ? Count(set) : sums_[set]; }
  // The least sum of any set of this many zones, at most that of unknown costs. 0 < size <= most().
  uint64_t Least(uint32_t size) const { return least_[size]; }
  // The largest size of a set that is tried.
  uint32_t most() const { return most_; }

 private:
  uint32_t Cost(uint32_t from, uint32_t to) const { return costs_[size_t{from} * zones_ + to]; }
  static uint32_t Lowest(uint64_t set) { return static_cast<uint32_t>(std::countr_zero(set)); }

  // The sum of a set is that of the set without its lowest zone, and the costs between this zone and the others.
  void FillSums() {
    sums_.assign(size_t{1} << zones_, 0);
    for (uint64_t set = 1; set < sums_.size(); ++set) {
      const uint64_t rest = set & (set - 1);
      sums_[set] = static_cast<uint32_t>(sums_[rest] + Joining(Lowest(set), rest));
      Lower(set, sums_[set]);
    }
  }
  // All sets of at most most_ zones, from `first` on.
  void Visit(uint64_t set, uint32_t first, uint32_t size) {
    if (size > 0) Lower(set, Count(set));
    if (size == most_) return;
    for (uint32_t zone = first; zone < zones_; ++zone) Visit(set | uint64_t{1} << zone, zone + 1, size + 1);
  }
  void Lower(uint64_t set, uint64_t sum) {
    uint64_t& least = least_[static_cast<size_t>(std::popcount(set))];
    least = std::min(least, sum);
  }

  uint64_t Joining(uint32_t zone, uint64_t others) const {
    uint64_t sum = Cost(zone, zone);
    for (; others != 0; others &= others - 1) sum += Cost(zone, Lowest(others)) + Cost(Lowest(others), zone);
    return sum;
  }
  uint64_t Count(uint64_t set) const {
    uint64_t sum = 0;
    for (; set != 0; set &= set - 1) sum += Joining(Lowest(set), set & (set - 1));
    return sum;
  }

  const Costs costs_;
  uint32_t zones_, most_;
  std::vector<uint32_t> sums_;   // by set; empty: too many zones
  std::vector<uint64_t> least_;  // by size
};

// One table for each different list of costs that a node has.
class DistanceTables {
 public:
  std::shared_ptr<const Distances> Of(const std::vector<Zone>& zones) {
    Costs costs = CostsOf(zones);
    if (const auto known = tables_.find(costs); known != tables_.end()) {
      if (auto shared = known->second.lock()) return shared;
    }
    std::erase_if(tables_, [](const auto& entry) { return entry.second.expired(); });
    auto made = std::make_shared<const Distances>(costs, static_cast<uint32_t>(zones.size()));
    tables_.emplace(std::move(costs), made);
    return made;
  }

 private:
  std::map<Costs, std::weak_ptr<const Distances>> tables_;
};

}  // namespace plugins::node_topology
