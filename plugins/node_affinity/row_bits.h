// Loops over one bit per cell of `out`, in words of 64. Pure logic; thread: any.
#pragma once

#include <berth/hot.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace plugins::node_affinity {

// Adds the weight to each of the n cells whose bit is set.
BERTH_HOT inline void AddWhereSet(const uint64_t* words, int64_t weight, size_t n, int64_t* out) {
  const auto add = static_cast<uint64_t>(weight);
  for (size_t begin = 0; begin < n; begin += 64, out += 64) {
    const uint64_t bits = words[begin / 64];
    if (bits == 0) continue;
    const size_t cells = n - begin < 64 ? n - begin : 64;
    for (size_t i = 0; i < cells; ++i) {
      const uint64_t mask = uint64_t{0} - (bits >> i & 1);
      out[i] = static_cast<int64_t>(static_cast<uint64_t>(out[i]) + (add & mask));
    }
  }
}

// Sets the bit of each of the n cells from row `first` on whose row is not in `live`.
inline void SetWhereDead(const uint64_t* live, uint32_t first, size_t n, uint64_t* words) {
  const size_t shift = first & 63;
  live += first >> 6;
  for (size_t word = 0; word * 64 < n; ++word) {
    uint64_t alive = live[word] >> shift;
    if (shift != 0 && n - word * 64 > 64 - shift) alive |= live[word + 1] << (64 - shift);
    words[word] |= ~alive;
  }
}
// The bits of the word of the n cells that are not set.
inline uint64_t ClearIn(const uint64_t* words, size_t word, size_t n) {
  const size_t cells = n - word * 64;
  return cells < 64 ? ~words[word] & ((uint64_t{1} << cells) - 1) : ~words[word];
}
inline bool AnyClear(const uint64_t* words, size_t n) {
  uint64_t any = 0;
  for (size_t word = 0; word * 64 < n; ++word) any |= ClearIn(words, word, n);
  return any != 0;
}
// fn(i) for each of the n cells whose bit is not set, ascending.
template <class Fn>
void ForEachClear(const uint64_t* words, size_t n, Fn&& fn) {
  for (size_t word = 0; word * 64 < n; ++word) {
    for (uint64_t bits = ClearIn(words, word, n); bits != 0; bits &= bits - 1) {
      fn(static_cast<uint32_t>(word * 64) + static_cast<uint32_t>(std::countr_zero(bits)));
    }
  }
}

}  // namespace plugins::node_affinity
