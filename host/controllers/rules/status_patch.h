// The merge patches of the status subresource: only what has changed. Thread: any; pure.
#pragma once

#include <optional>
#include <string>

#include "controllers/rules/pod_group.h"
#include "controllers/rules/resource_amounts.h"

namespace berth::rules {

// nullopt: nothing has changed.
std::optional<std::string> GroupStatusPatch(const PodGroupStatus& before, const PodGroupStatus& after);
// Names that are no longer used are removed.
std::optional<std::string> UsedPatch(const Amounts& before, const Amounts& after);

}  // namespace berth::rules
