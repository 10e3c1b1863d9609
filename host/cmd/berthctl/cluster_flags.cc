#include "cmd/berthctl/cluster_flags.h"

namespace berth::ctl {
namespace {

constexpr const char* kGroup = "Scheduler of a cluster";
constexpr const char* kNames[] = {"kubeconfig",    "context",        "scheduler-namespace", "scheduler-lease",
                                  "scheduler-pod", "scheduler-port", "scheduler-ca",        "scheduler-server-name"};

}  // namespace

void AddClusterFlags(flags::Command& command, ClusterFlags& flags) {
  const auto add = [&](const char* name, flags::Value value, const char* help) {
    command.Add({.name = name, .value = std::move(value), .help = help, .group = kGroup});
  };
  ClusterOptions& options = flags.options;
  add("kubectl", flags::Bool(flags.kubectl),
      "ask the scheduler that leads in the cluster of your kubeconfig, with your credentials, by kubectl port-forward; "
      "the default of kubectl berth");
  add("kubeconfig", flags::Text(options.kubectl.kubeconfig), "the kubeconfig file, as for kubectl");
  add("context", flags::Text(options.kubectl.context), "the context of the kubeconfig");
  add("scheduler-namespace", flags::Text(options.place.name_space), "the namespace of the scheduler and its Lease");
  add("scheduler-lease", flags::Text(options.place.lease), "the scheduler's Lease, which names the pod that leads");
  add("scheduler-pod", flags::Text(options.place.pod), "ask this pod of the scheduler instead of the one that leads");
  add("scheduler-port", flags::Int32(options.port), "the --secure-port of the scheduler");
  add("scheduler-ca", flags::Text(options.ca_file),
      "file of certificate authorities; one of them must have signed the scheduler's certificate, which is not "
      "verified "
      "without this flag");
  add("scheduler-server-name", flags::Text(options.server_name),
      "the name that the scheduler's certificate has instead of 127.0.0.1");
}

base::Result<bool> AsksCluster(const flags::Command& command, const ClusterFlags& flags,
                               const std::vector<std::string>& others) {
  const bool explicitly = flags.kubectl && command.Changed("kubectl");
  for (const std::string& other : others) {
    if (!command.Changed(other)) continue;
    if (explicitly) return base::Fail("--kubectl and --" + other + " exclude each other");
    for (const char* name : kNames) {
      if (command.Changed(name))
        return base::Fail(std::string("--") + name + " and --" + other + " exclude each other");
    }
    return false;
  }
  for (const char* name : kNames) {
    if (command.Changed(name) && !flags.kubectl) return base::Fail(std::string("--") + name + " needs --kubectl");
  }
  if (!flags.options.server_name.empty() && flags.options.ca_file.empty()) {
    return base::Fail("--scheduler-server-name needs --scheduler-ca");
  }
  return flags.kubectl;
}

}  // namespace berth::ctl
