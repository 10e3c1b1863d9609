// The format of log lines: klog's text, or JSON. Thread: any.
#pragma once

#include <cstdint>
#include <string>

#include "telemetry/log/line.h"

namespace berth::log {

enum class Format : uint8_t { kText, kJson };

// Text before the first call.
void SetFormat(Format format);
Format CurrentFormat();

// The line in the current format, with the current time, without a newline, and shorter than 30,000 bytes.
std::string Formatted(const Line& line);

}  // namespace berth::log
