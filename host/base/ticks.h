// A clock for durations that are measured often: a read takes 10 ns, and one of CLOCK_MONOTONIC 24 ns. It reads the
// time stamp counter where Linux itself keeps time by it, so that the counters of all CPUs agree; elsewhere it is
// CLOCK_MONOTONIC. Thread: any.
#pragma once

#include <algorithm>
#include <cstdint>

namespace berth::base {

class Ticks {
 public:
  Ticks() = default;  // no time
  static Ticks Now();
  // Nanoseconds from earlier to this; at least 0. Exact to a thousandth.
  int64_t Since(Ticks earlier) const;

 private:
  explicit Ticks(uint64_t count) : count_(count) {}
  uint64_t count_ = 0;
};

namespace internal {

// Converts counts to nanoseconds: count * ns_per_2_32 / 2^32.
struct TickScale {
  bool counter;  // counts are those of the time stamp counter; else they are nanoseconds
  uint64_t ns_per_2_32;
};
// Takes two milliseconds at the first call.
const TickScale& ScaleOfTicks();
uint64_t MonotonicNs();

}  // namespace internal

inline Ticks Ticks::Now() {
#if defined(__x86_64__)
  if (internal::ScaleOfTicks().counter) return Ticks(__builtin_ia32_rdtsc());
#endif
  return Ticks(internal::MonotonicNs());
}

inline int64_t Ticks::Since(Ticks earlier) const {
  const auto counts = static_cast<int64_t>(count_ - earlier.count_);
  const auto scaled =
      static_cast<unsigned __int128>(std::max<int64_t>(counts, 0)) * internal::ScaleOfTicks().ns_per_2_32;
  return static_cast<int64_t>(scaled >> 32);
}

}  // namespace berth::base
