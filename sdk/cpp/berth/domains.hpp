// Topology domains: the nodes with the same value of a label key. Domains have consecutive numbers, so that a count per
// domain is an array. Make a DomainColumns in the plugin's constructor and keep it; a host without the service throws
// MissingService when it is used.
//   explicit MyPlugin(sdk::Host& host) : domains_(host), zone_(host.Intern("topology.kubernetes.io/zone")) {}
//   sdk::Domains zones = domains_.Of(cycle.snap(), zone_);
//   std::vector<int32_t> per_zone(zones.size());
//   for (uint32_t row : rows) if (zones.Has(row)) ++per_zone[zones[row]];
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

#include "berth/detail/services.hpp"
#include "berth/domains.h"
#include "berth/host.hpp"
#include "berth/snapshot.hpp"

namespace berth::sdk {

// The domains of one key in one cycle: pass by value, valid until the cycle ends.
class Domains {
 public:
  static constexpr uint32_t kNone = BERTH_NO_DOMAIN;

  Domains() = default;  // no key, no domain
  Domains(const berth_domains& raw, uint32_t rows) : raw_(raw), rows_(rows) {}

  // Ordinals are below it; some may have no row at the moment.
  uint32_t size() const { return raw_.n; }
  // The domain of a row; kNone if its node does not have the key, or if the row has no node.
  uint32_t operator[](uint32_t row) const { return raw_.of_row[row]; }
  bool Has(uint32_t row) const { return raw_.of_row[row] != kNone; }
  std::span<const uint32_t> of_row() const { return {raw_.of_row, rows_}; }
  // The label's value; kEmptyId is a value like any other.
  Id Value(uint32_t ordinal) const { return raw_.values[ordinal]; }
  // How many nodes it has.
  uint32_t Nodes(uint32_t ordinal) const { return raw_.n_rows[ordinal]; }
  std::span<const uint32_t> nodes() const { return {raw_.n_rows, raw_.n}; }
  // While it is equal, ordinals have the same meaning, for any key and cycle; new ones may be added at the end.
  uint64_t numbering() const { return raw_.numbering; }

 private:
  berth_domains raw_{};
  uint32_t rows_ = 0;
};

class DomainColumns {
 public:
  explicit DomainColumns(const Host& host)
      : table_(detail::CopyTable<berth_domain_columns>(
            host.Offers(BERTH_SERVICE_DOMAINS) ? host.raw()->service(host.raw(), BERTH_SERVICE_DOMAINS) : nullptr)) {
    detail::Patch<"berth.host.domains/1: of">(table_, &berth_domain_columns::of);
  }

  // [serial] in PreFilter, PreScore, PostFilter, AddPod and RemovePod. Cheap, except for the first use of a key.
  Domains Of(const Snapshot& snap, Id key) const {
    berth_domains raw{};
    raw.size = sizeof(raw);
    if (table_.of(snap.raw(), key, &raw) != 0) {
      throw std::invalid_argument("the host has no domains of key " + std::to_string(key));
    }
    return {raw, snap.rows()};
  }

 private:
  berth_domain_columns table_;
};

}  // namespace berth::sdk
