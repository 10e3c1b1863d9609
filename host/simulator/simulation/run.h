// Runs `berthctl simulate`: reads the configuration, libraries, manifests, and steps from files and prints the
// decisions. Thread: main; returns when the cluster is quiet after the last step.
#pragma once

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "config/configuration/feature_gates.h"
#include "policy/assembly/policy.h"
#include "simulator/simulation/simulation.h"

namespace berth::simulation {

struct RunOptions {
  std::string config, berth_config;  // paths; empty: the default configuration
  config::FeatureGates gates;
  std::vector<std::string> plugin_directories;  // empty: the directory of the program
  std::vector<std::string> manifests;           // files, directories, "-" for standard input
  std::vector<std::string> steps;               // applied one after the other, each when the cluster is quiet
  std::string explain_pod;                      // "namespace/name", or a name in namespace default; empty: none
  std::string decision_log;                     // path of a file to write the decisions to; empty: none
  bool suggest = false;                         // say at the end what would make the pending pods fit
  // Is called when the cluster is quiet after the last step and the result is printed; the engine has recorded the
  // decisions. Returns the exit code. Unset: nothing follows.
  std::function<int(Simulation&, api::InternTables&, const assembly::Policy&)> then = {};
  uint64_t seed = 1;
  bool json = false;       // otherwise a table
  bool json_nodes = true;  // print every node's verdict and scores with each attempt
  bool check = false;      // compare the cache, counts, and queue with a recomputation after every step
  bool color = false;
  size_t width = 100;  // columns to wrap text at
};

// Prints the result to out, and errors and omissions to err. Returns 0: done, or 1: an error, and the result is missing
// or incomplete.
int RunSimulation(const RunOptions& options, std::ostream& out, std::ostream& err);

// The same without a result: the sink receives the attempts, and at_end looks at the cluster before it ends.
using AtEnd = std::function<void(Simulation& simulation, const Cluster& cluster, const api::InternTables& intern)>;
int RunSimulation(const RunOptions& options, results::AttemptSink& sink, const AtEnd& at_end, std::ostream& err);

}  // namespace berth::simulation
