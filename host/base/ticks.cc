#include "base/ticks.h"

#include <time.h>

#include <fstream>
#include <string>

namespace berth::base::internal {
namespace {

constexpr uint64_t kOne = uint64_t{1} << 32;

#if defined(__x86_64__)
// Linux has checked that the counters of all CPUs agree and run at a constant rate.
bool KernelTrustsCounter() {
  std::ifstream file("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  std::string name;
  return file >> name && name == "tsc";
}

struct Moment {
  uint64_t ns, count;
};

// Reads both clocks at the same time. Of many tries, it returns the one that nothing interrupted.
Moment Now() {
  Moment best{};
  uint64_t least = UINT64_MAX;
  for (int i = 0; i < 20; ++i) {
    const uint64_t before = MonotonicNs(), count = __builtin_ia32_rdtsc(), after = MonotonicNs();
    if (after - before >= least) continue;
    least = after - before;
    best = {before + least / 2, count};
  }
  return best;
}

uint64_t MeasuredScale() {
  constexpr uint64_t kNs = 2'000'000;
  const Moment began = Now();
  while (MonotonicNs() - began.ns < kNs) {
  }
  const Moment ended = Now();
  return static_cast<uint64_t>((static_cast<unsigned __int128>(ended.ns - began.ns) << 32) /
                               (ended.count - began.count));
}

TickScale MakeScale() { return KernelTrustsCounter() ? TickScale{true, MeasuredScale()} : TickScale{false, kOne}; }
#else
TickScale MakeScale() { return {false, kOne}; }
#endif

}  // namespace

uint64_t MonotonicNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(now.tv_nsec);
}

const TickScale& ScaleOfTicks() {
  static const TickScale scale = MakeScale();
  return scale;
}

}  // namespace berth::base::internal
