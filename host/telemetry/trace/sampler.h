// Which traces are recorded: a share of all roots. Effects follow their cause (ParentBased).
// Source: go.opentelemetry.io/otel/sdk/trace/sampling.go (TraceIDRatioBased); component-base/tracing NewProvider.
// Thread: immutable.
#pragma once

#include <cstdint>

namespace berth::trace {

class Sampler {
 public:
  static constexpr int32_t kEvery = 1'000'000;
  // per_million: 0 to kEvery.
  explicit Sampler(int32_t per_million)
      : below_(per_million >= kEvery
                   ? uint64_t{1} << 63
                   : static_cast<uint64_t>(per_million / 1e6 * static_cast<double>(uint64_t{1} << 63))) {}

  // trace_low: the lower half of the trace id, so that every process that uses this rate decides alike.
  bool Samples(uint64_t trace_low) const { return trace_low >> 1 < below_; }
  bool never() const { return below_ == 0; }

 private:
  uint64_t below_;
};

}  // namespace berth::trace
