// Writes rest_client_* for the clients of the API server and their request queues. Thread: any. Ownership: metrics
// outlive the object, which outlives the clients and the queues.
#pragma once

#include <string>
#include <string_view>

#include "base/clock.h"
#include "client/http/request_observer.h"
#include "client/requests/request_queue.h"
#include "telemetry/metrics/request_metrics.h"

namespace berth::process {

// "10.0.0.1:6443" of "https://10.0.0.1:6443/prefix", as Go's URL.Host: the label host of the metrics.
inline std::string HostOf(const std::string& url) {
  const size_t scheme = url.find("://");
  const size_t begin = scheme == std::string::npos ? 0 : scheme + 3;
  return url.substr(begin, url.find_first_of("/?#", begin) - begin);
}

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

}  // namespace berth::process
