// Removes quarantined plugins from a configuration. A profile that needs a quarantined library is removed; a plugin
// that the configuration marks optional is removed, and its profile stays. All profiles share one queue: if its
// QueueSort plugin is quarantined, PrioritySort replaces it in every profile, and a profile that used it only to sort
// stays.
//
// If no profile would be left, quarantined libraries that are shipped with Berth are used: users cannot replace them by
// another version, and a scheduler that may fail again is better than no scheduler.
//
// Called while a configuration is completed, between decoding and validation. Thread: one at a time.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "config/configuration/configuration.h"
#include "policy/assembly/library_catalog.h"
#include "scheduler/framework/profile.h"

namespace berth::assembly {

// Why this plugin of this profile must not be created from that library; nullopt: it may. "*" for plugin and profile:
// any plugin of the library.
using WhyQuarantined = std::function<std::optional<std::string>(const std::string& sha256, const std::string& plugin,
                                                                const std::string& profile)>;

// Reads the quarantine now; later calls of the result use the state of that moment.
using ReadQuarantine = std::function<WhyQuarantined()>;

bool IsOptional(const config::BerthConfiguration& berth, const std::string& plugin);

struct RemovalOptions {
  WhyQuarantined why;
  // The plugin directory of the installation. A library is shipped with Berth if it has the same bytes as a library
  // there: a plugin volume holds copies, and any library can have the same name and vendor.
  std::string shipped_directory;
};
struct RemovalResult {
  std::vector<framework::QuarantinedPlugin> removed;  // from the configuration
  std::vector<framework::QuarantinedPlugin> waived;   // still in it: no profile would be left without them
};
RemovalResult RemoveQuarantined(config::Configuration& configuration, const config::BerthConfiguration& berth,
                                const LibraryCatalog& catalog, const RemovalOptions& options);

}  // namespace berth::assembly
