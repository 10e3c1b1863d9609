// Takes spans from a queue and posts them to a collector: in batches, each at most `delay` after its first span. It
// repeats an export that failed temporarily; spans whose export failed for good are dropped and counted, and so are new
// spans while the queue is full. The log says when exports begin to fail and when they work again.
//
// Thread: its own, which waits for each reply; the counts from any. Ownership: owns the transport; the queue outlives
// it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/thread_annotations.h"
#include "client/http/transport.h"
#include "client/otlp/retry.h"
#include "telemetry/trace/otlp_json.h"
#include "telemetry/trace/span_queue.h"

namespace berth::otlp {

// The defaults are those of OpenTelemetry's SDK for Go.
struct ExportRules {
  size_t batch = trace::SpanQueue::kBatch;
  std::chrono::nanoseconds delay = std::chrono::seconds(5);
  std::chrono::nanoseconds timeout = std::chrono::seconds(10);  // of one request
  RetryRules retry;
  std::chrono::nanoseconds flush = std::chrono::seconds(5);  // of Stop
};

inline constexpr const char* kTracesPath = "/v1/traces";

class Exporter {
 public:
  Exporter(trace::SpanQueue& queue, std::unique_ptr<http::Transport> collector, trace::Origin origin,
           const ExportRules& rules = {});
  ~Exporter() { Stop(); }
  Exporter(const Exporter&) = delete;

  // Exports what is in the queue, for at most rules.flush, and ends.
  void Stop();

  // Since the start.
  uint64_t exported() const { return exported_.load(std::memory_order_relaxed); }
  uint64_t failed() const { return failed_.load(std::memory_order_relaxed); }  // dropped, because no export succeeded
  uint64_t rejected() const { return rejected_.load(std::memory_order_relaxed); }  // dropped by the collector

 private:
  void Loop();
  void Export(const std::vector<trace::Span>& spans);
  http::Reply ExportBody(const std::string& body);
  http::Reply SendOnce(const std::string& body);
  void Accepted(const http::Reply& reply, size_t n_spans);
  void Refused(const http::Reply& reply, size_t n_spans);
  std::chrono::nanoseconds Left() const;      // end of the flush; unlimited before Stop
  bool Pause(std::chrono::nanoseconds wait);  // false: Stop was called

  trace::SpanQueue& queue_;
  const std::unique_ptr<http::Transport> collector_;
  const trace::Origin origin_;
  const ExportRules rules_;
  std::atomic<uint64_t> exported_{0}, failed_{0}, rejected_{0};
  bool failing_ = false;  // the log has said so

  mutable base::Mutex mutex_;
  base::Condition changed_;
  std::chrono::steady_clock::time_point deadline_ GUARDED_BY(mutex_) = std::chrono::steady_clock::time_point::max();
  bool ended_ GUARDED_BY(mutex_) = false;  // whether the loop has ended
  std::jthread thread_;
};

}  // namespace berth::otlp
