// The domains of a topology key, and sums over them. Pure logic; thread: any.
#pragma once

#include <berth/domains.h>
#include <berth/text.hpp>

#include <cstdint>
#include <span>

#include "../common/few_cells.h"

namespace plugins::inter_pod {

using berth::sdk::Id;

// The domain of each row. Sums have n + 1 cells: cell 0 is for rows without the key, cell d + 1 for domain d, so no row
// needs a branch.
struct Topology {
  const uint32_t* of_row = nullptr;  // [cycle] null: no node has the key
  uint32_t n = 0;                    // domains
  uint32_t Cell(uint32_t row) const { return of_row == nullptr ? 0 : of_row[row] + 1u; }
};
static_assert(BERTH_NO_DOMAIN + 1u == 0, "rows without the key go to cell 0");

// Pods counted on one row.
struct RowCount {
  uint32_t row;
  int32_t count;
};

// Both functions add weight * (pods of the row) to the row's domain, and return whether a row with the key had any pod.
template <class Cell>
bool AddRows(const Topology& topology, std::span<const int32_t> pods_of_row, Cell weight, Cell* cells) {
  if (topology.of_row == nullptr) return false;
  uint32_t any = 0;
  if (topology.n < kFewestCells) {
    const auto sums = SumsOfFewest(topology.of_row, pods_of_row.data(), pods_of_row.size(), topology.n + 1u);
    for (uint32_t cell = 0; cell <= topology.n; ++cell) {
      cells[cell] += weight * static_cast<Cell>(sums[cell]);
      any |= cell != 0 ? static_cast<uint32_t>(sums[cell]) : 0u;
    }
    return any != 0;
  }
  for (size_t row = 0; row < pods_of_row.size(); ++row) {
    const uint32_t cell = topology.of_row[row] + 1u;
    const int32_t pods = pods_of_row[row];
    cells[cell] += weight * static_cast<Cell>(pods);
    any |= cell != 0 ? static_cast<uint32_t>(pods) : 0u;
  }
  return any != 0;
}
template <class Cell>
bool AddRows(const Topology& topology, std::span<const RowCount> rows, Cell weight, Cell* cells) {
  if (topology.of_row == nullptr) return false;
  bool any = false;
  for (const RowCount& one : rows) {
    const uint32_t cell = topology.of_row[one.row] + 1u;
    cells[cell] += weight * static_cast<Cell>(one.count);
    any |= cell != 0;
  }
  return any;
}

}  // namespace plugins::inter_pod
