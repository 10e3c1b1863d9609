#include "config/options/flag_table.h"

#include "config/options/values.h"

namespace berth::options {
namespace {

constexpr const char* kVoid = "; without effect when --config is given";

using flags::Bool;
using flags::Text;

void AddMisc(flags::Command& command, SchedulerOptions& o) {
  const std::string group = "Misc flags";
  command.Add({"config", 0, Text(o.config), "file with a KubeSchedulerConfiguration: v1, v1beta3 or v1beta2", group});
  command.Add(
      {"write-config-to", 0, Text(o.write_config_to), "write the effective configuration there and exit", group});
  command.Add({"master", 0, Url(o.master), "address of the API server; goes before the kubeconfig's", group});
}

void AddBerth(flags::Command& command, SchedulerOptions& o) {
  const std::string group = "Berth flags";
  command.Add({"plugin-dir", 0, flags::Repeated(o.plugin_dirs),
               "directory of plugin libraries; repeatable; none: ../lib/berth/plugins beside the program", group});
  command.Add({"berth-config", 0, Text(o.berth_config),
               "file with a BerthConfiguration, when it is not in the same file as the other", group});
  command.Add(
      {"state-dir", 0, Text(o.state_dir),
       "directory that Berth may keep files in (crashes, quarantine, and copies of plugin libraries where the "
       "kernel forbids to execute anonymous files); none: it keeps none, and what it knows ends with the process",
       group});
  command.Add({"no-self-restart", 0, Bool(o.no_self_restart),
               "when a plugin crashes or never returns, end with a core dump (if the system writes them) instead of "
               "starting the program again",
               group});
  command.Add({"admin-address", 0, Address(o.admin_address),
               "where health, metrics, the configuration and the plugins are shown, by plain HTTP; empty: nowhere",
               group});
  command.Add({"seed", 0, flags::Uint64(o.seed),
               "of the choice among nodes with equal scores; 0: another one at each start", group});
}

void AddDeprecated(flags::Command& command, SchedulerOptions& o) {
  const std::string group = "Deprecated flags", head = "DEPRECATED: ";
  Deprecated& d = o.deprecated;
  command.Add({"profiling", 0, Bool(d.profiling), head + "serve profiles" + kVoid, group});
  command.Add({"contention-profiling", 0, Bool(d.contention_profiling), head + "profile blocking" + kVoid, group});
  command.Add({"kubeconfig", 0, Text(d.kubeconfig),
               head + "file that says where the API server is and who we are" + kVoid, group});
  command.Add({"kube-api-content-type", 0, Text(d.kube_api_content_type),
               head + "of requests to the API server" + kVoid, group});
  command.Add({"kube-api-qps", 0, flags::Float32(d.kube_api_qps),
               head + "requests per second to the API server" + kVoid, group});
  command.Add({"kube-api-burst", 0, flags::Int32(d.kube_api_burst),
               head + "requests to the API server that may go out at once" + kVoid, group});
  command.Add({"pod-max-in-unschedulable-pods-duration", 0, Duration(o.pod_max_in_unschedulable_pods_duration),
               head + "how long a pod waits for an event that may help it before it is tried all the same", group});
}

void AddLeaderElection(flags::Command& command, SchedulerOptions& o) {
  const std::string group = "Leader election flags";
  config::LeaderElection& e = o.leader_election;
  command.Add({"leader-elect", 0, Bool(e.leader_elect), "schedule only while holding a Lease", group});
  command.Add({"leader-elect-lease-duration", 0, Duration(e.lease_duration),
               "how long others wait after they saw the Lease renewed before they take it", group});
  command.Add({"leader-elect-renew-deadline", 0, Duration(e.renew_deadline),
               "how long the leader tries to renew the Lease before it gives up", group});
  command.Add({"leader-elect-retry-period", 0, Duration(e.retry_period), "time between two tries", group});
  command.Add({"leader-elect-resource-lock", 0, Text(e.resource_lock), "kind of the lock: leases", group});
  command.Add({"leader-elect-resource-name", 0, Text(e.resource_name), "name of the Lease", group});
  command.Add({"leader-elect-resource-namespace", 0, Text(e.resource_namespace), "namespace of the Lease", group});
}

void AddFeatureGates(flags::Command& command, SchedulerOptions& o) {
  const std::string group = "Feature gate flags";
  command.Add({"feature-gates", 0, FeatureGates(o.feature_gates),
               "features to turn on or off, [kube:]Name=true|false,...; occurrences add up", group});
  command.Add(
      {"emulated-version", 0, flags::List(o.emulated_version), "version whose features to have, kube=1.36", group});
  command.Add({"min-compatibility-version", 0, flags::List(o.min_compatibility_version),
               "oldest version of the control plane to work with", group});
}

void AddMetrics(flags::Command& command, Metrics& m) {
  const std::string group = "Metrics flags";
  command.Add({"show-hidden-metrics-for-version", 0, Text(m.show_hidden_metrics_for_version),
               "version whose hidden metrics to show: 1.35; Berth hides none", group});
  command.Add({"disabled-metrics", 0, flags::List(m.disabled_metrics), "names of metrics to leave out", group});
  command.Add({"allow-metric-labels", 0, flags::Map(m.allow_metric_labels),
               "values that labels of metrics may have, METRIC,LABEL='VALUE,VALUE'; others become \"unexpected\"",
               group});
  command.Add({"allow-metric-labels-manifest", 0, Text(m.allow_metric_labels_manifest),
               "YAML file with the same: \"METRIC,LABEL\": \"VALUE,VALUE\"", group});
}

void AddLogging(flags::Command& command, SchedulerOptions& o) {
  const std::string group = "Logs flags", alpha = "; needs the feature LoggingAlphaOptions";
  Logging& l = o.logging;
  command.Add({"v", 'v', flags::Level(l.verbosity), "log lines up to this verbosity are written", group});
  command.Add({"vmodule", 0, VModule(l.vmodule), "verbosity per source file; occurrences add up", group});
  command.Add({"logging-format", 0, Text(l.format), "text or json", group});
  command.Add(
      {"log-flush-frequency", 0, Duration(l.flush_frequency), "longest time that a line may be held back", group});
  command.Add({"log-text-split-stream", 0, Bool(l.text_split_stream), "info lines to stdout" + alpha, group});
  command.Add({"log-text-info-buffer-size", 0, Quantity(l.text_info_buffer_size),
               "how much of the info lines may be held back" + alpha, group});
  command.Add({"log-json-split-stream", 0, Bool(l.json_split_stream), "info lines to stdout" + alpha, group});
  command.Add({"log-json-info-buffer-size", 0, Quantity(l.json_info_buffer_size),
               "how much of the info lines may be held back" + alpha, group});
}

}  // namespace

void AddFlags(flags::Command& command, SchedulerOptions& o, UnservedFlags& unserved) {
  AddMisc(command, o);
  AddBerth(command, o);
  AddServingFlags(command, o, unserved);
  AddDeprecated(command, o);
  AddLeaderElection(command, o);
  AddFeatureGates(command, o);
  AddMetrics(command, o.metrics);
  AddLogging(command, o);
  unserved.insert({{"contention-profiling", "false"},
                   {"kube-api-content-type", "application/json"},
                   {"emulated-version", ""},
                   {"min-compatibility-version", ""}});
}

}  // namespace berth::options
