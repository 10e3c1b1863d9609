#include "base/clock.h"

#include <chrono>

namespace berth::base {

int64_t RealClock::WallUnixNs() const {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

int64_t RealClock::MonoNs() const {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void VirtualClock::AdvanceTo(int64_t mono_ns) {
  if (mono_ns > elapsed_.load(std::memory_order_relaxed)) elapsed_.store(mono_ns, std::memory_order_relaxed);
}

}  // namespace berth::base
