#include "telemetry/log/header.h"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "telemetry/log/local_time.h"
#include "telemetry/log/vmodule.h"

namespace berth::log {

std::string Header(Severity severity, std::string_view file, int line) {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  const LocalTime time = LocalTimeOf(now.tv_sec);
  char text[64];
  std::snprintf(text, sizeof text, "%c%02u%02u %02d:%02d:%02d.%06ld %7d ", "IWE"[static_cast<int>(severity)],
                time.month, time.day, time.hour, time.minute, time.second, now.tv_nsec / 1000, gettid());
  return text + std::string(BaseName(file)) + ":" + std::to_string(std::max(line, 0)) + "] ";
}

}  // namespace berth::log
