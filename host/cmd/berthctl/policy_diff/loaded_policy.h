// A configuration and the plugins of its profiles, for a comparison. Thread: main.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "base/result.h"
#include "config/configuration/load.h"
#include "policy/assembly/policy.h"

namespace berth::ctl {

struct PolicyFiles {
  std::string config, berth_config;
  std::vector<std::string> plugin_directories;  // empty: the default one
  config::FeatureGates gates;
};

// Reads and checks the files as the scheduler does, with the libraries on this machine. Prints mistakes and warnings to
// err; after a mistake ok() is false.
assembly::Policy LoadPolicyFiles(const PolicyFiles& files, std::ostream& err);

struct LoadedPolicy {
  config::Configuration configuration;
  std::vector<config::ExpandedProfile> profiles;  // of the configuration, in order
};
// The policy that /configz describes: no library checks it. catalog: knows the extension points of plugins. Extenders
// are left out, because secrets of theirs are not shown.
base::Result<LoadedPolicy> PolicyFromConfigz(const std::string& name, json::Value component_config,
                                             const assembly::LibraryCatalog& catalog);

}  // namespace berth::ctl
