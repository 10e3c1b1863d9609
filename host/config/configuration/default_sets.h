// The default plugin sets of each configuration version, and merging a user's set into them. Thread: any; pure
// functions.
//
// The release that each version takes its set from:
//   v1       1.36.3: pkg/scheduler/apis/config/v1/default_plugins.go
//   v1beta3  1.27.16, its last but one release: everything in multiPoint, SchedulingGates at its end
//   v1beta2  1.23.1, where it was the current version: sets per point, no multiPoint
// The old sets also contain plugins that a 1.36 cluster needs and that they could not name: SchedulingGates and
// DynamicResources at every point that they have in 1.36 (before DefaultPreemption in postFilter and preEnqueue, after
// InterPodAffinity elsewhere), and DefaultPreemption's preEnqueue.
#pragma once

#include <string_view>

#include "config/configuration/configuration.h"
#include "config/configuration/feature_gates.h"

namespace berth::config {

Plugins DefaultPlugins(ApiVersion version, const FeatureGates& gates);

// mergePluginSet of pkg/scheduler/apis/config/v1/default_plugins.go: the defaults first, without those that the user
// disabled, and each replaced in its place by the user's entry of the same name; then the user's other entries,
// repetitions included.
PluginSet MergePluginSet(const PluginSet& defaults, const PluginSet& user);

// Merges every set by the rules of the version: v1 knows all sets; v1beta3 (1.27) ignores the user's preEnqueue;
// v1beta2 ignores preEnqueue and multiPoint and drops the disabled plugins, which only multiPoint uses.
Plugins MergePlugins(ApiVersion version, const Plugins& defaults, const Plugins& user);

// True when the version reads the set but then ignores it, as described above.
bool IgnoresSet(ApiVersion version, Point point);

// Plugins that 1.36 removed and old files may name: EBSLimits, GCEPDLimits, AzureDiskLimits, CinderLimits and
// SelectorSpread. Without a library that provides them they are left out of an old profile.
bool IsLegacyPlugin(std::string_view name);
// The replacement to suggest for a plugin that the old versions had already removed, or empty.
std::string_view ReplacementOfRemoved(std::string_view name);

}  // namespace berth::config
