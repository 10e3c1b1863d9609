#include "telemetry/log/step_trace.h"

#include <random>

#include "telemetry/log/log.h"

namespace berth::log {

StepTrace::StepTrace(const base::Clock& clock, const char* name, SourcePlace where)
    : clock_(clock),
      name_(name),
      where_(where),
      enabled_(LogEnabled(2, where)),
      began_ns_(enabled_ ? clock.MonoNs() : 0) {}

void StepTrace::Log(int64_t threshold_ns, std::initializer_list<TraceField> fields) {
  const int64_t wall_minus_mono = clock_.WallUnixNs() - clock_.MonoNs();
  for (size_t i = 0; i < n_steps_; ++i) steps_[i].at_ns += wall_minus_mono;
  const std::string text =
      TraceText({.id = std::random_device()() & 0x7fff'ffff,  // Go's rand.Int31
                 .name = name_,
                 .fields = {fields.begin(), fields.size()},
                 .steps = {steps_.data(), n_steps_},
                 .began_ns = began_ns_ + wall_minus_mono,
                 .ended_ns = ended_ns_ + wall_minus_mono,
                 .step_threshold_ns = LogEnabled(4, where_) ? 0 : StepThresholdNs(threshold_ns, n_steps_)});
  log::Log(Severity::kInfo, 0, where_.file, where_.line, text);
}

}  // namespace berth::log
