// The zone of a node for SelectorSpread: the labels of zone and region combined, with precedence for the beta names.
// Source: k8s.io/component-helpers/node/topology/helpers.go GetZoneKey. Pure logic; thread: any.
#pragma once

#include <berth/domains.hpp>

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace plugins::selector_spread {

using berth::sdk::Id;

// The four label keys of one cycle.
struct ZoneLabels {
  berth::sdk::Domains beta_zone, zone, beta_region, region;

  struct Key {
    Id zone, region;  // BERTH_ID_EMPTY if absent
    bool operator==(const Key&) const = default;
    bool empty() const { return zone == BERTH_ID_EMPTY && region == BERTH_ID_EMPTY; }
  };
  Key Of(uint32_t row) const { return {First(beta_zone, zone, row), First(beta_region, region, row)}; }

 private:
  static Id First(const berth::sdk::Domains& one, const berth::sdk::Domains& other, uint32_t row) {
    if (one.Has(row)) return one.Value(one[row]);
    return other.Has(row) ? other.Value(other[row]) : BERTH_ID_EMPTY;
  }
};

// Numbers zones from 1 in the order of appearance; 0: the node has no zone.
class ZoneNumbers {
 public:
  uint32_t Of(const ZoneLabels::Key& key) {
    if (key.empty()) return 0;
    Known& known = known_[(key.zone * 31 + key.region) % known_.size()];
    if (known.number == 0 || !(known.key == key)) known = {key, Search(key)};
    return known.number;
  }
  uint32_t size() const { return static_cast<uint32_t>(keys_.size()); }

 private:
  uint32_t Search(const ZoneLabels::Key& key) {
    for (uint32_t i = 0; i < keys_.size(); ++i) {
      if (keys_[i] == key) return i + 1;
    }
    keys_.push_back(key);
    return size();
  }

  struct Known {
    ZoneLabels::Key key{BERTH_ID_EMPTY, BERTH_ID_EMPTY};
    uint32_t number = 0;
  };
  std::array<Known, 64> known_;  // the most recent keys: there are many nodes, but few zones
  std::vector<ZoneLabels::Key> keys_;
};

}  // namespace plugins::selector_spread
