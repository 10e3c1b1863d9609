// Which rows lack room for a request. Source: fitsRequest of pkg/scheduler/framework/plugins/noderesources/fit.go.
// Pure logic over columns; thread: any.
#pragma once

#include <berth/hot.hpp>

#include <cstddef>
#include <cstdint>

#include "../common/go_math.h"

namespace plugins::fit {

// One resource the pod asks for. Null columns are 0 for every row.
struct Need {
  int64_t want = 0;
  const int64_t* allocatable = nullptr;
  const int64_t* requested = nullptr;
  uint32_t name = 0;

  int64_t Allocatable(uint32_t row) const { return allocatable == nullptr ? 0 : allocatable[row]; }
  int64_t Requested(uint32_t row) const { return requested == nullptr ? 0 : requested[row]; }
  bool Short(uint32_t row) const { return want > WrapSub(Allocatable(row), Requested(row)); }
  bool NeverFits(uint32_t row) const { return want > Allocatable(row); }
};

// What is short on one row: bit i belongs to the i-th need; the highest bit says that one of them, beyond the first,
// which is the number of pods, asks for more than the node has at all.
inline constexpr uint64_t kUnresolvable = uint64_t{1} << 63;
inline constexpr size_t kMaxNeeds = 62;

inline uint64_t ShortOn(uint32_t row, const Need* needs, size_t n) {
  uint64_t mask = 0;
  for (size_t i = 0; i < n; ++i) {
    if (!needs[i].Short(row)) continue;
    mask |= uint64_t{1} << i;
    if (i > 0 && needs[i].NeverFits(row)) mask |= kUnresolvable;
  }
  return mask;
}

// Is any row of a range short of this need? Both columns start at the range.
BERTH_HOT inline bool AnyShort(const int64_t* allocatable, const int64_t* requested, int64_t want, size_t n) {
  int64_t any = 0;
  for (size_t i = 0; i < n; ++i) {
    const auto free = static_cast<int64_t>(static_cast<uint64_t>(allocatable[i]) - static_cast<uint64_t>(requested[i]));
    any |= static_cast<int64_t>(want > free);
  }
  return any != 0;
}

// bad[i] |= the i-th row of a range is short of this need. Both columns start at the range.
BERTH_HOT inline void MarkShort(const int64_t* allocatable, const int64_t* requested, int64_t want, size_t n,
                                uint8_t* bad) {
  for (size_t i = 0; i < n; ++i) {
    const auto free = static_cast<int64_t>(static_cast<uint64_t>(allocatable[i]) - static_cast<uint64_t>(requested[i]));
    bad[i] = static_cast<uint8_t>(bad[i] | static_cast<uint8_t>(want > free));
  }
}

}  // namespace plugins::fit
