// Kubernetes' times: RFC 3339, as Go's time.Parse(time.RFC3339, ...) reads them. Thread: any.
#pragma once

#include <cstdint>
#include <string_view>

namespace berth::api {

// Nanoseconds of Unix time; fractions beyond nanoseconds are cut. Go's zero time (0001-01-01T00:00:00Z) is
// BERTH_NO_TIME; other times that int64 nanoseconds cannot hold are moved to the nearest that it can. False: not such a
// text.
bool ParseRfc3339(std::string_view text, int64_t& unix_ns);

}  // namespace berth::api
