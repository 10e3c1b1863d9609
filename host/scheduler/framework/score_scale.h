// 100 * score / max for scores in 0..max, with a multiplication and a shift instead of a division. Exact: factor is
// (100 * 2^shift + e) / max with 0 < e <= max, so the product exceeds the quotient by score * e / (max * 2^shift),
// which is below 1 / max because 2^shift > max * max. The quotient and the next integer are at least 1 / max apart.
// Thread: any; pure.
#pragma once

#include <bit>
#include <cstdint>

namespace berth::framework {

struct ScoreScale {
  uint64_t max, shift, factor;

  // For 1..kLargest: score * factor is then below 2^64.
  static constexpr uint64_t kLargest = (uint64_t{1} << 28) - 1;

  explicit ScoreScale(uint64_t largest)
      : max(largest),
        shift(static_cast<uint64_t>(std::bit_width(largest * largest))),
        factor(static_cast<uint64_t>((static_cast<unsigned __int128>(100) << shift) / largest) + 1) {}

  uint64_t Of(uint64_t score) const { return (score * factor) >> shift; }
};

}  // namespace berth::framework
