// A log line before it is formatted. Thread: a value; it borrows its texts.
#pragma once

#include <span>
#include <string_view>

#include "telemetry/log/log_value.h"
#include "telemetry/log/severity.h"

namespace berth::log {

struct Line {
  Severity severity = Severity::kInfo;
  int v = 0;              // of an info line
  std::string_view file;  // "/src/host/scheduler/engine/engine.cc"
  int line = 0;
  std::string_view message;
  std::span<const Pair> pairs = {};
};

}  // namespace berth::log
