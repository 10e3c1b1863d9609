// The resources of one node's zones that a pod requests: a copy from which its containers take one after the other.
// Thread: one at a time.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "board.h"
#include "demand.h"

namespace plugins::node_topology {

class RowZones {
 public:
  RowZones(const Board& board, const Demand& demand)
      : board_(board), demand_(demand), width_(board.width()), cells_(demand.resources().size() * width_) {}

  void Load(uint32_t row) {
    row_ = row;
    zones_ = board_.At(row).zones;
    for (size_t i = 0; i < demand_.resources().size(); ++i) {
      const int64_t* cells = demand_.resources()[i].cells;
      int64_t* copy = &cells_[i * width_];
      if (cells == nullptr) {
        std::fill_n(copy, width_, kUnlisted);
      } else {
        std::copy_n(cells + size_t{row} * width_, width_, copy);
      }
    }
  }

  uint32_t row() const { return row_; }
  uint32_t zones() const { return zones_; }
  const int64_t* Cells(uint32_t resource) const { return &cells_[size_t{resource} * width_]; }
  int64_t* Cells(uint32_t resource) { return &cells_[size_t{resource} * width_]; }
  const Resource& Of(const Want& want) const { return demand_.resources()[want.resource]; }

  // The zones, as bits, that list at least this much.
  uint64_t With(uint32_t resource, int64_t amount) const {
    const int64_t* cells = Cells(resource);
    uint64_t bits = 0;
    for (uint32_t zone = 0; zone < zones_; ++zone) bits |= uint64_t{cells[zone] >= amount} << zone;
    return bits;
  }
  uint64_t Listing(uint32_t resource) const { return With(resource, kUnlisted + 1); }
  // The zones that satisfy the want.
  uint64_t Satisfying(const Want& want) const {
    return Of(want).soft ? Listing(want.resource) : With(want.resource, want.amount);
  }

 private:
  const Board& board_;
  const Demand& demand_;
  const uint32_t width_;
  uint32_t row_ = 0, zones_ = 0;
  std::vector<int64_t> cells_;  // by resource, zone
};

}  // namespace plugins::node_topology
