// The three scoring strategies. Source: least_allocated.go, most_allocated.go, requested_to_capacity_ratio.go and
// helper/shape_score.go of pkg/scheduler/framework/plugins. Pure logic; thread: any.
#pragma once

#include <berth/hot.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "go_math.h"
#include "scored_resources.h"

namespace plugins::allocation {

struct ShapePoint {
  int64_t utilization = 0;  // 0..100
  int64_t score = 0;        // 0..100
};
using Shape = std::vector<ShapePoint>;

// Piecewise linear, in whole numbers that truncate as Go's do.
inline int64_t OnShape(const Shape& shape, int64_t p) {
  for (size_t i = 0; i < shape.size(); ++i) {
    if (p > shape[i].utilization) continue;
    if (i == 0) return shape[0].score;
    const ShapePoint &a = shape[i - 1], &b = shape[i];
    return a.score + (b.score - a.score) * (p - a.utilization) / (b.utilization - a.utilization);
  }
  return shape.back().score;
}

inline int64_t LeastScore(int64_t requested, int64_t capacity) {
  return requested > capacity ? 0 : WrapDiv(WrapMul(WrapSub(capacity, requested), 100), capacity);
}
inline int64_t MostScore(int64_t requested, int64_t capacity) {
  return WrapDiv(WrapMul(requested > capacity ? capacity : requested, 100), capacity);
}
inline int64_t RatioScore(const Shape& shape, int64_t requested, int64_t capacity) {
  return OnShape(shape, requested > capacity ? 100 : WrapDiv(WrapMul(requested, 100), capacity));
}

// The weighted mean of score(requested, capacity) over the resources that the row has.
template <class Fn>
int64_t WeightedMean(const ColumnList& columns, size_t n, uint32_t row, Fn&& score) {
  int64_t sum = 0, weights = 0;
  for (size_t i = 0; i < n; ++i) {
    const ResourceColumns& c = columns[i];
    const int64_t capacity = c.allocatable[row];
    if (capacity == 0) continue;
    const int64_t requested = WrapAdd(c.used == nullptr ? 0 : c.used[row], c.pod);
    sum = WrapAdd(sum, WrapMul(score(requested, capacity), c.weight));
    weights += c.weight;
  }
  return weights == 0 ? 0 : WrapDiv(sum, weights);
}

// Only resources with a score above 0 count, and the mean is rounded half away from zero.
inline int64_t RatioMean(const ColumnList& columns, size_t n, uint32_t row, const Shape& shape) {
  int64_t sum = 0, weights = 0;
  for (size_t i = 0; i < n; ++i) {
    const ResourceColumns& c = columns[i];
    const int64_t capacity = c.allocatable[row];
    if (capacity == 0) continue;
    const int64_t score = RatioScore(shape, WrapAdd(c.used == nullptr ? 0 : c.used[row], c.pod), capacity);
    if (score <= 0) continue;
    sum += score * c.weight;
    weights += c.weight;
  }
  return weights == 0 ? 0 : std::llround(static_cast<double>(sum) / static_cast<double>(weights));
}

// ---- the same in doubles, for ranges of rows ----
// Right as long as every number is a whole one below 2^46: then 100 times it is below 2^53, and a quotient of two such
// numbers that is not whole stays below the next whole number after rounding.
inline constexpr double kExactBelow = 70368744177664.0;  // 2^46

// Adds one resource's weighted score per row. Both columns start at the range; used may not be null. Answers whether
// every number was small enough.
BERTH_HOT inline bool AddLeast(const double* capacity, const double* used, double pod, double weight, size_t n,
                               double* sum, double* weights) {
  int wrong = 0;
  for (size_t i = 0; i < n; ++i) {
    const double c = capacity[i], r = used[i] + pod;
    wrong |= static_cast<int>(!(c >= 0)) | static_cast<int>(!(r >= 0)) | static_cast<int>(!(c < kExactBelow)) |
             static_cast<int>(!(r < kExactBelow));
    const double score = std::trunc((c - r) * 100.0 / c);
    sum[i] += r > c || c == 0 ? 0.0 : score * weight;
    weights[i] += c == 0 ? 0.0 : weight;
  }
  return wrong == 0;
}
BERTH_HOT inline bool AddMost(const double* capacity, const double* used, double pod, double weight, size_t n,
                              double* sum, double* weights) {
  int wrong = 0;
  for (size_t i = 0; i < n; ++i) {
    const double c = capacity[i], r = used[i] + pod;
    wrong |= static_cast<int>(!(c >= 0)) | static_cast<int>(!(r >= 0)) | static_cast<int>(!(c < kExactBelow)) |
             static_cast<int>(!(r < kExactBelow));
    const double score = std::trunc((r > c ? c : r) * 100.0 / c);
    sum[i] += c == 0 ? 0.0 : score * weight;
    weights[i] += c == 0 ? 0.0 : weight;
  }
  return wrong == 0;
}
BERTH_HOT inline void DivideMeans(const double* sum, const double* weights, size_t n, int64_t* out) {
  for (size_t i = 0; i < n; ++i) {
    const double mean = std::trunc(sum[i] / weights[i]);
    out[i] = static_cast<int64_t>(weights[i] == 0 ? 0.0 : mean);
  }
}

}  // namespace plugins::allocation
