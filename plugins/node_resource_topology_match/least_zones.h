// LeastNUMANodes: which zones the containers of a pod need, as few as possible and as near to each other as possible.
// Source: pkg/noderesourcetopology/least_numa.go of kubernetes-sigs/scheduler-plugins. Thread: one at a time.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "distances.h"
#include "row_zones.h"

namespace plugins::node_topology {

struct ZoneSet {
  uint64_t zones = 0;    // bits
  bool nearest = false;  // no other set of this size is nearer together
};

class LeastZones {
 public:
  explicit LeastZones(RowZones& zones) : zones_(zones) {}

  // Whether no zone lists any resource that the request names.
  bool TouchesNone(const std::vector<Want>& wants) const {
    return std::all_of(wants.begin(), wants.end(),
                       [this](const Want& want) { return zones_.Listing(want.resource) == 0; });
  }

  // The smallest set that satisfies the request, and of equal sizes the nearest; nullopt: there is none.
  std::optional<ZoneSet> Find(const std::vector<Want>& wants, const Distances& far) {
    const uint32_t candidates = Candidates(wants);
    const uint32_t most = std::min(far.most(), candidates);
    for (uint32_t size = 1; size <= most; ++size) {
      if (!MayFit(wants, candidates, size)) continue;
      if (auto found = FindOf(wants, far, candidates, size)) return found;
    }
    return std::nullopt;
  }

  // Takes the request from the zones, from the lowest zone first.
  void Drain(const std::vector<Want>& wants, uint64_t set) {
    for (const Want& want : wants) {
      int64_t* cells = zones_.Cells(want.resource);
      int64_t rest = want.amount;
      for (uint64_t bits = set; bits != 0 && rest != 0; bits &= bits - 1) {
        int64_t& cell = cells[std::countr_zero(bits)];
        if (cell == kUnlisted) continue;
        const int64_t taken = std::min(cell, rest);
        cell -= taken;
        rest -= taken;
      }
    }
  }

 private:
  using Zones = std::array<uint8_t, kMostZoneIds>;

  // The zones that list every resource; a set with any other zone is unusable. Fills zones_of_.
  uint32_t Candidates(const std::vector<Want>& wants) {
    uint64_t bits = zones_.zones() == 64 ? ~uint64_t{0} : (uint64_t{1} << zones_.zones()) - 1;
    for (const Want& want : wants) bits &= zones_.Listing(want.resource);
    uint32_t n = 0;
    for (; bits != 0; bits &= bits - 1) candidates_[n++] = static_cast<uint8_t>(std::countr_zero(bits));
    return n;
  }

  // Whether the zones with the most of each resource would satisfy the request.
  bool MayFit(const std::vector<Want>& wants, uint32_t candidates, uint32_t size) const {
    return std::all_of(wants.begin(), wants.end(), [&](const Want& want) {
      if (want.amount == 0 || zones_.Of(want).soft) return true;
      std::array<int64_t, kMostZoneIds> cells{};
      for (uint32_t i = 0; i < candidates; ++i) cells[i] = zones_.Cells(want.resource)[candidates_[i]];
      std::partial_sort(cells.begin(), cells.begin() + size, cells.begin() + candidates, std::greater<>());
      __int128 sum = 0;
      for (uint32_t i = 0; i < size; ++i) sum += cells[i];
      return sum >= want.amount;
    });
  }

  // In the order of the zones: of equal distances, the first set counts.
  std::optional<ZoneSet> FindOf(const std::vector<Want>& wants, const Distances& far, uint32_t candidates,
                                uint32_t size) const {
    std::optional<ZoneSet> best;
    // A set with a larger distance than unknown costs does not count.
    uint64_t best_sum = uint64_t{kUnknownCost + 1} * size * size;
    Zones chosen{};
    for (uint32_t i = 0; i < size; ++i) chosen[i] = static_cast<uint8_t>(i);
    do {
      const uint64_t set = SetOf(chosen, size);
      const uint64_t sum = far.Sum(set);
      if (sum >= best_sum || !Fits(wants, set)) continue;
      if (sum == far.Least(size)) return ZoneSet{set, true};
      best_sum = sum;
      best = ZoneSet{set, false};
    } while (Next(chosen, candidates, size));
    return best;
  }
  uint64_t SetOf(const Zones& chosen, uint32_t size) const {
    uint64_t set = 0;
    for (uint32_t i = 0; i < size; ++i) set |= uint64_t{1} << candidates_[chosen[i]];
    return set;
  }
  static bool Next(Zones& chosen, uint32_t candidates, uint32_t size) {
    for (uint32_t i = size; i-- > 0;) {
      if (chosen[i] + size - i >= candidates) continue;
      ++chosen[i];
      for (uint32_t j = i + 1; j < size; ++j) chosen[j] = static_cast<uint8_t>(chosen[j - 1] + 1);
      return true;
    }
    return false;
  }
  bool Fits(const std::vector<Want>& wants, uint64_t set) const {
    return std::all_of(wants.begin(), wants.end(), [&](const Want& want) {
      if (want.amount == 0 || zones_.Of(want).soft) return true;
      __int128 sum = 0;
      for (uint64_t bits = set; bits != 0; bits &= bits - 1) {
        sum += zones_.Cells(want.resource)[std::countr_zero(bits)];
      }
      return sum >= want.amount;
    });
  }

  RowZones& zones_;
  Zones candidates_{};
};

}  // namespace plugins::node_topology
