// The rows that a plugin asks about, and which of them have a node. Thread: any, while the cache does not change.
#pragma once

#include <cstddef>
#include <cstdint>

#include "berth/berth.h"
#include "scheduler/cache/cache.h"

namespace berth::framework {

// The i-th row, i < rows.n. It may be beyond the cache's capacity.
inline uint32_t RowAt(const berth_rows& rows, size_t i) {
  return rows.rows != nullptr ? rows.rows[i] : rows.first + static_cast<uint32_t>(i);
}

// Sets bit i if the i-th row has a node. words has WordsFor(rows.n) words, which are zero.
inline void SetWhereNode(const cache::Cache& cache, const berth_rows& rows, uint64_t* words) {
  for (uint32_t i = 0; i < rows.n; ++i) {
    const uint32_t row = RowAt(rows, i);
    if (row < cache.capacity() && cache.live().Test(row)) words[i / 64] |= uint64_t{1} << (i % 64);
  }
}

}  // namespace berth::framework
