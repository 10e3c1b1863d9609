// A sleep that a stop token ends. Thread: any.
#pragma once

#include <chrono>
#include <stop_token>

namespace berth::base {

// Blocks this thread for that long, or until stop is requested; false: it was.
bool PauseFor(std::chrono::nanoseconds time, const std::stop_token& stop);

}  // namespace berth::base
