// Begins spans and passes those that have ended to the queue. Thread: any, without a lock except in End. Ownership: the
// queue outlives it.
#pragma once

#include <atomic>
#include <cstdint>

#include "telemetry/trace/sampler.h"
#include "telemetry/trace/span.h"
#include "telemetry/trace/span_queue.h"

namespace berth::trace {

class Tracer {
 public:
  // seed: of the ids; different for each process.
  Tracer(const Sampler& sampler, SpanQueue& queue, uint64_t seed);

  // A new trace, sampled or dropped.
  SpanContext Root();
  // A span whose cause is parent: of the same trace, and of a new one if there is no cause.
  SpanContext Under(const SpanContext& parent);
  // span.context: one of the above, sampled.
  void End(Span span) { queue_.Add(std::move(span)); }

 private:
  uint64_t NewId();  // never 0

  const Sampler sampler_;
  SpanQueue& queue_;
  const uint64_t seed_;
  std::atomic<uint64_t> ids_{0};
};

}  // namespace berth::trace
