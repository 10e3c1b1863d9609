// Expands a merged profile to the plugins of each point, in order and with weights. Source:
// pkg/scheduler/framework/runtime/framework.go (NewFramework, expandMultiPointPlugins, getValidScoreWeights). Thread:
// any; pure functions.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "codec/fields/issue.h"
#include "config/configuration/configuration.h"

namespace berth::config {

// The points that the plugin of that name implements; nullopt when no library provides the name.
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

// A reason why the profile cannot run, with kube-scheduler's message. In the order in which kube-scheduler finds them:
// it reports the first.
struct ExpandFault {
  json::Mark mark;   // of the plugin's name in the file; 0:0 when a default is meant
  std::string path;  // below the profile: "plugins.filter"; empty for the profile itself
  std::string text;
};

struct Expansion {
  ExpandedProfile profile;
  std::vector<ExpandFault> faults;
  std::vector<std::string> left_out;  // legacy plugins that an old file names and no library provides
};

// written_as: an old version may name legacy plugins that no library provides; those are left out.
Expansion Expand(const Profile& profile, ApiVersion written_as, const PointResolver& resolver);

// Expands all profiles and checks the rules between them. Faults of profile i become issues with paths below
// profiles[i], left-out plugins become warnings. The host may use the result only when no issue was added.
std::vector<ExpandedProfile> ExpandAll(const Configuration& configuration, const PointResolver& resolver,
                                       fields::Issues& issues, fields::Issues& warnings);

// "initializing profiles: creating profile for scheduler name P: TEXT", as kube-scheduler's start-up fails.
std::string StartupError(const std::string& scheduler_name, const std::string& text);

}  // namespace berth::config
