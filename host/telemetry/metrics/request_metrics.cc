#include "telemetry/metrics/request_metrics.h"

#include <limits>
#include <utility>

#include "telemetry/metrics/kube_families.h"

namespace berth::metrics {
namespace {

// As client-go's: a request without a reply has no code.
std::string CodeLabel(int status) { return status == 0 ? "<error>" : std::to_string(status); }

}  // namespace

RequestMetrics::RequestMetrics(Registry& registry, std::string host)
    : host_(std::move(host)),
      seconds_(registry, "rest_client_request_duration_seconds", {"verb", "host"}),
      sent_(registry, "rest_client_request_size_bytes", {"verb", "host"}),
      received_(registry, "rest_client_response_size_bytes", {"verb", "host"}),
      delays_(registry, "rest_client_rate_limiter_duration_seconds", {"verb", "host"}),
      results_(registry, "rest_client_requests_total", {"code", "method", "host"}),
      retries_(registry, "rest_client_request_retries_total", {"code", "verb", "host"}) {
  registry.Declare(RestClientFamilies());
  // As upstream without a credential plugin that gives certificates.
  registry.HistogramOf("rest_client_exec_plugin_certificate_rotation_age");
  registry.GaugeOf("rest_client_exec_plugin_ttl_seconds").Set(std::numeric_limits<double>::infinity());
}

void RequestMetrics::Ended(std::string_view method, int status, double seconds, size_t sent_bytes,
                           size_t received_bytes) {
  seconds_.At({method, host_}).Observe(seconds);
  sent_.At({method, host_}).Observe(static_cast<double>(sent_bytes));
  if (status != 0) received_.At({method, host_}).Observe(static_cast<double>(received_bytes));
  results_.At({CodeLabel(status), method, host_}).Increment();
}

void RequestMetrics::Watched(std::string_view method, int status) {
  results_.At({CodeLabel(status), method, host_}).Increment();
}

void RequestMetrics::Delayed(std::string_view method, double seconds) { delays_.At({method, host_}).Observe(seconds); }

void RequestMetrics::Retried(std::string_view method, int status) {
  retries_.At({CodeLabel(status), method, host_}).Increment();
}

}  // namespace berth::metrics
