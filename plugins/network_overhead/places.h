// Where each row's node is: its region and zone. Nodes of the same region and zone are one place, because they have the
// same network costs. Places have small numbers, so that data about places is an array.
// Thread: serial. Ownership: owns the ids of the labels' values; the host outlives it.
#pragma once

#include <berth/plugin.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../common/owned_id.h"
#include "cost_table.h"

namespace plugins::network_overhead {

// A node without a label has kEmptyId.
struct Place {
  berth::sdk::Id region = berth::sdk::kEmptyId, zone = berth::sdk::kEmptyId;

  bool unknown() const { return region == berth::sdk::kEmptyId && zone == berth::sdk::kEmptyId; }
};

class Places {
 public:
  static constexpr uint32_t kNone = 0;  // of a row without a node

  explicit Places(berth::sdk::Host& host)
      : host_(host), region_key_(host.Intern(kRegionKey)), zone_key_(host.Intern(kZoneKey)), places_(1) {}

  // Sets the node of the row.
  void Set(uint32_t row, const berth::sdk::NodeView& node) {
    Clear(row);
    if (row >= of_row_.size()) of_row_.resize(size_t{row} + 1, kNone);
    of_row_[row] = NumberOf({Label(node, region_key_), Label(node, zone_key_)});
    ++places_[of_row_[row]].nodes;
  }
  void Clear(uint32_t row) {
    const uint32_t number = Of(row);
    if (number == kNone) return;
    of_row_[row] = kNone;
    if (--places_[number].nodes == 0) Free(number);
  }

  uint32_t Of(uint32_t row) const { return row < of_row_.size() ? of_row_[row] : kNone; }
  const std::vector<uint32_t>& of_row() const { return of_row_; }
  uint32_t size() const { return static_cast<uint32_t>(places_.size()); }  // numbers are below it; some are free
  bool Used(uint32_t number) const { return places_[number].nodes > 0; }
  Place At(uint32_t number) const { return {places_[number].region->get(), places_[number].zone->get()}; }

  // "row region zone" of each row with a node.
  std::string Dump() const {
    std::string text;
    for (uint32_t row = 0; row < of_row_.size(); ++row) {
      if (of_row_[row] == kNone) continue;
      const Place place = At(of_row_[row]);
      text += std::to_string(row) + " \"" + std::string(host_.Text(place.region)) + "\" \"" +
              std::string(host_.Text(place.zone)) + "\"\n";
    }
    return text;
  }

 private:
  struct Known {
    std::optional<OwnedId> region, zone;
    uint32_t nodes = 0;
  };

  static berth::sdk::Id Label(const berth::sdk::NodeView& node, berth::sdk::Id key) {
    const berth::sdk::Id value = node.labels().Get(key);
    return value == berth::sdk::kNoId ? berth::sdk::kEmptyId : value;
  }
  static uint64_t KeyOf(const Place& place) { return uint64_t{place.region} << 32 | place.zone; }

  uint32_t NumberOf(const Place& place) {
    const auto [at, is_new] = numbers_.try_emplace(KeyOf(place), kNone);
    if (is_new) at->second = Take(place);
    return at->second;
  }
  uint32_t Take(const Place& place) {
    if (free_.empty()) {
      free_.push_back(size());
      places_.emplace_back();
    }
    const uint32_t number = free_.back();
    free_.pop_back();
    places_[number].region.emplace(host_, place.region);
    places_[number].zone.emplace(host_, place.zone);
    return number;
  }
  void Free(uint32_t number) {
    numbers_.erase(KeyOf(At(number)));
    places_[number] = Known();
    free_.push_back(number);
  }

  berth::sdk::Host& host_;
  const berth::sdk::Id region_key_, zone_key_;
  std::vector<uint32_t> of_row_;  // numbers
  std::vector<Known> places_;     // by number; the first is kNone
  std::vector<uint32_t> free_;
  std::unordered_map<uint64_t, uint32_t> numbers_;
};

}  // namespace plugins::network_overhead
