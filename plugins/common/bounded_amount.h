// Amounts of resources that sums of a node's pods cannot overflow. An amount that a tenant writes can be as large as an
// int64, and limits do not restrict the nodes of a pod. Pure; thread: any.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace plugins {

// 1 PiB, or 10^12 CPUs in thousandths: no node has it, and an int64 holds the sum of 8,000.
inline constexpr int64_t kMostAmount = int64_t{1} << 50;

inline int64_t BoundedAmount(int64_t amount) { return std::clamp<int64_t>(amount, 0, kMostAmount); }

// For amounts that cannot be bounded, because they are compared with another one to the unit. Both are at least 0.
inline int64_t SaturatedSum(int64_t a, int64_t b) {
  int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<int64_t>::max() : sum;
}

}  // namespace plugins
