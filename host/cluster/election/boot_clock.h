// The clock of leader election. Its mono time continues while the machine is suspended. Thread: any.
#pragma once

#include <cstdint>

#include "base/clock.h"

namespace berth::election {

// CLOCK_BOOTTIME. Async-signal-safe; about 20 ns.
int64_t BootNs();

class BootClock final : public base::Clock {
 public:
  int64_t WallUnixNs() const override { return real_.WallUnixNs(); }
  int64_t MonoNs() const override { return BootNs(); }

 private:
  base::RealClock real_;
};

}  // namespace berth::election
