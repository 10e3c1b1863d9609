// The severity of a log line. Thread: a value.
#pragma once

#include <cstdint>

namespace berth::log {

enum class Severity : uint8_t { kInfo, kWarning, kError };

}  // namespace berth::log
