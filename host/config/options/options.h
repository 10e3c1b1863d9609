// The command line of the daemon, typed: kube-scheduler 1.36's flags with its defaults, and Berth's own flags. Sources:
// k8s.io/kubernetes cmd/kube-scheduler/app/options, k8s.io/apiserver pkg/server/options, k8s.io/component-base. Thread:
// ParseOptions (parse.h) fills it on main; then any thread reads it.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "config/configuration/configuration.h"
#include "config/flags/command.h"

namespace berth::options {

// Group "logs".
struct Logging {
  int verbosity = 0;
  std::string vmodule;  // "pattern=N,..."
  std::string format = "text";
  std::chrono::nanoseconds flush_frequency{std::chrono::seconds(5)};
  bool text_split_stream = false, json_split_stream = false;
  std::string text_info_buffer_size = "0", json_info_buffer_size = "0";  // quantities
};

// Group "deprecated": with a configuration file these flags have no effect.
struct Deprecated {
  bool profiling = true, contention_profiling = true;
  std::string kubeconfig;
  std::string kube_api_content_type = "application/vnd.kubernetes.protobuf";
  float kube_api_qps = 50;
  int32_t kube_api_burst = 100;
};

// Group "secure serving". Flags of HTTP/2 have no effect.
struct Serving {
  std::string bind_address = "0.0.0.0";
  int64_t secure_port = 10259;               // 0 = none
  std::string pair_name = "kube-scheduler";  // of the files in cert_dir; no flag
  std::string cert_dir, tls_cert_file, tls_private_key_file, tls_min_version;
  std::vector<std::string> tls_cipher_suites, tls_sni_cert_keys;
  std::vector<int32_t> tls_curve_preferences;
  int64_t http2_max_streams_per_connection = 0;
  bool permit_port_sharing = false, permit_address_sharing = false, disable_http2_serving = false;
};
// Groups "authentication" and "authorization" of the secure port; cluster/access acts on them.
struct Authentication {
  std::string kubeconfig, client_ca_file, requestheader_client_ca_file;
  bool skip_lookup = false, tolerate_lookup_failure = true;
  std::chrono::nanoseconds token_webhook_cache_ttl{std::chrono::seconds(10)};
  std::vector<std::string> allowed_names, uid_headers;
  std::vector<std::string> extra_headers_prefix{"x-remote-extra-"};
  std::vector<std::string> group_headers{"x-remote-group"};
  std::vector<std::string> username_headers{"x-remote-user"};
};
struct Authorization {
  std::string kubeconfig;
  std::vector<std::string> always_allow_paths{"/healthz", "/readyz", "/livez"};
  std::chrono::nanoseconds webhook_cache_authorized_ttl{std::chrono::seconds(10)};
  std::chrono::nanoseconds webhook_cache_unauthorized_ttl{std::chrono::seconds(10)};
};
// Group "metrics". metric_flags.h reads it.
struct Metrics {
  std::string show_hidden_metrics_for_version, allow_metric_labels_manifest;
  std::vector<std::string> disabled_metrics;
  std::map<std::string, std::string> allow_metric_labels;
};

struct SchedulerOptions {
  SchedulerOptions();

  // Group "misc".
  std::string config;           // file; "" = the defaults
  std::string write_config_to;  // file; "" = do not
  std::string master;           // the API server's address, before the kubeconfig's; "" = the kubeconfig's

  // Berth's own.
  std::vector<std::string> plugin_dirs;           // empty = beside the program
  std::string berth_config;                       // file; "" = none
  std::string state_dir;                          // "" = none
  bool no_self_restart = false;                   // a crash of a plugin ends the program
  std::string decision_log;                       // path; "" = none
  std::string admin_address = "127.0.0.1:10261";  // "" = nothing is served
  uint64_t seed = 0;                              // breaks ties; 0 = a new one at each start

  std::string feature_gates;  // all occurrences, as FeatureGates::Set takes them
  std::vector<std::string> emulated_version, min_compatibility_version;
  Logging logging;
  Deprecated deprecated;
  std::chrono::nanoseconds pod_max_in_unschedulable_pods_duration{std::chrono::minutes(5)};
  config::LeaderElection leader_election;
  Serving serving;
  Authentication authentication;
  Authorization authorization;
  Metrics metrics;

  std::vector<flags::FlagState> states;  // all of them, by name
  // Flags that were set and that Berth does not implement yet, by name.
  std::vector<std::string> unserved;
  bool Changed(std::string_view flag) const;  // whether it was on the command line
};

}  // namespace berth::options
