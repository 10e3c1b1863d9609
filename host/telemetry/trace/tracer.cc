#include "telemetry/trace/tracer.h"

#include "base/random.h"

namespace berth::trace {

Tracer::Tracer(const Sampler& sampler, SpanQueue& queue, uint64_t seed)
    : sampler_(sampler), queue_(queue), seed_(base::Mix(seed)) {}

// Mix gives different numbers for different ones, so ids of a process do not repeat.
uint64_t Tracer::NewId() {
  while (true) {
    const uint64_t id = base::Mix(seed_ + ids_.fetch_add(1, std::memory_order_relaxed));
    if (id != 0) return id;
  }
}

SpanContext Tracer::Root() {
  if (sampler_.never()) return {.decision = SpanContext::Decision::kDropped};
  const uint64_t low = NewId();
  if (!sampler_.Samples(low)) return {.decision = SpanContext::Decision::kDropped};
  return {SpanContext::Decision::kSampled, NewId(), low, NewId()};
}

SpanContext Tracer::Under(const SpanContext& parent) {
  if (parent.decision == SpanContext::Decision::kNone) return Root();
  SpanContext context = parent;
  if (parent.sampled()) context.span = NewId();
  return context;
}

}  // namespace berth::trace
