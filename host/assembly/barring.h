// What quarantine means for a configuration: profiles that need a library which must not be loaded are left out, and so
// are such plugins that the configuration calls optional. The other profiles stay as they are. The plugin that sorts
// the queue is every profile's, whether it wants it or not: PrioritySort takes its place, and who needed it for nothing
// else goes on.
//
// When no profile would be left, libraries that are shipped with Berth are used all the same: a scheduler that starts
// and may fail again is better than none, and nobody can replace them by another version.
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

struct BarringOptions {
  WhyBarred why;
  // The program's own plugin directory. What is shipped with Berth is what has the same bytes as a library there: a
  // volume of plugins holds copies, and a name or a vendor can be claimed by anybody.
  std::string shipped_directory;
};
struct BarringResult {
  std::vector<framework::Barred> barred;  // taken out of the configuration
  std::vector<framework::Barred> waived;  // left in it, though they are in quarantine, for nothing else would be left
};
BarringResult Bar(config::Configuration& configuration, const config::BerthConfiguration& berth,
                  const LibraryCatalog& catalog, const BarringOptions& options);

}  // namespace berth::assembly
