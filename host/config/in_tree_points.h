// Which points the in-tree plugins implement, for tools that run without libraries. Thread: any; constant.
#pragma once

#include <optional>
#include <string_view>

#include "config/configuration.h"
#include "config/expand.h"

namespace berth::config {

// Of a plugin in the registry of 1.36.3 (core.md 2.3), or of one of the eight legacy plugins; nullopt for any other
// name.
std::optional<PointSet> InTreePoints(std::string_view plugin);

// In-tree plugins as above; any other plugin named at specific points of the configuration is taken to implement just
// those points, so that a profile can be shown without its libraries.
PointResolver ResolverFor(const Configuration& configuration);

}  // namespace berth::config
