// metav1.MicroTime of a moment: RFC 3339 with microseconds. Thread: any.
#pragma once

#include <cstdint>
#include <string>

namespace berth::manifests {

std::string Rfc3339(int64_t unix_ns);

}  // namespace berth::manifests
