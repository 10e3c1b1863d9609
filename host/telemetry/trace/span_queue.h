// Spans that wait for their export. When it is full, new spans are dropped and counted, as in the batch processor of
// OpenTelemetry's SDK. Thread: Add from any thread, which holds a lock for a moment; Take from one.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/thread_annotations.h"
#include "telemetry/trace/span.h"

namespace berth::trace {

class SpanQueue {
 public:
  // Source: go.opentelemetry.io/otel/sdk/trace/batch_span_processor.go.
  static constexpr size_t kCapacity = 2048, kBatch = 512;

  explicit SpanQueue(size_t capacity = kCapacity) : capacity_(capacity) {}

  void Add(Span span);
  // Waits until `batch` spans are in the queue, the time has passed, or Close was called. Returns the oldest, at most
  // `batch`.
  std::vector<Span> Take(size_t batch, std::chrono::nanoseconds wait);
  // Take no longer waits.
  void Close();

  uint64_t dropped() const;  // since the start

 private:
  const size_t capacity_;
  mutable base::Mutex mutex_;
  base::Condition changed_;
  std::vector<Span> spans_ GUARDED_BY(mutex_);
  size_t wanted_ GUARDED_BY(mutex_) = 0;  // a Take waits for so many; 0: none waits
  uint64_t dropped_ GUARDED_BY(mutex_) = 0;
  bool closed_ GUARDED_BY(mutex_) = false;
};

}  // namespace berth::trace
