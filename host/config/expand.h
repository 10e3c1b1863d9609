// From a merged profile to what runs at each point, in order and with weights: core.md 2.6 and 2.7,
// pkg/scheduler/framework/runtime/framework.go (NewFramework, expandMultiPointPlugins, getValidScoreWeights).
// Thread: any; pure functions.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "config/configuration.h"
#include "config/issue.h"

namespace berth::config {

// The points a plugin of that name implements; nullopt when nobody provides the name.
using PointResolver = std::function<std::optional<PointSet>(const std::string& name)>;

struct PlannedPlugin {
  std::string name;
  int32_t weight = 0;  // at score and placementScore at least 1, or a single negative one; 0 elsewhere
};

struct ExpandedProfile {
  std::string scheduler_name;
  std::array<std::vector<PlannedPlugin>, kPointCount> points;
  std::vector<std::string> needed;  // every plugin to instantiate, by name, each once
  const std::vector<PlannedPlugin>& at(Point point) const { return points[static_cast<size_t>(point)]; }
};

// What stands in the way, in kube-scheduler's words and in the order it would find it: the first is what it would say.
struct ExpandFault {
  json::Mark mark;   // of the plugin's name in the file; 0:0 when a default is meant
  std::string path;  // below the profile: "plugins.filter"; empty for the profile itself
  std::string text;
};

struct Expansion {
  ExpandedProfile profile;
  std::vector<ExpandFault> faults;
  std::vector<std::string> left_out;  // legacy plugins that an old file names itself and nobody provides
};

// written_as: a profile from an old file may name legacy plugins nobody provides; those are left out.
Expansion Expand(const Profile& profile, ApiVersion written_as, const PointResolver& resolver);

// All profiles, and what must hold between them. Faults of profile i go to issues with paths below profiles[i],
// left-out plugins to warnings. The host may run with the result only when issues stayed as they were.
std::vector<ExpandedProfile> ExpandAll(const Configuration& configuration, const PointResolver& resolver,
                                       Issues& issues, Issues& warnings);

// "initializing profiles: creating profile for scheduler name P: TEXT", as kube-scheduler's start-up fails.
std::string StartupError(const std::string& scheduler_name, const std::string& text);

}  // namespace berth::config
