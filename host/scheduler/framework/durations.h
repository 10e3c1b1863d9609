// A histogram as plain numbers, for values that are recorded often on one thread and collected now and then.
// Thread: one owner at a time. Source of the bounds: pkg/scheduler/metrics/metrics.go.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace berth::framework {

template <size_t N>
using Bounds = std::array<int64_t, N>;  // inclusive upper bounds, ns, ascending

// first, first * 2, ...
template <size_t N>
constexpr Bounds<N> Doubling(int64_t first) {
  Bounds<N> bounds{};
  for (size_t i = 0; i < N; ++i, first *= 2) bounds[i] = first;
  return bounds;
}

inline constexpr Bounds<12> kPointBounds = Doubling<12>(100'000);         // of an extension point
inline constexpr Bounds<15> kPermitWaitBounds = Doubling<15>(1'000'000);  // of WaitOnPermit
inline constexpr Bounds<20> kPluginBounds = [] {                          // of one plugin: 10 µs * 1.5^i
  Bounds<20> bounds{};
  double bound = 10'000;
  for (int64_t& one : bounds) {
    one = static_cast<int64_t>(bound);
    bound *= 1.5;
  }
  return bounds;
}();

template <size_t N>
class Durations {
 public:
  void Add(int64_t ns, const Bounds<N>& bounds) {
    size_t bucket = 0;
    while (bucket < N && ns > bounds[bucket]) ++bucket;
    ++counts_[bucket];
    ++n_;
    sum_ns_ += ns;
  }
  uint64_t n() const { return n_; }
  int64_t sum_ns() const { return sum_ns_; }
  const std::array<uint32_t, N + 1>& counts() const { return counts_; }  // by bucket, the last above every bound

 private:
  std::array<uint32_t, N + 1> counts_{};
  uint32_t n_ = 0;
  int64_t sum_ns_ = 0;
};

}  // namespace berth::framework
