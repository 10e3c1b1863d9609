// The service tables that read the cluster: snapshot, selectors, matching, domains, and pod sets.
// Thread: as the tags in the headers of the SDK say.
#pragma once

#include "plugin/instance/services.h"

namespace berth::framework {

void AddClusterServices(plugin::Services& services);

}  // namespace berth::framework
