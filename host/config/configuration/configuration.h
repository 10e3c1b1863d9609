// KubeSchedulerConfiguration, typed and completed: what kube-scheduler holds after decoding, defaulting and conversion.
// The type is that of v1 for every version of the file. Fields and defaults: kube-scheduler/config/v1/types.go and
// pkg/scheduler/apis/config/v1/defaults.go. Thread: a value like any other.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/secret.h"
#include "codec/json/value.h"
#include "config/configuration/points.h"

namespace berth::config {

// The API group with the slash that an apiVersion has after it.
inline constexpr std::string_view kSchedulerGroup = "kubescheduler.config.k8s.io/";

enum class ApiVersion : uint8_t { kV1beta2, kV1beta3, kV1 };

// "kubescheduler.config.k8s.io/v1".
const char* ApiVersionText(ApiVersion version);
// The version with this text; nothing if there is none.
std::optional<ApiVersion> ApiVersionNamed(std::string_view text);

struct Plugin {
  std::string name;
  int32_t weight = 0;  // 0 = none given; counts as 1 where scores are weighted
  json::Mark mark{};   // where the user named it; 0:0 of a default
};

struct PluginSet {
  std::vector<Plugin> enabled;
  std::vector<Plugin> disabled;  // weights are ignored
};

struct Plugins {
  std::array<PluginSet, kSetCount> sets;
  PluginSet& at(Point point) { return sets[static_cast<size_t>(point)]; }
  const PluginSet& at(Point point) const { return sets[static_cast<size_t>(point)]; }
};

struct PluginConfig {
  std::string name;
  json::Value args;  // null = none; of in-tree plugins completed, with apiVersion and kind
  json::Mark mark{};
};

struct Profile {
  std::string scheduler_name;
  std::optional<int32_t> percentage_of_nodes_to_score;  // unset = the global one
  Plugins plugins;                                      // merged with the defaults; multiPoint not yet expanded
  std::vector<PluginConfig> plugin_config;              // the user's, then defaulted ones by name
  json::Mark mark{};
};

struct LeaderElection {
  bool leader_elect = true;
  std::chrono::nanoseconds lease_duration{0};
  std::chrono::nanoseconds renew_deadline{0};
  std::chrono::nanoseconds retry_period{0};
  std::string resource_lock;
  std::string resource_name;
  std::string resource_namespace;
};

struct ClientConnection {
  std::string kubeconfig;
  std::string accept_content_types;
  std::string content_type;
  float qps = 0;  // negative = no limit
  int32_t burst = 0;
};

struct ExtenderTls {
  bool insecure = false;
  std::string server_name;
  std::string cert_file;
  std::string key_file;
  std::string ca_file;
  std::string cert_data;  // bytes, as are the next two; in files base64
  base::Secret key_data;
  std::string ca_data;
};

struct ManagedResource {
  std::string name;
  bool ignored_by_scheduler = false;
};

struct Extender {
  base::SecretUrl url_prefix;
  std::string filter_verb;
  std::string preempt_verb;
  std::string prioritize_verb;
  int64_t weight = 0;
  std::string bind_verb;
  bool enable_https = false;
  std::optional<ExtenderTls> tls;
  std::chrono::nanoseconds http_timeout{0};
  bool node_cache_capable = false;
  std::vector<ManagedResource> managed_resources;
  bool ignorable = false;
};

struct Configuration {
  ApiVersion written_as = ApiVersion::kV1;  // the version of the file
  int32_t parallelism = 16;
  LeaderElection leader_election;
  ClientConnection client_connection;
  bool enable_profiling = true;
  bool enable_contention_profiling = true;
  int32_t percentage_of_nodes_to_score = 0;  // 0 = adaptive
  int64_t pod_initial_backoff_seconds = 1;
  int64_t pod_max_backoff_seconds = 10;
  std::vector<Profile> profiles;
  std::vector<Extender> extenders;
  bool delay_cache_until_active = false;
  // Only v1beta2 has these; they must be empty or end in port 0, and nothing listens there.
  std::string healthz_bind_address;
  std::string metrics_bind_address;
};

}  // namespace berth::config
