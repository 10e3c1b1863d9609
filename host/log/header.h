// What stands before the message of a line. Thread: any.
#pragma once

#include <string>
#include <string_view>

#include "log/severity.h"

namespace berth::log {

// klog's header with the present time: severity, month and day, local time, thread, file and line.
std::string Header(Severity severity, std::string_view file, int line);

}  // namespace berth::log
