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
  command.Add(
      {"decision-log", 0, Text(o.decision_log),
       "file to write every decision to, for berthctl why --decision-log; at 100 MiB it is renamed and a new one "
       "begins, and the last five stay; empty: none",
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

void AddFeatureGates(flags::Command& command, SchedulerOptions& o) {
  const std::string group = "Feature gate flags";
  command.Add({"feature-gates", 0, FeatureGates(o.feature_gates),
               "features to turn on or off, [kube:]Name=true|false,...; occurrences add up", group});
  command.Add(
      {"emulated-version", 0, flags::List(o.emulated_version), "version whose features to have, kube=1.36", group});
  command.Add({"min-compatibility-version", 0, flags::List(o.min_compatibility_version),
               "oldest version of the control plane to work with", group});
}

}  // namespace

void AddFlags(flags::Command& command, SchedulerOptions& o, UnservedFlags& unserved) {
  AddMisc(command, o);
  AddBerth(command, o);
  AddServingFlags(command, o.serving, unserved);
  AddAccessFlags(command, o.authentication, o.authorization, unserved);
  AddDeprecated(command, o);
  AddLeaderElectionFlags(command, o.leader_election, "schedule");
  AddFeatureGates(command, o);
  AddMetricFlags(command, o.metrics);
  AddLoggingFlags(command, o.logging);
  unserved.insert({{"contention-profiling", "false"},
                   {"kube-api-content-type", "application/json"},
                   {"emulated-version", ""},
                   {"min-compatibility-version", ""}});
}

}  // namespace berth::options
