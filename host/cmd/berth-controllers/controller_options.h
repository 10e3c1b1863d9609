// The command line of berth-controllers. Upstream's flags (kubernetes-sigs/scheduler-plugins cmd/controller/app/
// options.go) have their names and meanings here; the others are those of Kubernetes' components. Thread: main, at
// start.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "config/options/options.h"
#include "config/options/program_flags.h"

namespace berth {

struct ControllerOptions {
  ControllerOptions();

  std::string kubeconfig, master;
  float qps = 50;
  int32_t burst = 100;
  int32_t workers = 4;
  std::string metrics_address, probe_address;  // plain HTTP; "" = nothing is served
  config::LeaderElection leader_election;
  options::Logging logging;
  options::Serving serving;
  options::Authentication authentication;
  options::Authorization authorization;
  options::Metrics metrics;
  options::ParsedFlags parsed;
};

// nullopt: the program may continue. Otherwise the message is written, and the program exits with that code.
std::optional<int> ParseControllerOptions(const std::vector<std::string>& arguments, ControllerOptions& options,
                                          std::ostream& out, std::ostream& err);

// What is wrong with the values of flags other than those of the log.
std::vector<std::string> Mistakes(const ControllerOptions& options);

}  // namespace berth
