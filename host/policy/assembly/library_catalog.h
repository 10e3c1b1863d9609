// The plugin libraries on disk as one configuration sees them: scanned directories, names resolved through the notes
// and the configuration's bindings, libraries opened once. Thread: one at a time. Ownership: opened code stays mapped
// for the life of the process.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "config/configuration/berth_configuration.h"
#include "config/configuration/points.h"
#include "plugin/loader/loader.h"
#include "plugin/loader/name_index.h"

namespace berth::assembly {

class LibraryCatalog {
 public:
  // Scans the directories with the configuration's trust rules. staging_directory: see loader::StagingOptions;
  // rehearse: see loader::LoaderOptions.
  LibraryCatalog(const std::vector<std::string>& plugin_directories, const config::BerthConfiguration& berth,
                 std::string staging_directory = {}, loader::Rehearse rehearse = {});

  bool Knows(std::string_view plugin) const { return index_.Knows(plugin); }
  bool WasRefused(std::string_view plugin) const { return index_.WasRefused(plugin); }
  base::Result<loader::Offer> Find(std::string_view plugin) const { return index_.Find(plugin); }
  // The points that the plugin's library announces.
  static config::PointSet PointsOf(const loader::Offer& offer);
  // An opened library stays the same for the life of the catalog, even if its file changes: the code that checks the
  // args is the code that is then used, and a rollback publishes the same code.
  base::Result<std::shared_ptr<const loader::Library>> Open(const loader::Offer& offer);

  const loader::Inventory& inventory() const { return inventory_; }

 private:
  loader::Loader loader_;
  loader::Inventory inventory_;
  loader::NameIndex index_;
  std::map<std::string, std::shared_ptr<const loader::Library>> opened_;  // by path
};

// The libraries of bindings that name a file by its path, rather than by its name in a plugin directory.
std::vector<std::string> FilesBound(const config::BerthConfiguration& berth);
// <program>/../lib/berth/plugins, which is correct in the build tree and after an installation.
std::string DefaultPluginDirectory();
// The directories as they were given, or else the default one.
std::vector<std::string> OrDefault(std::vector<std::string> plugin_directories);

}  // namespace berth::assembly
