// Moments as Kubernetes writes them. Thread: any.
#pragma once

#include <cstdint>
#include <string>

namespace berth::api {

// metav1.MicroTime: RFC 3339 with microseconds, "2026-01-01T00:00:00.000001Z". unix_ns as in base::Clock.
std::string MicroTimeText(int64_t unix_ns);
// metav1.Time: RFC 3339 with whole seconds.
std::string TimeText(int64_t unix_ns);

}  // namespace berth::api
