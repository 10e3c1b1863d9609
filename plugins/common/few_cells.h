// Sums over rows by topology domain where there are few domains, as zones are: a comparison of each cell is cheaper
// than an addition in memory. Cell d + 1 is for domain d, and cell 0 for rows without one. Pure logic; thread: any.
#pragma once

#include <berth/hot.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace plugins {

// Adds the pods of four neighboring cells, each in its own register. Masks, because the compiler makes branches of
// conditions on one number.
BERTH_HOT inline void AddToFour(const uint32_t* domain_of_row, const int32_t* pods_of_row, size_t n, uint32_t first,
                                int32_t* cells) {
  int32_t a = 0, b = 0, c = 0, d = 0;
  for (size_t row = 0; row < n; ++row) {
    const uint32_t cell = domain_of_row[row] + 1u - first;
    a += pods_of_row[row] & -static_cast<int32_t>(cell == 0);
    b += pods_of_row[row] & -static_cast<int32_t>(cell == 1);
    c += pods_of_row[row] & -static_cast<int32_t>(cell == 2);
    d += pods_of_row[row] & -static_cast<int32_t>(cell == 3);
  }
  cells[0] += a, cells[1] += b, cells[2] += c, cells[3] += d;
}

inline constexpr size_t kFewestCells = 8;

// The pods of each of `cells` cells, at most kFewestCells.
inline std::array<int32_t, kFewestCells> SumsOfFewest(const uint32_t* domain_of_row, const int32_t* pods_of_row,
                                                      size_t n, size_t cells) {
  std::array<int32_t, kFewestCells> sums{};
  for (uint32_t first = 0; first < cells; first += 4) {
    AddToFour(domain_of_row, pods_of_row, n, first, sums.data() + first);
  }
  return sums;
}

}  // namespace plugins
