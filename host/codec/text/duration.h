// Durations in Go's syntax ("1h15m30.5s", "250ms"), as metav1.Duration reads and prints them. Thread: any.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace berth::text {

// time.ParseDuration. Errors: time: invalid duration "x", missing unit in duration "15", unknown unit "d" in duration
// "1d".
base::Result<std::chrono::nanoseconds> ParseDuration(std::string_view text);
// time.Duration.String: "15s", "10m0s", "1.5s", "100ms", "0s".
std::string FormatDuration(std::chrono::nanoseconds duration);
// FormatDuration of the whole milliseconds in ns, rounded toward zero.
std::string FormatMilliseconds(int64_t ns);

}  // namespace berth::text
