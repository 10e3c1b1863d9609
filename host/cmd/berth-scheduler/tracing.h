// Tracing, as the configuration says: the tracer, and the exporter to the collector. Thread: main; the tracer any;
// Measure on the scheduling thread. Ownership: outlives all users of the tracer; the registry outlives it. The
// destructor exports the last spans, for at most five seconds.
#pragma once

#include <memory>
#include <optional>

#include "base/result.h"
#include "client/otlp/exporter.h"
#include "config/configuration/berth_configuration.h"
#include "telemetry/metrics/follower.h"
#include "telemetry/metrics/registry.h"
#include "telemetry/trace/span_queue.h"
#include "telemetry/trace/tracer.h"

namespace berth {

class Tracing {
 public:
  // Does not connect yet. null: the configuration asks for no tracing. Fails for an endpoint that cannot be used.
  static base::Result<std::unique_ptr<Tracing>> Make(const std::optional<config::TracingRules>& rules,
                                                     metrics::Registry& registry);

  trace::Tracer& tracer() { return tracer_; }
  // Writes berth_trace_spans_*.
  void Measure();

 private:
  Tracing(const config::TracingRules& rules, std::unique_ptr<http::Transport> collector, metrics::Registry& registry);

  trace::SpanQueue queue_;
  trace::Tracer tracer_;
  metrics::Follower exported_, queue_full_, export_failed_, rejected_;
  otlp::Exporter exporter_;
};

// The tracer of tracing, which may be null.
inline trace::Tracer* TracerOf(const std::unique_ptr<Tracing>& tracing) {
  return tracing == nullptr ? nullptr : &tracing->tracer();
}

}  // namespace berth
