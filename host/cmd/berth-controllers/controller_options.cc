#include "cmd/berth-controllers/controller_options.h"

#include <utility>

#include "config/configuration/feature_gates.h"
#include "config/options/flag_table.h"
#include "config/options/validate_options.h"
#include "config/options/values.h"

namespace berth {
namespace {

using flags::Bool;
using flags::Text;

constexpr const char* kAbout =
    "Berth's controllers write what Coscheduling and CapacityScheduling show of their objects: the phase of each\n"
    "PodGroup and what is used of each ElasticQuota.\n";

void AddControllerFlags(flags::Command& command, ControllerOptions& o) {
  const std::string group = "Controller flags";
  command.Add({"kubeconfig", 0, Text(o.kubeconfig),
               "file that says where the API server is and who we are; none: the service account of the pod", group});
  command.Add({"master", 0, options::Url(o.master), "address of the API server; goes before the kubeconfig's", group});
  command.Add({"qps", 0, flags::Float32(o.qps), "requests per second to the API server; negative: no limit", group});
  command.Add(
      {"burst", 0, flags::Int32(o.burst), "requests to the API server that may go out at once after a pause", group});
  command.Add({"workers", 0, flags::Int32(o.workers), "statuses that each controller writes at a time", group});
  command.Add({"metricsAddr", 0, options::Address(o.metrics_address),
               "where /metrics is shown by plain HTTP, to anybody; empty: nowhere", group});
  command.Add({"probeAddr", 0, options::Address(o.probe_address),
               "where /healthz, /livez and /readyz are shown by plain HTTP; empty: nowhere", group});
  command.Add({"enableLeaderElection", 0, Bool(o.leader_election.leader_elect),
               "the same as --leader-elect, as scheduler-plugins names it", group});
}

void AddAllFlags(flags::Command& command, ControllerOptions& o, options::UnservedFlags& unserved) {
  AddControllerFlags(command, o);
  options::AddServingFlags(command, o.serving, unserved);
  options::AddAccessFlags(command, o.authentication, o.authorization, unserved);
  options::AddLeaderElectionFlags(command, o.leader_election, "write");
  options::AddMetricFlags(command, o.metrics);
  options::AddLoggingFlags(command, o.logging);
}

}  // namespace

ControllerOptions::ControllerOptions() {
  using std::chrono::seconds;
  leader_election = {true, seconds(15), seconds(10), seconds(2), "leases", "sched-plugins-controllers", "kube-system"};
  serving.secure_port = 10262;
  serving.pair_name = "berth-controllers";
}

std::optional<int> ParseControllerOptions(const std::vector<std::string>& arguments, ControllerOptions& options,
                                          std::ostream& out, std::ostream& err) {
  const auto add = [&options](flags::Command& command, options::UnservedFlags& unserved) {
    AddAllFlags(command, options, unserved);
  };
  return options::ParseFlags({"berth-controllers", kAbout, BERTH_VERSION, "print the version and exit", ""}, arguments,
                             add, options.parsed, out, err);
}

std::vector<std::string> Mistakes(const ControllerOptions& options) {
  std::vector<std::string> mistakes =
      options::ServingErrors(options.serving, options.authentication, options.metrics, config::FeatureGates());
  const auto at_least_one = [&mistakes](const char* flag, int32_t value) {
    if (value < 1) mistakes.push_back(std::string("--") + flag + " " + std::to_string(value) + " must be at least 1");
  };
  at_least_one("workers", options.workers);
  at_least_one("burst", options.burst);
  if (options.leader_election.leader_elect && options.leader_election.resource_lock != "leases") {
    mistakes.push_back("--leader-elect-resource-lock " + options.leader_election.resource_lock + " must be leases");
  }
  return mistakes;
}

}  // namespace berth
