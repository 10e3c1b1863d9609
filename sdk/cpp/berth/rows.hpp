// The rows of one call: single rows, or the rows of a dense range whose bit in `live` is set. Borrowed for the
// call.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "berth/abi.h"

namespace berth::sdk {

class Rows {
 public:
  Rows(const berth_rows* raw) : raw_(raw) {}  // NOLINT: meant to convert

  const berth_rows* raw() const { return raw_; }
  // How many cells `out` has. In a dense range, some may belong to rows that were not requested.
  uint32_t size() const { return raw_->n; }
  // The row that out[i] belongs to.
  uint32_t operator[](uint32_t i) const { return raw_->rows == nullptr ? raw_->first + i : raw_->rows[i]; }

  // The range first() ... first() + size() - 1. Only PreScore, and plugins that declare Reuse::total, get such ranges.
  bool dense() const { return raw_->rows == nullptr; }
  uint32_t first() const { return raw_->first; }
  std::span<const uint32_t> picked() const { return {raw_->rows, raw_->rows == nullptr ? 0 : raw_->n}; }
  // The row's bit in `live`: it belongs to a node (in PreScore: it is feasible). Valid for any row of the snapshot.
  bool Live(uint32_t row) const { return (raw_->live[row >> 6] >> (row & 63) & 1) != 0; }
  // How many rows are requested.
  uint32_t Count() const {
    if (!dense()) return raw_->n;
    uint32_t count = 0;
    ForEachWord([&count](uint64_t, uint64_t bits) {
      if (bits == ~uint64_t{0}) return void(count += 64);  // most words; std::popcount would call libgcc
      for (; bits != 0; bits &= bits - 1) ++count;
    });
    return count;
  }

  // fn(i, row) for every cell of out, including those of rows that were not requested: for arithmetic over columns. It
  // has separate loops for single and dense rows, so that the compiler can vectorize the latter.
  template <class Fn>
  void ForEach(Fn&& fn) const {
    const uint32_t n = raw_->n;
    if (const uint32_t* rows = raw_->rows) {
      for (uint32_t i = 0; i < n; ++i) fn(i, rows[i]);
    } else {
      const uint32_t first = raw_->first;
      for (uint32_t i = 0; i < n; ++i) fn(i, first + i);
    }
  }

  // fn(i, row) for the requested rows, ascending: for code that reads nodes, or that is expensive.
  template <class Fn>
  void ForEachLive(Fn&& fn) const {
    const uint32_t n = raw_->n;
    if (const uint32_t* rows = raw_->rows) {
      for (uint32_t i = 0; i < n; ++i) fn(i, rows[i]);
      return;
    }
    const uint64_t first = raw_->first;
    ForEachWord([&](uint64_t word, uint64_t bits) {
      for (; bits != 0; bits &= bits - 1) {
        const auto row = static_cast<uint32_t>(word << 6) + static_cast<uint32_t>(std::countr_zero(bits));
        fn(row - static_cast<uint32_t>(first), row);
      }
    });
  }

 private:
  // fn(word, bits) for the words of `live` that the range touches, without the bits of rows outside.
  template <class Fn>
  void ForEachWord(Fn&& fn) const {
    const uint64_t first = raw_->first, end = first + raw_->n;
    for (uint64_t word = first >> 6; word << 6 < end; ++word) {
      uint64_t bits = raw_->live[word];
      if (word == first >> 6) bits &= ~uint64_t{0} << (first & 63);
      if (end - (word << 6) < 64) bits &= ~(~uint64_t{0} << (end & 63));
      fn(word, bits);
    }
  }

  const berth_rows* raw_;
};

}  // namespace berth::sdk
