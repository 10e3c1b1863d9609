// Writes rest_client_* for the clients of the API server and their request queues. Thread: any. Ownership: metrics
// outlive the object, which outlives the clients and the queues.
#pragma once

#include "base/clock.h"
#include "client/http/request_observer.h"
#include "client/requests/request_queue.h"
#include "telemetry/metrics/request_metrics.h"

namespace berth::daemon {

class RequestTelemetry final : public http::RequestObserver, public requests::RequestQueueObserver {
 public:
  explicit RequestTelemetry(metrics::RequestMetrics& metrics) : metrics_(metrics) {}

  void OnReply(std::string_view method, int status, int64_t ns, size_t sent_bytes, size_t received_bytes) override {
    metrics_.Ended(method, status, base::InSeconds(ns), sent_bytes, received_bytes);
  }
  void OnStream(std::string_view method, int status) override { metrics_.Watched(method, status); }
  void OnSent(std::string_view method, int64_t waited_ns) override {
    metrics_.Delayed(method, base::InSeconds(waited_ns));
  }
  void OnTurnedAway(std::string_view method, int status) override { metrics_.Retried(method, status); }

 private:
  metrics::RequestMetrics& metrics_;
};

}  // namespace berth::daemon
