// The three scoring strategies. Source: least_allocated.go, most_allocated.go, requested_to_capacity_ratio.go and
// helper/shape_score.go of pkg/scheduler/framework/plugins. Pure logic; thread: any.
#pragma once

#include <berth/hot.hpp>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "go_math.h"
#include "scored_resources.h"
#include "small_integer.h"

namespace plugins::allocation {

struct ShapePoint {
  int64_t utilization = 0;  // 0..100
  int64_t score = 0;        // 0..100
};
using Shape = std::vector<ShapePoint>;

// Piecewise linear, with integers that truncate as in Go.
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

// The weighted mean of score(requested, capacity) over the resources that the row's node has.
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

// The mean over the resources with a score above 0, with halves rounded away from zero.
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
// The numbers are integers from 0 to 2^46.
inline constexpr double kExactBelow = 70368744177664.0;  // 2^46

// Collects whether every number was in that range, without a branch or a vector of booleans: as bits, numbers that are
// not negative have the order of integers. The highest bit is set if a number is negative or too large.
class RangeCheck {
 public:
  void Add(double number) {
    const auto bits = std::bit_cast<uint64_t>(number);
    wrong_ |= bits | (std::bit_cast<uint64_t>(kExactBelow) - 1 - bits);
  }
  bool ok() const { return wrong_ >> 63 == 0; }

 private:
  uint64_t wrong_ = 0;
};

// The quotients are exact: 100 times a number is below 2^53, and a quotient of two such numbers that is not an integer
// does not round up to one. Processors divide eight numbers in the time in which they load them, so an estimate by
// multiplication with a correction is not faster.
inline double LeastOf(double requested, double capacity) {
  const double score = std::trunc((capacity - requested) * 100.0 / capacity);
  return requested > capacity || capacity == 0 ? 0.0 : score;
}
inline double MostOf(double requested, double capacity) {
  const double score = std::trunc((requested > capacity ? capacity : requested) * 100.0 / capacity);
  return capacity == 0 ? 0.0 : score;
}

// Adds the weighted score of one resource to each row. Both columns start at the range; `used` may not be null. Returns
// whether every number was small enough; otherwise, the sums mean nothing.
BERTH_HOT inline bool AddLeast(const double* capacity, const double* used, double pod, double weight, size_t n,
                               double* sum, double* weights) {
  RangeCheck range;
  for (size_t i = 0; i < n; ++i) {
    const double c = capacity[i], r = used[i] + pod;
    range.Add(c);
    range.Add(r);
    sum[i] += LeastOf(r, c) * weight;
    weights[i] += c == 0 ? 0.0 : weight;
  }
  return range.ok();
}
BERTH_HOT inline bool AddMost(const double* capacity, const double* used, double pod, double weight, size_t n,
                              double* sum, double* weights) {
  RangeCheck range;
  for (size_t i = 0; i < n; ++i) {
    const double c = capacity[i], r = used[i] + pod;
    range.Add(c);
    range.Add(r);
    sum[i] += MostOf(r, c) * weight;
    weights[i] += c == 0 ? 0.0 : weight;
  }
  return range.ok();
}

inline constexpr int64_t kPlainWeight = 1 << 20;  // the highest weight that LeastMeans takes

// The weighted mean of scores from 0 to 100, rounded down. sum: of score * weight; share: 1 / the sum of the weights,
// which is an integer from 1 to 2 * kPlainWeight. The added half never reaches the next integer and is larger than the
// rounding error.
inline double MeanOf(double sum, double share) { return std::trunc((sum + 0.5) * share); }

// The least-allocated mean of two resources, which most profiles use: it stores no sums and saves a division. Weights
// are integers from 1 to kPlainWeight.
struct RangeOfOne {
  const double *capacity, *used;  // start at the range's first row; used may not be null
  double pod, weight;
};
BERTH_HOT inline bool LeastMeans(const RangeOfOne& a, const RangeOfOne& b, size_t n, int64_t* out) {
  const double *capacity_a = a.capacity, *used_a = a.used, *capacity_b = b.capacity, *used_b = b.used;
  const double pod_a = a.pod, pod_b = b.pod, weight_a = a.weight, weight_b = b.weight;
  const double of_a = 1 / weight_a, of_b = 1 / weight_b, of_both = 1 / (weight_a + weight_b);
  RangeCheck range;
  for (size_t i = 0; i < n; ++i) {
    const double ca = capacity_a[i], cb = capacity_b[i], ra = used_a[i] + pod_a, rb = used_b[i] + pod_b;
    range.Add(ca);
    range.Add(ra);
    range.Add(cb);
    range.Add(rb);
    const double sum = LeastOf(ra, ca) * weight_a + LeastOf(rb, cb) * weight_b;
    const double share = ca == 0 ? of_b : cb == 0 ? of_a : of_both;  // neither: the sum is 0
    out[i] = SmallInteger(MeanOf(sum, share));
  }
  return range.ok();
}
BERTH_HOT inline void DivideMeans(const double* sum, const double* weights, size_t n, int64_t* out) {
  for (size_t i = 0; i < n; ++i) {
    const double mean = std::trunc(sum[i] / weights[i]);
    out[i] = SmallInteger(weights[i] == 0 ? 0.0 : mean);
  }
}

}  // namespace plugins::allocation
