// A sleep that a stop token ends. Thread: any.
#pragma once

#include <chrono>
#include <stop_token>

namespace berth::base {

// Blocks this thread for that time, or until stop is requested; false: stop was requested.
bool PauseFor(std::chrono::nanoseconds time, const std::stop_token& stop);

}  // namespace berth::base
