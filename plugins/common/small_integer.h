// Conversion of doubles to integers in loops. Pure logic; thread: any.
#pragma once

#include <bit>
#include <cstdint>

namespace plugins {

// x, an integer from -2^51 to 2^51, as int64_t. x86-64 has an instruction that converts several doubles only from level
// 4 on, and a loop with a conversion is not vectorized below. The sum has the unit 1, so its lowest bits are those of
// the integer.
inline int64_t SmallInteger(double x) {
  constexpr double kUnit = 6755399441055744.0;  // 1.5 * 2^52
  return static_cast<int64_t>(std::bit_cast<uint64_t>(x + kUnit) - std::bit_cast<uint64_t>(kUnit));
}

}  // namespace plugins
