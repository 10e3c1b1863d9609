// The zones of all nodes in columns, which Filter and Score read without a lock. A resource has a column; a row of the
// snapshot has `width` cells in it, one for each zone of its node by ascending zone id, and kUnlisted where there is no
// zone, or where the zone does not list the resource.
//
// Thread: changed in [serial] calls between cycles and in Reserve; read, and marked with Reject, in [parallel] calls.
// Ownership: owns the ids of resources that a node lists; the host outlives it.
#pragma once

#include <berth/plugin.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../common/owned_id.h"
#include "distances.h"
#include "topology.h"

namespace plugins::node_topology {

inline constexpr int64_t kUnlisted = std::numeric_limits<int64_t>::min();

// The data about a row.
struct BoardRow {
  bool known = false;  // its node has a topology
  bool stale = false;  // which is not valid at present
  uint8_t zones = 0;
  TopologyManager manager;
};

class Board {
 public:
  using Changed = std::function<void(uint32_t row)>;

  // with_distances: for Far(). with_evictions: for Limits() and PlacementOn(). changed: called after each change.
  Board(berth::sdk::Host& host, bool with_distances, bool with_evictions = false, Changed changed = {})
      : host_(host), with_distances_(with_distances), with_evictions_(with_evictions), changed_(std::move(changed)) {}

  void Set(uint32_t row, const Topology& topology) {
    Empty(row);
    Reach(row, static_cast<uint32_t>(topology.zones.size()));
    rows_[row].known = true;
    rows_[row].zones = static_cast<uint8_t>(topology.zones.size());
    rows_[row].manager = topology.manager;
    if (with_distances_) far_[row] = tables_.Of(topology.zones);
    for (uint32_t at = 0; at < topology.zones.size(); ++at) SetZone(row, at, topology.zones[at]);
    if (with_evictions_) placements_[row] = InOrder(topology);
    CountUsers(row, 1);
    DropUnused();
    Touch(row);
  }
  // Does not change whether the row is stale.
  void Clear(uint32_t row) {
    Empty(row);
    DropUnused();
    Touch(row);
  }
  // Takes this much from each zone of the row that lists the resource, at most what it has.
  void Take(uint32_t row, berth::sdk::Id name, int64_t amount) {
    const auto at = columns_.begin() + (Find(name) - columns_.cbegin());
    if (at == columns_.end() || !At(row).known) return;
    for (uint32_t zone = 0; zone < rows_[row].zones; ++zone) {
      int64_t& cell = at->cells[size_t{row} * width_ + zone];
      if (cell != kUnlisted) cell = cell < amount ? 0 : cell - amount;
    }
    Touch(row);
  }
  void SetStale(uint32_t row, bool stale) {
    Reach(row, 0);
    rows_[row].stale = stale;
    Touch(row);
  }
  // The row has changed, or what its node has in all.
  void Touch(uint32_t row) {
    Reach(row, 0);
    if (++versions_[row] == 0) versions_[row] = 1;
    if (changed_) changed_(row);
  }

  // ---- [parallel]
  const BoardRow& At(uint32_t row) const { return row < rows_.size() ? rows_[row] : kNothing; }
  // Another number after each change. 0: the row never had data.
  uint32_t VersionOf(uint32_t row) const { return row < versions_.size() ? versions_[row] : 0; }
  size_t rows() const { return rows_.size(); }
  uint32_t width() const { return width_; }
  // The cells of row 0, null: no zone lists the resource. The cells of row n are n * width behind.
  const int64_t* Column(berth::sdk::Id name) const {
    const auto at = Find(name);
    return at == columns_.end() ? nullptr : at->cells.data();
  }
  // Of a row with a topology.
  const Distances& Far(uint32_t row) const { return *far_[row]; }
  // As Column, for a resource with one: what is allocatable. A cell that is unlisted there has no meaning.
  const int64_t* Limits(berth::sdk::Id name) const {
    const auto at = Find(name);
    return at == columns_.end() ? nullptr : at->limits.data();
  }
  // By the place of the zone in its row. Empty: not known.
  const Placement& PlacementOn(uint32_t row) const {
    return row < placements_.size() ? placements_[row] : kNoPlacement;
  }
  // A pod did not fit on the row, which has a topology.
  void Reject(uint32_t row) { std::atomic_ref(rejected_[row]).store(1, std::memory_order_relaxed); }

  // ---- [serial]
  bool Rejected(uint32_t row) const { return row < rows_.size() && rejected_[row] != 0; }
  std::vector<uint32_t> RejectedRows() const {
    std::vector<uint32_t> rows;
    for (uint32_t row = 0; row < rejected_.size(); ++row) {
      if (rejected_[row] != 0) rows.push_back(row);
    }
    return rows;
  }
  void SetRejected(uint32_t row, bool rejected) {
    Reach(row, 0);
    rejected_[row] = rejected ? 1 : 0;
  }
  // "row policy scope zones: name cells ..." of each row with a topology.
  std::string Dump() const;

 private:
  struct ResourceColumn {
    OwnedId name;
    uint32_t users = 0;  // rows with a zone that lists it
    std::vector<int64_t> cells;
    std::vector<int64_t> limits;  // with evictions
  };
  static constexpr BoardRow kNothing{};
  static inline const Placement kNoPlacement;

