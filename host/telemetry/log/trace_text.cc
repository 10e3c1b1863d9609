#include "telemetry/log/trace_text.h"

#include <chrono>
#include <cstdio>

#include "base/clock.h"
#include "codec/text/duration.h"
#include "telemetry/log/local_time.h"

namespace berth::log {
namespace {

constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

int MillisecondOf(int64_t unix_ns) { return static_cast<int>(unix_ns % base::kSecond / base::kMillisecond); }

// Go's layout "15:04:05.000".
std::string TimeOfDay(int64_t unix_ns) {
  const LocalTime time = LocalTimeOf(unix_ns / base::kSecond);
  char text[32];
  std::snprintf(text, sizeof text, "%02d:%02d:%02d.%03d", time.hour, time.minute, time.second, MillisecondOf(unix_ns));
  return text;
}

// Go's layout "02-Jan-2006 ".
std::string Date(int64_t unix_ns) {
  const LocalTime time = LocalTimeOf(unix_ns / base::kSecond);
  char text[32];
  std::snprintf(text, sizeof text, "%02u-%s-%04d ", time.day, kMonths[time.month - 1], time.year);
  return text;
}

std::string WholeMs(int64_t ns) { return std::to_string(ns / base::kMillisecond) + "ms"; }

std::string FieldsText(std::span<const TraceField> fields) {
  std::string text;
  for (const TraceField& field : fields) {
    if (!text.empty()) text += ',';
    text.append(field.key).append(":").append(field.value);
  }
  return text.empty() ? text : text + " ";
}

std::string StepText(const TraceStep& step, int64_t took_ns) {
  return std::string("---\"") + step.message + "\" " + WholeMs(took_ns) + " (" + TimeOfDay(step.at_ns) + ")";
}

}  // namespace

std::string TraceText(const TraceLine& line) {
  const int64_t total_ns = line.ended_ns - line.began_ns;
  const std::string head = "Trace[" + std::to_string(line.id) + "]: ";
  std::string text = head + "\"" + line.name + "\" " + FieldsText(line.fields) + "(" + Date(line.began_ns) +
                     TimeOfDay(line.began_ns) + ") (total time: " + WholeMs(total_ns) + "):";
  int64_t last_ns = line.began_ns;
  for (const TraceStep& step : line.steps) {
    const int64_t took_ns = step.at_ns - last_ns;
    if (took_ns >= line.step_threshold_ns) text += "\n" + head + StepText(step, took_ns);
    last_ns = step.at_ns;
  }
  const std::string total = "[" + text::FormatDuration(std::chrono::nanoseconds(total_ns)) + "]";
  return text + "\n" + head + total + " " + total + " END";
}

}  // namespace berth::log
