// The default plugin sets of each configuration version, and merging a user's set into them. Thread: any; pure
// functions.
//
// Which release's set a version gets:
//   v1       1.36.3: pkg/scheduler/apis/config/v1/default_plugins.go
//   v1beta3  1.27.16, its last but one release: everything in multiPoint, SchedulingGates at its end
//   v1beta2  1.23.1, where it was the current version: sets per point, no multiPoint
// The old sets are given what a 1.36 cluster needs and they could not name: SchedulingGates and DynamicResources at
// every point they have in 1.36 (in postFilter and preEnqueue before DefaultPreemption, else behind InterPodAffinity),
// and DefaultPreemption's preEnqueue.
#pragma once

#include <string_view>

#include "config/configuration.h"
#include "config/feature_gates.h"

namespace berth::config {

Plugins DefaultPlugins(ApiVersion version, const FeatureGates& gates);

// core.md 2.4: defaults first, each replaced in its place by the user's entry of the same name, less what the user
// disabled; then the user's other entries, repetitions included.
PluginSet MergePluginSet(const PluginSet& defaults, const PluginSet& user);

// Every set merged by the rules of the version: v1 knows all sets; v1beta3 (1.27) ignores the user's preEnqueue;
// v1beta2 ignores preEnqueue and multiPoint and forgets what was disabled, which meant something to multiPoint only.
Plugins MergePlugins(ApiVersion version, const Plugins& defaults, const Plugins& user);

// True when the version reads the set but then ignores it, as described above.
bool IgnoresSet(ApiVersion version, Point point);

// Plugins that 1.36 has no more but old files may name: EBSLimits, GCEPDLimits, AzureDiskLimits, CinderLimits and
// SelectorSpread. Without a library that provides them they are left out of an old profile.
bool IsLegacyPlugin(std::string_view name);
// Plugins that the old versions had already lost: what to write instead, or empty.
std::string_view ReplacementOfRemoved(std::string_view name);

}  // namespace berth::config
