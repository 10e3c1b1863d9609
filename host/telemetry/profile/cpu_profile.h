// A CPU profile of this process: 100 samples per second of CPU time of each thread. Thread: any; one profile at a time.
#pragma once

#include <chrono>
#include <stop_token>
#include <string>

#include "base/result.h"

namespace berth::profile {

// Blocks for that time, or until stop is requested. Returns the profile in the legacy format of gperftools, which go
// tool pprof reads: 64-bit words, then the memory map (github.com/google/pprof profile/legacy_profile.go, parseCPU).
// Errors: "cpu profiling already in use", or what the system refuses.
base::Result<std::string> TakeCpuProfile(std::chrono::nanoseconds duration, const std::stop_token& stop);

}  // namespace berth::profile
