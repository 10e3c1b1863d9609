#include "config/configuration/expand.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "base/text.h"
#include "config/configuration/default_sets.h"

namespace berth::config {
namespace {

using Names = std::vector<std::string>;

bool Contains(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Names Without(const Names& names, const Names& excluded) {
  Names rest;
  std::copy_if(names.begin(), names.end(), std::back_inserter(rest),
               [&](const std::string& n) { return !Contains(excluded, n); });
  return rest;
}

// Expands one profile in the steps of NewFramework.
class Planner {
 public:
  Planner(const Profile& profile, ApiVersion written_as, const PointResolver& resolver)
      : profile_(profile), written_as_(written_as), resolver_(resolver) {}

  Expansion Plan() {
    plan_.profile.scheduler_name = profile_.scheduler_name;
    ResolveNeeded();
    CheckRepeatedConfig();
    for (Point point : kSetupOrder) ordered_[static_cast<size_t>(point)] = Explicit(point);
    if (!Set(Point::kMultiPoint).enabled.empty()) {
      for (Point point : kSetupOrder) ExpandMultiPoint(point);
    }
    CheckCounts();
    for (size_t i = 0; i < kPointCount; ++i) {
      for (const std::string& name : ordered_[i]) plan_.profile.points[i].push_back({name, 0});
    }
    Weigh(Point::kScore, "score plugins: ");
    Weigh(Point::kPlacementScore, "placement score plugins: ");
    return std::move(plan_);
  }

 private:
  const PluginSet& Set(Point point) const { return profile_.plugins.at(point); }
  static std::string PathOf(Point point) { return "plugins." + std::string(PointName(point)); }

  void Fault(const Plugin& plugin, Point set, std::string text) {
    plan_.faults.push_back({plugin.mark, PathOf(set), std::move(text)});
  }
  void Fault(std::string path, std::string text) { plan_.faults.push_back({{}, std::move(path), std::move(text)}); }

  std::string ForProfile(const std::string& text) const { return text + base::Quoted(profile_.scheduler_name); }

  void ResolveNeeded() {
    std::set<std::string> names;
    for (const PluginSet& set : profile_.plugins.sets) {
      for (const Plugin& plugin : set.enabled) names.insert(plugin.name);
    }
    for (const std::string& name : names) {
      const std::optional<PointSet> points = resolver_(name);
      if (points) {
        points_[name] = *points;
        plan_.profile.needed.push_back(name);
      } else if (written_as_ != ApiVersion::kV1 && IsLegacyPlugin(name)) {
        skipped_.push_back(name);
        if (IsUsersWord(name)) plan_.left_out.push_back(name);
      }
    }
  }

  bool IsUsersWord(const std::string& name) const {
    for (const PluginSet& set : profile_.plugins.sets) {
      for (const Plugin& plugin : set.enabled) {
        if (plugin.name == name && plugin.mark.line > 0) return true;
      }
    }
    return false;
  }

  void CheckRepeatedConfig() {
    std::set<std::string_view> seen;
    for (const PluginConfig& config : profile_.plugin_config) {
      if (!seen.insert(config.name).second) Fault("pluginConfig", "repeated config for plugin " + config.name);
    }
  }

  bool Skipped(const Plugin& plugin) const { return Contains(skipped_, plugin.name); }

  // The resolver knows the name; an unknown name is a fault at the point.
  const PointSet* Find(const Plugin& plugin, Point point, Point set) {
    const auto found = points_.find(plugin.name);
    if (found != points_.end()) return &found->second;
    Fault(plugin, set, std::string(InterfaceName(point)) + " " + base::Quoted(plugin.name) + " does not exist");
    return nullptr;
  }

  void AlreadyRegistered(const Plugin& plugin, Point point, Point set) {
    Fault(plugin, set,
          "plugin " + base::Quoted(plugin.name) + " already registered as " + base::Quoted(InterfaceName(point)));
  }

  // Plugins enabled at the point itself.
  Names Explicit(Point point) {
    Names names;
    for (const Plugin& plugin : Set(point).enabled) {
      if (Skipped(plugin)) continue;
      const PointSet* points = Find(plugin, point, point);
      if (!points) continue;
      if (!Has(*points, point)) {
        Fault(plugin, point,
              "plugin " + base::Quoted(plugin.name) + " does not extend " + std::string(InterfaceName(point)) +
                  " plugin");
      } else if (Contains(names, plugin.name)) {
        AlreadyRegistered(plugin, point, point);
      } else {
        names.push_back(plugin.name);
      }
    }
    return names;
  }

  // Plugins that multiPoint adds to the point: some are enabled already (overrides), the others are added.
  void ExpandMultiPoint(Point point) {
    Names disabled;
    for (const Plugin& plugin : Set(point).disabled) disabled.push_back(plugin.name);
    if (Contains(disabled, "*")) return;
    Names& listed = ordered_[static_cast<size_t>(point)];
    Names overrides;
    Names added;
    for (const Plugin& plugin : Set(Point::kMultiPoint).enabled) {
      if (Skipped(plugin)) continue;
      const PointSet* points = Find(plugin, point, Point::kMultiPoint);
      if (!points || !Has(*points, point) || Contains(disabled, plugin.name)) continue;
      if (Contains(listed, plugin.name)) {
        overrides.push_back(plugin.name);
      } else if (Contains(added, plugin.name)) {
        AlreadyRegistered(plugin, point, Point::kMultiPoint);
      } else {
        added.push_back(plugin.name);
      }
    }
    const Names others = Without(listed, overrides);
    listed = Without(listed, others);  // overrides, in the order of the point
    listed.insert(listed.end(), added.begin(), added.end());
    listed.insert(listed.end(), others.begin(), others.end());
  }

  void CheckCounts() {
    const auto count = [&](Point point) { return ordered_[static_cast<size_t>(point)].size(); };
    if (count(Point::kQueueSort) != 1) {
      Fault(PathOf(Point::kQueueSort),
            ForProfile("only one queue sort plugin required for profile with scheduler name ") + ", but got " +
                std::to_string(count(Point::kQueueSort)));
    }
    if (count(Point::kBind) == 0) {
      Fault(PathOf(Point::kBind), ForProfile("at least one bind plugin is needed for profile with scheduler name "));
    }
    if (count(Point::kPlacementGenerate) > 1) {
      Fault(PathOf(Point::kPlacementGenerate),
            ForProfile("at most one placement generate plugin is allowed for profile with scheduler name "));
    }
  }

  // The weight at the point overrides the weight in multiPoint; no weight counts as 1.
  void Weigh(Point point, const char* prefix) {
    constexpr int64_t kMaxScore = 100;
    std::map<std::string_view, int32_t> weights;
    int64_t total = 0;
    for (Point source : {point, Point::kMultiPoint}) {
      for (const Plugin& plugin : Set(source).enabled) {
        const auto found = points_.find(plugin.name);
        if (found == points_.end() || !Has(found->second, point)) continue;
        const int32_t weight = plugin.weight == 0 ? 1 : plugin.weight;
        if (!weights.try_emplace(plugin.name, weight).second) continue;
        // As in Go, a negative total wraps around: after a negative weight, every other weight "overflows".
        const auto room = static_cast<int64_t>(static_cast<uint64_t>(std::numeric_limits<int64_t>::max()) -
                                               static_cast<uint64_t>(total));
        if (weight * kMaxScore > room) {
          Fault(plugin, source, std::string(prefix) + "total score of Score plugins could overflow");
          return;
        }
        total += weight * kMaxScore;
      }
    }
    for (PlannedPlugin& planned : plan_.profile.points[static_cast<size_t>(point)])
      planned.weight = weights[planned.name];
  }

  const Profile& profile_;
  ApiVersion written_as_;
  const PointResolver& resolver_;
  std::map<std::string, PointSet, std::less<>> points_;
  Names skipped_;  // legacy plugins that no library provides
  std::array<Names, kPointCount> ordered_;
  Expansion plan_;
};

const json::Value* ArgsOf(const Profile& profile, const std::string& plugin) {
  for (const PluginConfig& config : profile.plugin_config) {
    if (config.name == plugin) return &config.args;
  }
  return nullptr;
}

bool SameArgs(const json::Value* a, const json::Value* b) { return a && b ? *a == *b : a == b; }

// All profiles need the same queue sort plugin, because they share one queue.
void CheckSameQueueSort(const Configuration& configuration, const std::vector<ExpandedProfile>& expanded,
                        fields::Issues& issues) {
  const auto sort_of = [](const ExpandedProfile& profile) {
    const auto& plugins = profile.at(Point::kQueueSort);
    return plugins.empty() ? std::string() : plugins.front().name;
  };
  for (size_t i = 1; i < expanded.size(); ++i) {
    const std::string first = sort_of(expanded.front());
    const std::string sort = sort_of(expanded[i]);
    if (sort.empty() || first.empty()) continue;
    const std::string name = base::Quoted(expanded[i].scheduler_name);
    if (sort != first) {
      issues.Add(fields::Index("profiles", i) + ".plugins.queueSort", "different queue sort plugins for profile " +
                                                                          name + ": " + base::Quoted(sort) +
                                                                          ", first: " + base::Quoted(first));
    } else if (!SameArgs(ArgsOf(configuration.profiles.front(), sort), ArgsOf(configuration.profiles[i], sort))) {
      issues.Add(fields::Index("profiles", i) + ".pluginConfig",
                 "different queue sort plugin args for profile " + name);
    }
  }
}

}  // namespace

Expansion Expand(const Profile& profile, ApiVersion written_as, const PointResolver& resolver) {
  return Planner(profile, written_as, resolver).Plan();
}

std::vector<ExpandedProfile> ExpandAll(const Configuration& configuration, const PointResolver& resolver,
                                       fields::Issues& issues, fields::Issues& warnings) {
  std::vector<ExpandedProfile> expanded;
  for (const Profile& profile : configuration.profiles) {
    const std::string path = fields::Index("profiles", expanded.size());
    Expansion expansion = Expand(profile, configuration.written_as, resolver);
    std::set<std::string> told;  // reports an unknown multiPoint plugin once, not at every point
    for (const ExpandFault& fault : expansion.faults) {
      if (!told.insert(std::to_string(fault.mark.line) + ":" + std::to_string(fault.mark.column) + fault.path).second)
        continue;
      const std::string place = fault.path.empty() ? path : fields::Child(path, fault.path);
      fault.mark.line > 0 ? issues.AddAt(fault.mark, place, fault.text) : issues.Add(place, fault.text);
    }
    if (!expansion.left_out.empty()) {
      warnings.Add(path, "not in Kubernetes 1.36 and provided by no library, so left out: " +
                             base::Join(expansion.left_out, ", "));
    }
    expanded.push_back(std::move(expansion.profile));
  }
  CheckSameQueueSort(configuration, expanded, issues);
  return expanded;
}

std::string StartupError(const std::string& scheduler_name, const std::string& text) {
  return "initializing profiles: creating profile for scheduler name " + scheduler_name + ": " + text;
}

}  // namespace berth::config
