// The points that the in-tree plugins implement, for tools that run without libraries. Thread: any; constant.
#pragma once

#include <optional>
#include <string_view>

#include "config/configuration/configuration.h"
#include "config/configuration/expand.h"

namespace berth::config {

// The points of a plugin in the registry of 1.36.3 (pkg/scheduler/framework/plugins/registry.go, NewInTreeRegistry) or
// of one of the eight legacy plugins; nullopt for any other name.
std::optional<PointSet> InTreePoints(std::string_view plugin);

// In-tree plugins as above. Any other plugin that the configuration names at specific points counts as implementing
// only those points, so that a profile can be shown without its libraries.
PointResolver ResolverFor(const Configuration& configuration);

}  // namespace berth::config