  void SetZone(uint32_t row, uint32_t at, const Zone& zone) {
    for (size_t i = 0; i < zone.available.size(); ++i) {
      const auto& [name, available] = zone.available[i];
      ResourceColumn& column = ColumnOf(name);
      column.cells[size_t{row} * width_ + at] = available;
      if (i < zone.limits.size()) column.limits[size_t{row} * width_ + at] = zone.limits[i];
    }
  }
  // With places instead of ids. A zone that is not there has a place behind all others.
  static Placement InOrder(const Topology& topology) {
    Placement placement = topology.placement;
    for (Placed& placed : placement) {
      const auto same = [id = placed.zone](const Zone& zone) { return zone.id == id; };
      const auto at = std::find_if(topology.zones.begin(), topology.zones.end(), same);
      placed.zone = static_cast<uint32_t>(at - topology.zones.begin());
    }
    return placement;
  }

  void Empty(uint32_t row) {
    if (row >= rows_.size() || !rows_[row].known) return;
    CountUsers(row, -1);
    rows_[row].known = false;
    if (with_distances_) far_[row].reset();
    if (with_evictions_) placements_[row].clear();
    for (ResourceColumn& column : columns_) std::fill_n(&column.cells[size_t{row} * width_], width_, kUnlisted);
  }
  void DropUnused() {
    std::erase_if(columns_, [](const ResourceColumn& column) { return column.users == 0; });
  }

  std::vector<ResourceColumn>::const_iterator Find(berth::sdk::Id name) const {
    return std::find_if(columns_.begin(), columns_.end(),
                        [name](const ResourceColumn& column) { return column.name.get() == name; });
  }
  ResourceColumn& ColumnOf(std::string_view name) {
    OwnedId id(host_, name);
    const auto at = Find(id.get()) - columns_.cbegin();
    if (at < std::ssize(columns_)) return columns_[static_cast<size_t>(at)];
    const size_t cells = rows_.size() * width_, limits = with_evictions_ ? cells : 0;
    columns_.push_back({std::move(id), 0, std::vector<int64_t>(cells, kUnlisted), std::vector<int64_t>(limits)});
    return columns_.back();
  }
  bool Lists(const ResourceColumn& column, uint32_t row) const {
    const int64_t* cells = &column.cells[size_t{row} * width_];
    return std::any_of(cells, cells + width_, [](int64_t cell) { return cell != kUnlisted; });
  }
  void CountUsers(uint32_t row, int change) {
    for (ResourceColumn& column : columns_) {
      if (Lists(column, row)) column.users += static_cast<uint32_t>(change);
    }
  }

  // Makes room for the row and for this many zones.
  void Reach(uint32_t row, uint32_t zones) {
    if (zones > width_) Widen(std::bit_ceil(zones));
    if (row < rows_.size()) return;
    const size_t rows = std::max(size_t{row} + 1, rows_.size() * 3 / 2);
    rows_.resize(rows);
    rejected_.resize(rows);
    versions_.resize(rows);
    if (with_distances_) far_.resize(rows);
    if (with_evictions_) placements_.resize(rows);
    for (ResourceColumn& column : columns_) {
      column.cells.resize(rows * width_, kUnlisted);
      if (with_evictions_) column.limits.resize(rows * width_);
    }
  }
  void Widen(uint32_t width) {
    for (ResourceColumn& column : columns_) {
      column.cells = Widened(column.cells, width);
      if (with_evictions_) column.limits = Widened(column.limits, width);
    }
    width_ = width;
  }
  std::vector<int64_t> Widened(const std::vector<int64_t>& narrow, uint32_t width) const {
    std::vector<int64_t> wide(rows_.size() * width, kUnlisted);
    for (size_t row = 0; row < rows_.size(); ++row) std::copy_n(&narrow[row * width_], width_, &wide[row * width]);
    return wide;
  }

  berth::sdk::Host& host_;
  const bool with_distances_, with_evictions_;
  const Changed changed_;
  uint32_t width_ = 1;  // a power of two
  std::vector<BoardRow> rows_;
  std::vector<uint8_t> rejected_;
  std::vector<uint32_t> versions_;
  std::vector<std::shared_ptr<const Distances>> far_;
  std::vector<Placement> placements_;
  std::vector<ResourceColumn> columns_;
  DistanceTables tables_;
};

inline std::string Board::Dump() const {
  std::string text;
  for (uint32_t row = 0; row < rows_.size(); ++row) {
    if (!rows_[row].known) continue;
    const TopologyManager& manager = rows_[row].manager;
    text += std::to_string(row) + " " + std::to_string(static_cast<int>(manager.policy)) + " " +
            std::to_string(static_cast<int>(manager.scope)) + " " + std::to_string(manager.max_zones);
    std::vector<std::string> lists;
    for (const ResourceColumn& column : columns_) {
      if (!Lists(column, row)) continue;
      std::string& list = lists.emplace_back(host_.Text(column.name.get()));
      for (uint32_t at = 0; at < rows_[row].zones; ++at) {
        list += " " + std::to_string(column.cells[size_t{row} * width_ + at]);
      }
    }
    std::sort(lists.begin(), lists.end());
    for (const std::string& list : lists) text += ", " + list;
    text += "\n";
  }
  return text;
}

}  // namespace plugins::node_topology
