// The spans of one attempt, if it is sampled: one for each extension point, below the root. Times are those of the real
// clock. Thread: one at a time. Ownership: an attempt owns it; the tracer outlives it.
#pragma once

#include <cstdint>
#include <string_view>

#include "plugin/instance/status.h"
#include "telemetry/trace/tracer.h"

namespace berth::framework {

class AttemptTrace {
 public:
  AttemptTrace() = default;  // no tracing
  // Begins the root, if the tracer samples it.
  explicit AttemptTrace(trace::Tracer& tracer);

  bool sampled() const { return root_.sampled(); }
  // The cause of requests outside of the extension points.
  const trace::SpanContext& root() const { return root_; }

  // The span of an extension point that begins. Not sampled if the attempt is not.
  trace::SpanContext BeginPoint() const;
  // The extension point `name` has ended; mono ns of the real clock. Does nothing if it is not sampled.
  void EndPoint(const trace::SpanContext& span, std::string_view name, const plugin::Status& status,
                int64_t began_mono_ns, int64_t ended_mono_ns) const;

  struct Result {
    std::string_view ns, name, uid, profile;  // of the pod
    std::string_view result;                  // "scheduled", "unschedulable", "error"
    std::string_view node;                    // "" without one
    std::string_view message;                 // of a failure
    uint64_t generation;                      // of the policy
  };
  // The attempt has ended. Call it once, if it is sampled.
  void End(const Result& result) const;

 private:
  trace::Tracer* tracer_ = nullptr;
  trace::SpanContext root_;
  int64_t began_mono_ns_ = 0, wall_minus_mono_ns_ = 0;
};

}  // namespace berth::framework
