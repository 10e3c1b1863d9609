// The rows of a call in parts whose cells of a column are consecutive, so that loops over them are plain. Pure logic;
// thread: any.
#pragma once

#include <berth/hot.hpp>
#include <berth/rows.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace plugins {

BERTH_HOT inline void PickCells(const uint32_t* column, const uint32_t* rows, size_t n, uint32_t* out) {
  for (size_t i = 0; i < n; ++i) out[i] = column[rows[i]];
}
BERTH_HOT inline void PickCells(const int32_t* column, const uint32_t* rows, size_t n, int32_t* out) {
  for (size_t i = 0; i < n; ++i) out[i] = column[rows[i]];
}

// Some consecutive cells of `out`: those from `begin`, at most as many as the reader allows.
class RowChunk {
 public:
  RowChunk(const berth::sdk::Rows& rows, size_t begin, size_t most)
      : begin_(begin), n_(std::min<size_t>(most, rows.size() - begin)), first_(rows[static_cast<uint32_t>(begin)]) {
    if (rows.dense()) return;
    const uint32_t* const picked = rows.picked().data() + begin;
    if (picked[n_ - 1] - first_ != n_ - 1) picked_ = picked;  // rows ascend, so there are gaps
  }
  size_t begin() const { return begin_; }
  size_t size() const { return n_; }

  // The chunk's cells of a column: where they are if the rows have no gaps, otherwise copied to `room`, which has space
  // for size() cells. A dense range contains the cells of rows that were not requested too.
  template <class T>
  const T* Cells(const T* column, T* room) const {
    if (picked_ == nullptr) return column + first_;
    PickCells(column, picked_, n_, room);
    return room;
  }

 private:
  size_t begin_, n_;
  uint32_t first_;
  const uint32_t* picked_ = nullptr;
};

// Calls fn(chunk) for chunks of at most `most` rows.
template <class Fn>
void EachRowChunk(const berth::sdk::Rows& rows, size_t most, Fn&& fn) {
  for (size_t begin = 0; begin < rows.size(); begin += most) fn(RowChunk(rows, begin, most));
}

// Calls fn(first, n, bits) for the requested rows of a dense range: for rows without gaps with all bits set, and
// otherwise for at most 64 rows, of which bit i means row first + i.
template <class Fn>
void EachLiveRun(const berth::sdk::Rows& rows, Fn&& fn) {
  constexpr uint64_t kAll = ~uint64_t{0};
  const uint64_t* const live = rows.raw()->live;
  const uint32_t end = rows.first() + rows.size();
  for (uint32_t at = rows.first(); at < end;) {
    uint32_t stop = std::min<uint32_t>(end, (at | 63) + 1);
    if (at % 64 == 0 && stop - at == 64 && live[at / 64] == kAll) {
      while (end - stop >= 64 && live[stop / 64] == kAll) stop += 64;
      fn(at, stop - at, kAll);
    } else {
      const uint64_t bits = live[at / 64] >> (at % 64) & kAll >> (64 - (stop - at));
      if (bits != 0) fn(at, stop - at, bits);
    }
    at = stop;
  }
}

}  // namespace plugins
