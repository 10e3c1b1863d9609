// Times of RFC 3339, as metav1.Time and metav1.MicroTime read and write them. Thread: any.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace berth::text {

// Go's zero time, 0001-01-01T00:00:00Z: the time is not set. The ABI's BERTH_NO_TIME has the same value.
inline constexpr int64_t kNoTime = INT64_MIN;

// time.Parse(time.RFC3339, text) in nanoseconds of Unix time; digits after the nanoseconds are ignored. Go's zero time
// is kNoTime. Other times outside of the range of int64 nanoseconds become the nearest time inside. False: text is no
// such time.
bool ParseRfc3339(std::string_view text, int64_t& unix_ns);

// metav1.Time, with whole seconds: "2026-01-01T00:00:00Z". unix_ns: not negative.
std::string TimeText(int64_t unix_ns);
// The same of a time in seconds.
std::string UnixTimeText(int64_t unix_seconds);
// metav1.MicroTime, with microseconds: "2026-01-01T00:00:00.000001Z". unix_ns: not negative.
std::string MicroTimeText(int64_t unix_ns);

}  // namespace berth::text
