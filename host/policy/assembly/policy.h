// Turns configuration files and plugin directories into a profile set that can run, or reports all errors in them.
// Callers: `berthctl simulate` and `config check`, the daemon at start. Thread: one at a time.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "config/configuration/load.h"
#include "plugin/instance/services.h"
#include "policy/assembly/library_args_validator.h"
#include "policy/assembly/library_catalog.h"
#include "policy/assembly/quarantined_plugins.h"
#include "scheduler/framework/profile.h"

namespace berth::assembly {

struct PolicyOptions {
  std::vector<std::string> plugin_directories;  // empty: the default one
  config::FeatureGates gates;
  std::string staging_directory = {};                        // loader::StagingOptions::directory
  std::function<void(config::Configuration&)> overlay = {};  // config::LoadOptions::overlay
  loader::Rehearse rehearse = {};                            // loader::LoaderOptions::rehearse
  ReadQuarantine quarantine = {};                            // read once for each policy; empty: there is none
  std::string shipped_directory = DefaultPluginDirectory();  // RemovalOptions::shipped_directory
};

// Both configuration files, parsed once: all later steps read this and not the text.
struct ParsedConfig {
  std::vector<config::ParsedSource> sources;
  config::LoadResult result;  // decoded and completed; no library has checked its plugins' args yet
  bool ok() const { return result.ok(); }
};
ParsedConfig ParseConfig(const std::vector<config::Source>& sources, const PolicyOptions& options);
// For files that were parsed before, for example by another process.
ParsedConfig CompleteConfig(std::vector<config::ParsedSource> sources, const PolicyOptions& options);

// A configuration that has been read and checked against the libraries on disk.
struct Policy {
  config::FeatureGates gates;  // PolicyOptions::gates: they also apply when its instances are created
  config::LoadResult config;
  std::vector<std::string> missing;  // plugins of the default set that no library offers: left out, with one warning
  std::vector<framework::QuarantinedPlugin> quarantined;  // plugins that are left out, or whose profiles are
  std::vector<framework::QuarantinedPlugin> waived;  // quarantined plugins that are used: see quarantined_plugins.h
  std::unique_ptr<LibraryCatalog> catalog;
  bool ok() const { return config.ok(); }
};

// Decodes and completes the configuration again, now with its libraries: they check their plugins' args. options: those
// of ParseConfig. services need value/1 and selectors/1 for that.
Policy BuildPolicy(const ParsedConfig& parsed, const PolicyOptions& options, plugin::Services& services);
// ParseConfig and BuildPolicy.
Policy LoadPolicy(const std::vector<config::Source>& sources, const PolicyOptions& options, plugin::Services& services);

// Opens the libraries and creates the extenders and the instances. The error has the wording of kube-scheduler's
// start-up: `initializing profiles: creating profile for scheduler name P: ...`. policy must be ok(). before: the
// generation that the new one replaces, or null: instances that would be the same, and the extenders, stay. recreate:
// framework::ProfileSpec::recreate_faulty.
base::Result<std::shared_ptr<framework::ProfileSet>> BuildProfiles(Policy& policy, plugin::Services& services,
                                                                   const framework::ProfileSet* before = nullptr,
                                                                   bool recreate = false);

}  // namespace berth::assembly
