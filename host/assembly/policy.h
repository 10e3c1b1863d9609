// From configuration files and plugin directories to a profile set that can run, or to everything that is wrong with
// them. Callers: `berthctl simulate` and `config check`, the daemon at start. Thread: one at a time.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "assembly/barring.h"
#include "assembly/library_args_judge.h"
#include "assembly/library_catalog.h"
#include "config/load.h"
#include "framework/profile.h"
#include "plugin/services.h"

namespace berth::assembly {

struct PolicyOptions {
  std::vector<std::string> plugin_directories;  // empty: the default one
  config::FeatureGates gates;
  std::string staging_directory = {};                        // loader::StagingOptions::directory
  std::function<void(config::Configuration&)> overlay = {};  // config::LoadOptions::overlay
  loader::Rehearse rehearse = {};                            // loader::LoaderOptions::rehearse
  ReadQuarantine quarantine = {};                            // read once for each policy; empty: there is none
  std::string shipped_directory = DefaultPluginDirectory();  // BarringOptions::shipped_directory
};

// A configuration that has been read and judged against the libraries on disk.
struct Policy {
  config::LoadResult config;
  std::vector<std::string> missing;       // plugins of the default set that no library offers: left out, warned of once
  std::vector<framework::Barred> barred;  // plugins that are missing, or whose profiles are, because of quarantine
  std::vector<framework::Barred> waived;  // plugins that are there in spite of quarantine: see barring.h
  std::unique_ptr<LibraryCatalog> catalog;
  bool ok() const { return config.ok(); }
};

// services need value/1 and selectors/1, for plugins that judge their args.
Policy LoadPolicy(const std::vector<config::Source>& sources, const PolicyOptions& options, plugin::Services& services);

// Opens the libraries, makes the extenders and the instances. The error is worded as kube-scheduler's start-up:
// `initializing profiles: creating profile for scheduler name P: ...`. policy must be ok(). before: the generation that
// the new one is to take the place of, or null: instances that would be the same, and the extenders, go on. anew: see
// framework::ProfileSpec.
base::Result<std::shared_ptr<framework::ProfileSet>> BuildProfiles(Policy& policy, plugin::Services& services,
                                                                   const framework::ProfileSet* before = nullptr,
                                                                   bool anew = false);

}  // namespace berth::assembly
