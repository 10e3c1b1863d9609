// A configuration as text. Thread: any; pure functions.
#pragma once

#include <cstdint>
#include <string>

#include "config/configuration/configuration.h"
#include "config/configuration/expand.h"

namespace berth::config {

// kRedacted: base::kRedacted in place of a secret, which Load rejects, and URLs without passwords and queries. The args
// of plugins are shown unchanged, because only the plugin knows their meaning.
enum class Secrets : uint8_t { kRedacted, kShown };

// The bytes that kube-scheduler 1.36.3 --write-config-to writes for such a configuration: completed, multiPoint not
// expanded, args of enabled plugins only, sorted by name. A configuration that was read from an old version is printed
// as v1 with multiPoint.disabled "*", so that Load yields the same plugins. Legacy plugins (IsLegacyPlugin), which v1
// rejects, and the bind addresses of v1beta2 are left out.
std::string PrintV1(const Configuration& configuration, Secrets secrets = Secrets::kRedacted);
// The same as a value, for /configz.
json::Value ValueV1(const Configuration& configuration, Secrets secrets = Secrets::kRedacted);

// Every point with its plugins in running order; weights at the scoring points, 0 elsewhere.
//   kV1       all fields and points of v1, args included; multiPoint disables "*", so that the same is read back.
//   kV1beta2  the shape that kube-scheduler 1.23.1 printed, multiPoint empty: the defaults would be merged in once more
//             when it is read back. It leaves out what 1.23 could not say: the points preEnqueue, placementGenerate and
//             placementScore, in-tree plugins that 1.23 did not have (SchedulingGates, DynamicResources,
//             NodeDeclaredFeatures, GangScheduling, TopologyPlacementGenerator, PodGroupPodsCount) with their args,
//             newer fields of args, delayCacheUntilActive and percentageOfNodesToScore of profiles.
// version is one of these two. The resolver knows the points of a plugin; see also ResolverFor.
std::string PrintExpanded(const Configuration& configuration, ApiVersion version, const PointResolver& resolver,
                          Secrets secrets = Secrets::kRedacted);

}  // namespace berth::config
