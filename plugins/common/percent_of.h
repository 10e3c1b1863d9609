// 100 * x / most for x in 0..most, with a multiplication and a shift instead of a division. Exact: factor is
// (100 * 2^shift + e) / most with 0 < e <= most, so the product exceeds the quotient by x * e / (most * 2^shift), which
// is below 1 / most because 2^shift > most * most. The quotient and the next integer are at least 1 / most apart. Pure
// logic; thread: any.
#pragma once

#include <bit>
#include <cstdint>

namespace plugins {

struct PercentOf {
  uint64_t shift, factor;

  // The largest `most`; x * factor is then below 2^64. The smallest is 1.
  static constexpr uint64_t kLargest = (uint64_t{1} << 28) - 1;

  explicit PercentOf(uint64_t most)
      : shift(static_cast<uint64_t>(std::bit_width(most * most))),
        factor(static_cast<uint64_t>((static_cast<unsigned __int128>(100) << shift) / most) + 1) {}

  uint64_t operator()(uint64_t x) const { return (x * factor) >> shift; }
};

}  // namespace plugins
