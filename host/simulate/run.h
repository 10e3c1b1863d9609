// `berthctl simulate` from files to answer: configuration, libraries, manifests and steps in; decisions out.
// Thread: main; returns when the cluster is quiet after the last step.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "config/feature_gates.h"

namespace berth::simulate {

struct RunOptions {
  std::string config, berth_config;  // paths; empty: the default configuration
  config::FeatureGates gates;
  std::vector<std::string> plugin_directories;  // empty: beside the program
  std::vector<std::string> manifests;           // files, directories, "-" for standard input
  std::vector<std::string> steps;               // applied one after the other, each when the cluster is quiet
  std::string explain_pod;                      // "namespace/name", or a name in namespace default; empty: none
  uint64_t seed = 1;
  bool json = false;       // otherwise a table
  bool json_nodes = true;  // every node's verdict and scores with each attempt
  bool check = false;      // compare cache, counts and queue with a recomputation after every step
  bool color = false;
  size_t width = 100;  // columns to wrap text at
};

// The answer goes to out, whatever is wrong or left out to err. 0 = done, 1 = something was wrong and nothing or only a
// part was decided.
int RunSimulation(const RunOptions& options, std::ostream& out, std::ostream& err);

}  // namespace berth::simulate
