// Measures the steps of one operation, and logs them if the operation took long, as k8s.io/utils/trace does. With -v
// below 2, nothing is measured. An operation below the threshold costs one look at the clock for each step: no
// allocation, no text, no lock. Thread: one. Ownership: the clock outlives the object.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "base/clock.h"
#include "telemetry/log/source_place.h"
#include "telemetry/log/trace_text.h"

namespace berth::log {

class StepTrace {
 public:
  static constexpr size_t kMostSteps = 6;  // later ones are not recorded

  // Begins the operation. name: as TraceStep::message.
  StepTrace(const base::Clock& clock, const char* name, SourcePlace where = SourcePlace::Here());
  // Ends a step. message: as TraceStep::message; it outlives the object.
  void Step(const char* message) {
    if (enabled_ && n_steps_ < kMostSteps) steps_[n_steps_++] = {message, clock_.MonoNs()};
  }
  // Ends the operation. true: it took threshold_ns or more, and the caller calls Log.
  bool EndsLong(int64_t threshold_ns) {
    if (!enabled_) return false;
    ended_ns_ = clock_.MonoNs();
    return ended_ns_ - began_ns_ >= threshold_ns;
  }
  // Logs the operation with the steps that took their share of the threshold or more; with -v=4, with all of them.
  void Log(int64_t threshold_ns, std::initializer_list<TraceField> fields);

 private:
  const base::Clock& clock_;
  const char* const name_;
  const SourcePlace where_;
  const bool enabled_;
  const int64_t began_ns_;  // mono, as the steps and the end
  int64_t ended_ns_ = 0;
  size_t n_steps_ = 0;
  std::array<TraceStep, kMostSteps> steps_;
};

}  // namespace berth::log
