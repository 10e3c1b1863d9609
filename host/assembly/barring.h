// What quarantine means for a configuration: profiles that need a library which must not be loaded are left out, and so
// are such plugins that the configuration calls optional. The other profiles stay as they are. The plugin that sorts
// the queue is every profile's, whether it wants it or not: PrioritySort takes its place, and who needed it for nothing
// else goes on.
//
// Called while a configuration is read, between decoding and validation. Thread: one at a time.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "assembly/library_catalog.h"
#include "config/configuration.h"
#include "framework/profile.h"

namespace berth::assembly {

// Why this plugin of this profile must not be made of that library; nullopt: it may. "*" for plugin and profile: of
// whatever is in the library.
using WhyBarred = std::function<std::optional<std::string>(const std::string& sha256, const std::string& plugin,
                                                           const std::string& profile)>;

// Reads what is in quarantine now; what it answers goes on to answer for that moment.
using ReadQuarantine = std::function<WhyBarred()>;

bool IsOptional(const config::BerthConfiguration& berth, const std::string& plugin);

// Takes them out of configuration and says which they were.
std::vector<framework::Barred> Bar(config::Configuration& configuration, const config::BerthConfiguration& berth,
                                   const LibraryCatalog& catalog, const WhyBarred& why);

}  // namespace berth::assembly
