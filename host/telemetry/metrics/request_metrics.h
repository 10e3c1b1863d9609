// rest_client_*: requests to the API server. Source: k8s.io/component-base/metrics/prometheus/restclient/metrics.go.
// Thread: any. Ownership: the registry outlives the object.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "telemetry/metrics/registry.h"
#include "telemetry/metrics/series_by.h"

namespace berth::metrics {

class RequestMetrics {
 public:
  // Declares RestClientFamilies. host: "10.0.0.1:6443".
  RequestMetrics(Registry& registry, std::string host);

  // A request has ended. status 0: there was no reply.
  void Ended(std::string_view method, int status, double seconds, size_t sent_bytes, size_t received_bytes);
  // A watch has its status, or has ended without one.
  void Watched(std::string_view method, int status);
  // The client waited for the rate limit, or for its turn, before it sent the request.
  void Delayed(std::string_view method, double seconds);
  // The client will send the request again because the server turned it away with this status.
  void Retried(std::string_view method, int status);

 private:
  const std::string host_;
  SeriesBy<Histogram> seconds_, sent_, received_, delays_;
  SeriesBy<Counter> results_, retries_;
};

}  // namespace berth::metrics
