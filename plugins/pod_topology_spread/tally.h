// The number of pods per domain of one key. Cell d + 1 is for domain d, and cell 0 for the rows without the key, so no
// row needs a branch. Pure logic; thread: any.
#pragma once

#include <berth/domains.hpp>
#include <berth/hot.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "../common/few_cells.h"

namespace plugins::spread {

inline uint32_t CellOf(uint32_t domain) { return domain + 1u; }
static_assert(BERTH_NO_DOMAIN + 1u == 0, "rows without the key go to cell 0");

inline constexpr size_t kFewCells = 64;

// If there are few cells, consecutive rows often use the same one, and each addition would wait for the previous one.
// Four sets of cells used in turn avoid that.
inline void AddToFew(std::span<const uint32_t> domain_of_row, std::span<const int32_t> pods_of_row,
                     std::span<int32_t> cells) {
  constexpr size_t kTurns = 4;
  std::array<std::array<int32_t, kFewCells>, kTurns> sums{};
  size_t row = 0;
  for (; row + kTurns <= pods_of_row.size(); row += kTurns) {
    for (size_t t = 0; t < kTurns; ++t) sums[t][CellOf(domain_of_row[row + t])] += pods_of_row[row + t];
  }
  for (; row < pods_of_row.size(); ++row) sums[0][CellOf(domain_of_row[row])] += pods_of_row[row];
  for (size_t cell = 0; cell < cells.size(); ++cell) {
    for (const auto& turn : sums) cells[cell] += turn[cell];
  }
}

// Adds each row's pods to its cell, except for rows with one of the barriers in `against`, which is not read if there
// are no barriers.
inline void AddPods(std::span<const uint32_t> domain_of_row, std::span<const int32_t> pods_of_row,
                    const uint8_t* against, uint8_t barriers, std::span<int32_t> cells) {
  if (barriers == 0 && cells.size() <= kFewestCells) {
    const auto sums = SumsOfFewest(domain_of_row.data(), pods_of_row.data(), pods_of_row.size(), cells.size());
    for (size_t cell = 0; cell < cells.size(); ++cell) cells[cell] += sums[cell];
    return;
  }
  if (barriers == 0 && cells.size() <= kFewCells) return AddToFew(domain_of_row, pods_of_row, cells);
  const uint32_t* const domains = domain_of_row.data();
  const int32_t* const pods = pods_of_row.data();
  int32_t* const sums = cells.data();
  const size_t n = pods_of_row.size();
  if (barriers == 0) {
    for (size_t row = 0; row < n; ++row) sums[CellOf(domains[row])] += pods[row];
    return;
  }
  for (size_t row = 0; row < n; ++row) {
    sums[CellOf(domains[row])] += (against[row] & barriers) == 0 ? pods[row] : 0;
  }
}

BERTH_HOT inline void MarkAbove(const uint32_t* nodes, size_t n, uint8_t* there) {
  for (size_t i = 0; i < n; ++i) there[i] = nodes[i] != 0;
}

// Sets the byte of each cell that has a row that counts. The caller zeroes the bytes.
inline void MarkCells(const berth::sdk::Domains& domains, const uint8_t* against, uint8_t barriers, uint8_t* there) {
  if (barriers == 0) {
    return MarkAbove(domains.nodes().data(), domains.size(), there + 1);
  }
  const auto of_row = domains.of_row();
  for (size_t row = 0; row < of_row.size(); ++row) there[CellOf(of_row[row])] |= (against[row] & barriers) == 0;
}

BERTH_HOT inline uint64_t SumOf(const uint32_t* nodes, size_t n) {
  uint64_t sum = 0;
  for (size_t i = 0; i < n; ++i) sum += nodes[i];
  return sum;
}
inline uint64_t NodesWithKey(const berth::sdk::Domains& domains) {
  return SumOf(domains.nodes().data(), domains.size());
}

// The lowest count among the cells with nodes, without cell 0.
struct Lowest {
  static constexpr int32_t kNone = std::numeric_limits<int32_t>::max();
  int32_t first = kNone;  // of all
  int32_t next = kNone;   // of those above it
  uint32_t holders = 0;   // the number of cells with the lowest count
  uint32_t there = 0;     // how many cells are

  // The lowest count after a cell changes from `before` to `now`.
  int64_t With(int64_t before, int64_t now) const {
    return std::min<int64_t>(before == first && holders == 1 ? next : first, now);
  }
};

BERTH_HOT inline Lowest FindLowest(const int32_t* pods, const uint8_t* there, size_t cells) {
  int32_t first = Lowest::kNone, next = Lowest::kNone;
  uint32_t holders = 0, n = 0;
  for (size_t cell = 1; cell < cells; ++cell) {
    first = std::min(first, there[cell] != 0 ? pods[cell] : Lowest::kNone);
    n += there[cell];
  }
  for (size_t cell = 1; cell < cells; ++cell) {
    next = std::min(next, there[cell] != 0 && pods[cell] > first ? pods[cell] : Lowest::kNone);
    holders += there[cell] != 0 && pods[cell] == first ? 1 : 0;
  }
  return {first, next, holders, n};
}

}  // namespace plugins::spread
