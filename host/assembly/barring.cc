#include "assembly/barring.h"

#include <algorithm>
#include <set>

namespace berth::assembly {
namespace {

std::set<std::string> Enabled(const config::Profile& profile) {
  std::set<std::string> names;
  for (const config::PluginSet& set : profile.plugins.sets) {
    for (const config::Plugin& plugin : set.enabled) names.insert(plugin.name);
  }
  return names;
}

void TakeOut(config::Profile& profile, const std::string& plugin) {
  for (config::PluginSet& set : profile.plugins.sets)
    std::erase_if(set.enabled, [&](const config::Plugin& one) { return one.name == plugin; });
  std::erase_if(profile.plugin_config, [&](const config::PluginConfig& one) { return one.name == plugin; });
}

}  // namespace

bool IsOptional(const config::BerthConfiguration& berth, const std::string& plugin) {
  return std::any_of(berth.plugins.begin(), berth.plugins.end(),
                     [&](const config::PluginBinding& binding) { return binding.name == plugin && binding.optional; });
}

std::vector<framework::Barred> Bar(config::Configuration& configuration, const config::BerthConfiguration& berth,
                                   const LibraryCatalog& catalog, const WhyBarred& why) {
  std::vector<framework::Barred> barred;
  std::set<std::string> halted;
  for (config::Profile& profile : configuration.profiles) {
    for (const std::string& name : Enabled(profile)) {
      const auto offer = catalog.Find(name);
      const loader::Inspection* library = offer ? catalog.inventory().FindLibrary(offer->library) : nullptr;
      if (library == nullptr) continue;  // which is told elsewhere
      const auto reason = why(library->sha256, name, profile.scheduler_name);
      if (!reason) continue;
      const bool optional = IsOptional(berth, name);
      barred.push_back(
          {profile.scheduler_name, name, library->path, library->note->version, library->sha256, *reason, optional});
      if (optional) {
        TakeOut(profile, name);
      } else {
        halted.insert(profile.scheduler_name);
      }
    }
  }
  if (halted.size() == configuration.profiles.size()) return barred;  // there is nothing left to go on with
  std::erase_if(configuration.profiles,
                [&](const config::Profile& profile) { return halted.contains(profile.scheduler_name); });
  return barred;
}

}  // namespace berth::assembly
