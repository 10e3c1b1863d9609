#include "policy/assembly/quarantined_plugins.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace berth::assembly {
namespace {

constexpr const char* kPrioritySort = "PrioritySort";

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

bool Has(const std::vector<config::Plugin>& plugins, const std::string& name) {
  return std::any_of(plugins.begin(), plugins.end(), [&](const config::Plugin& one) { return one.name == name; });
}

// Whether this plugin sorts the queue. points: the points of the plugin.
bool Sorts(const config::Profile& profile, const std::string& plugin, config::PointSet points) {
  const config::PluginSet& own = profile.plugins.at(config::Point::kQueueSort);
  if (Has(own.enabled, plugin)) return true;
  return config::Has(points, config::Point::kQueueSort) && !Has(own.disabled, "*") && !Has(own.disabled, plugin) &&
         Has(profile.plugins.at(config::Point::kMultiPoint).enabled, plugin);
}

// Whether the profile uses the plugin only to sort the queue.
bool OnlySorts(const config::Profile& profile, const std::string& plugin, config::PointSet points) {
  if (!Sorts(profile, plugin, points)) return false;
  for (size_t i = 0; i < config::kSetCount; ++i) {
    const auto set = static_cast<config::Point>(i);
    if (set == config::Point::kQueueSort || !Has(profile.plugins.at(set).enabled, plugin)) continue;
    if (set != config::Point::kMultiPoint || (points & ~config::Bit(config::Point::kQueueSort)) != 0) return false;
  }
  return true;
}

void SortByPriority(config::Profile& profile) {
  config::PluginSet& own = profile.plugins.at(config::Point::kQueueSort);
  own.enabled = {{kPrioritySort}};
  own.disabled = {{"*"}};  // also for points that multiPoint would add
}

// Digests of the libraries in the directory.
std::set<std::string> DigestsIn(const std::string& directory) {
  std::set<std::string> digests;
  std::error_code error;
  for (const auto& file : std::filesystem::directory_iterator(directory, error)) {
    if (file.path().extension() == ".so") digests.insert(loader::InspectFile(file.path().string()).sha256);
  }
  return digests;
}

class Remover {
 public:
  Remover(config::Configuration& configuration, const config::BerthConfiguration& berth, const LibraryCatalog& catalog,
          const WhyQuarantined& why)
      : configuration_(configuration), berth_(berth), catalog_(catalog), why_(why) {}

  // false: no profile would be left.
  bool Run() {
    for (config::Profile& profile : configuration_.profiles) {
      for (const std::string& name : Enabled(profile)) {
        if (const auto plugin = Find(name)) Decide(profile, *plugin);
      }
    }
    if (sorter_) ReplaceSorter();
    if (halted_.size() == configuration_.profiles.size()) return false;
    std::erase_if(configuration_.profiles,
                  [&](const config::Profile& profile) { return halted_.contains(profile.scheduler_name); });
    return true;
  }
  std::vector<framework::QuarantinedPlugin> TakeRemoved() { return std::move(removed_); }

 private:
  struct Found {
    std::string name;
    config::PointSet points;
    const loader::Inspection* library;
    std::string why;  // it is quarantined
  };

  // nullopt: there is no such plugin, which is reported elsewhere.
  std::optional<Found> Find(const std::string& name) const {
    const auto offer = catalog_.Find(name);
    const loader::Inspection* library = offer ? catalog_.inventory().FindLibrary(offer->library) : nullptr;
    if (library == nullptr) return std::nullopt;
    return Found{name, LibraryCatalog::PointsOf(*offer), library, {}};
  }

  void Decide(config::Profile& profile, Found plugin) {
    const auto why = why_(plugin.library->sha256, plugin.name, profile.scheduler_name);
    if (!why) return;
    plugin.why = *why;
    bool optional = IsOptional(berth_, plugin.name);
    if (Sorts(profile, plugin.name, plugin.points) && CanSortByPriority(profile)) {
      optional = optional || OnlySorts(profile, plugin.name, plugin.points);
      sorter_ = plugin;
    }
    Leave(profile, plugin, optional);
  }

  void Leave(config::Profile& profile, const Found& plugin, bool optional) {
    const loader::Inspection& library = *plugin.library;
    removed_.push_back({profile.scheduler_name, plugin.name, library.path, library.note->version, library.sha256,
                        plugin.why, optional});
    if (optional) {
      TakeOut(profile, plugin.name);
    } else {
      halted_.insert(profile.scheduler_name);
    }
  }

  bool CanSortByPriority(const config::Profile& profile) const {
    const auto it = Find(kPrioritySort);
    return it && !why_(it->library->sha256, kPrioritySort, profile.scheduler_name);
  }

  // All profiles share the queue: a plugin that must not sort it for one profile sorts it for none.
  void ReplaceSorter() {
    for (config::Profile& profile : configuration_.profiles) {
      if (OnlySorts(profile, sorter_->name, sorter_->points)) Leave(profile, *sorter_, true);
      SortByPriority(profile);
    }
  }

  config::Configuration& configuration_;
  const config::BerthConfiguration& berth_;
  const LibraryCatalog& catalog_;
  const WhyQuarantined& why_;
  std::vector<framework::QuarantinedPlugin> removed_;
  std::set<std::string> halted_;
  std::optional<Found> sorter_;  // the quarantined QueueSort plugin
};

}  // namespace

bool IsOptional(const config::BerthConfiguration& berth, const std::string& plugin) {
  return std::any_of(berth.plugins.begin(), berth.plugins.end(),
                     [&](const config::PluginBinding& binding) { return binding.name == plugin && binding.optional; });
}

RemovalResult RemoveQuarantined(config::Configuration& configuration, const config::BerthConfiguration& berth,
                                const LibraryCatalog& catalog, const RemovalOptions& options) {
  RemovalResult result;
  config::Configuration strict = configuration;
  Remover all(strict, berth, catalog, options.why);
  const bool some_left = all.Run();
  result.removed = all.TakeRemoved();
  if (some_left) {
    configuration = std::move(strict);
    return result;
  }
  const std::set<std::string> shipped = DigestsIn(options.shipped_directory);
  std::set<std::string> waived;  // digests
  for (const framework::QuarantinedPlugin& one : result.removed) {
    if (!one.optional && shipped.contains(one.sha256)) waived.insert(one.sha256);
  }
  const WhyQuarantined lenient = [&](const std::string& sha256, const std::string& plugin, const std::string& profile) {
    return waived.contains(sha256) ? std::nullopt : options.why(sha256, plugin, profile);
  };
  config::Configuration rescued = configuration;
  Remover others(rescued, berth, catalog, lenient);
  if (waived.empty() || !others.Run()) return result;
  configuration = std::move(rescued);
  result.waived = std::move(result.removed);
  result.removed = others.TakeRemoved();
  std::erase_if(result.waived, [&](const framework::QuarantinedPlugin& one) { return !waived.contains(one.sha256); });
  return result;
}

}  // namespace berth::assembly
