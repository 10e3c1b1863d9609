// The text of a slow operation, "Trace[ID]: ...", with the bytes that k8s.io/utils/trace writes (logTrace,
// writeTraceSteps). Thread: any; pure but for the time zone of the process.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace berth::log {

struct TraceField {
  std::string_view key, value;
};

struct TraceStep {
  const char* message = "";  // printable ASCII without quotes
  int64_t at_ns = 0;         // when the step ended; on the clock of the trace
};

// Times are Unix nanoseconds. Borrows its texts.
struct TraceLine {
  uint32_t id = 0;
  const char* name = "";  // as TraceStep::message
  std::span<const TraceField> fields = {};
  std::span<const TraceStep> steps = {};  // in the order of time
  int64_t began_ns = 0, ended_ns = 0;
  int64_t step_threshold_ns = 0;  // steps that took less are left out; 0: none
};

// Several lines, without the line break at the end.
std::string TraceText(const TraceLine& line);

// The share of one of n steps in the threshold of the whole (calculateStepThreshold).
constexpr int64_t StepThresholdNs(int64_t threshold_ns, size_t n_steps) {
  return threshold_ns / static_cast<int64_t>(n_steps + 1);
}

}  // namespace berth::log
