#include "telemetry/metrics/kube_families.h"

namespace berth::metrics {

const std::vector<Family>& RestClientFamilies() {
  static const std::vector<Family> all{
      {"rest_client_request_duration_seconds",
       Kind::kHistogram,
       Stability::kAlpha,
       {"verb", "host"},
       "Request latency in seconds. Broken down by verb, and host.",
       {0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0}},
      {"rest_client_request_size_bytes",
       Kind::kHistogram,
       Stability::kAlpha,
       {"verb", "host"},
       "Request size in bytes. Broken down by verb and host.",
       {64, 256, 512, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216}},
      {"rest_client_response_size_bytes",
       Kind::kHistogram,
       Stability::kAlpha,
       {"verb", "host"},
       "Response size in bytes. Broken down by verb and host.",
       {64, 256, 512, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216}},
      {"rest_client_rate_limiter_duration_seconds",
       Kind::kHistogram,
       Stability::kAlpha,
       {"verb", "host"},
       "Client side rate limiter latency in seconds. Broken down by verb, and host.",
       {0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0}},
      {"rest_client_requests_total",
       Kind::kCounter,
       Stability::kAlpha,
       {"code", "method", "host"},
       "Number of HTTP requests, partitioned by status code, method, and host.",
       {}},
      {"rest_client_request_retries_total",
       Kind::kCounter,
       Stability::kAlpha,
       {"code", "verb", "host"},
       "Number of request retries, partitioned by status code, verb, and host.",
       {}},
      {"rest_client_exec_plugin_ttl_seconds",
       Kind::kGauge,
       Stability::kAlpha,
       {},
       "Gauge of the shortest TTL (time-to-live) of the client certificate(s) managed by the auth exec "
       "plugin. The value is in seconds until certificate expiry (negative if already expired). If auth "
       "exec plugins are unused or manage no TLS certificates, the value will be +INF.",
       {}},
      {"rest_client_exec_plugin_certificate_rotation_age",
       Kind::kHistogram,
       Stability::kAlpha,
       {},
       "Histogram of the number of seconds the last auth exec plugin client certificate lived before being "
       "rotated. If auth exec plugin client certificates are unused, histogram will contain no data.",
       {600, 1800, 3600, 14400, 86400, 604800, 2592000, 7776000, 15552000, 31104000, 124416000}},
      {"rest_client_exec_plugin_call_total",
       Kind::kCounter,
       Stability::kAlpha,
       {"code", "call_status"},
       "Number of calls to an exec plugin, partitioned by the type of event encountered (no_error, "
       "plugin_execution_error, plugin_not_found_error, client_internal_error) and an optional exit code. "
       "The exit code will be set to 0 if and only if the plugin call was successful.",
       {}},
      {"rest_client_transport_cache_entries",
       Kind::kGauge,
       Stability::kAlpha,
       {},
       "Number of transport entries in the internal cache.",
       {}},
      {"rest_client_transport_create_calls_total",
       Kind::kCounter,
       Stability::kAlpha,
       {"result"},
       "Number of calls to get a new transport, partitioned by the result of the operation hit: obtained "
       "from the cache, miss: created and added to the cache, miss-gc: recreated and added back to the "
       "cache after being garbage collected, uncacheable: created and not cached",
       {}},
      {"rest_client_transport_ca_reload_total",
       Kind::kCounter,
       Stability::kAlpha,
       {"result", "reason"},
       "Number of times a CA reload is attempted, partitioned by the result and reason for the reload "
       "attempt",
       {}},
      {"rest_client_transport_cert_rotation_gc_calls_total",
       Kind::kCounter,
       Stability::kAlpha,
       {},
       "Number of times a cert rotation goroutine cancel func is called via GC cleanup of the associated "
       "transport",
       {}},
      {"rest_client_transport_cache_gc_calls_total",
       Kind::kCounter,
       Stability::kAlpha,
       {"result"},
       "Number of times a GC cleanup attempts to delete a transport cache entry, partitioned by the result: "
       "deleted, skipped",
       {}},
  };
  return all;
}

const std::vector<Family>& WorkqueueFamilies() {
  static const std::vector<Family> all{
      {"workqueue_depth", Kind::kGauge, Stability::kBeta, {"name"}, "Current depth of workqueue", {}},
      {"workqueue_adds_total",
       Kind::kCounter,
       Stability::kBeta,
       {"name"},
       "Total number of adds handled by workqueue",
       {}},
      {"workqueue_queue_duration_seconds",
       Kind::kHistogram,
       Stability::kBeta,
       {"name"},
       "How long in seconds an item stays in workqueue before being requested.",
       ExponentialBuckets(10e-9, 10, 10)},
      {"workqueue_work_duration_seconds",
       Kind::kHistogram,
       Stability::kBeta,
       {"name"},
       "How long in seconds processing an item from workqueue takes.",
       ExponentialBuckets(10e-9, 10, 10)},
      {"workqueue_unfinished_work_seconds",
       Kind::kGauge,
       Stability::kBeta,
       {"name"},
       "How many seconds of work has done that is in progress and hasn't been observed by work_duration. "
       "Large values indicate stuck threads. One can deduce the number of stuck threads by observing the "
       "rate at which this increases.",
       {}},
      {"workqueue_longest_running_processor_seconds",
       Kind::kGauge,
       Stability::kBeta,
       {"name"},
       "How many seconds has the longest running processor for workqueue been running.",
       {}},
      {"workqueue_retries_total",
       Kind::kCounter,
       Stability::kBeta,
       {"name"},
       "Total number of retries handled by workqueue",
       {}},
  };
  return all;
}

const std::vector<Family>& VersionFamilies() {
  static const std::vector<Family> all{
      {"kubernetes_feature_enabled",
       Kind::kGauge,
       Stability::kBeta,
       {"name", "stage"},
       "This metric records the data about the stage and enablement of a k8s feature.",
       {}},
      {"version_info",
       Kind::kGauge,
       Stability::kAlpha,
       {"component", "binary", "emulation", "min_compat"},
       "Provides the compatibility version info of the component. The component label is the name of the "
       "component, usually kube, but is relevant for aggregated-apiservers.",
       {}},
      {"kubernetes_build_info",
       Kind::kGauge,
       Stability::kBeta,
       {"major", "minor", "git_version", "git_commit", "git_tree_state", "build_date", "go_version", "compiler",
        "platform"},
       "A metric with a constant '1' value labeled by major, minor, git version, git commit, git tree "
       "state, build date, Go version, and compiler from which Kubernetes was built, and platform on which "
       "it is running.",
       {}},
  };
  return all;
}

const std::vector<Family>& HealthFamilies() {
  static const std::vector<Family> all{
      {"kubernetes_healthcheck",
       Kind::kGauge,
       Stability::kStable,
       {"name", "type"},
       "This metric records the result of a single healthcheck.",
       {}},
      {"kubernetes_healthchecks_total",
       Kind::kCounter,
       Stability::kStable,
       {"name", "type", "status"},
       "This metric records the results of all healthcheck.",
       {}},
  };
  return all;
}

}  // namespace berth::metrics
