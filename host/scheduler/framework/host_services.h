// All service tables of host/scheduler/framework, for the engine and for programs that only build profiles to check
// them. Thread: as the tags in the headers of the SDK say.
#pragma once

#include "plugin/instance/services.h"

namespace berth::framework {

void AddHostServices(plugin::Services& services);

}  // namespace berth::framework
