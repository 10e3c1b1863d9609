// The part of a log line before the message. Thread: any.
#pragma once

#include <string>
#include <string_view>

#include "telemetry/log/severity.h"

namespace berth::log {

// klog's header for the current time: severity, month and day, local time, thread, file, and line.
std::string Header(Severity severity, std::string_view file, int line);

}  // namespace berth::log
