// Whether a candidate loses a plugin to quarantine. A plugin that is already left out may stay so.
// Thread: any.
#pragma once

#include <string>
#include <vector>

#include "scheduler/framework/profile.h"

namespace berth::reload {

// One problem for each plugin of the candidate that quarantine removes and that the active policy has or does not
// configure. A plugin whose active library is itself quarantined may be removed: the candidate exists because of it.
std::vector<std::string> NewlyQuarantined(const framework::ProfileSet& active,
                                          const std::vector<framework::QuarantinedPlugin>& wanted);

}  // namespace berth::reload
