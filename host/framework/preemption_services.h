// The service tables that preemption stands on: trials, nominations and extenders. Added to plugin::Services by whoever
// wires the host. Thread: as the tables' tags say.
#pragma once

#include "plugin/services.h"

namespace berth::framework {

void AddTrialService(plugin::Services& services);
void AddNominateService(plugin::Services& services);  // asks services.nominations
void AddExtenderService(plugin::Services& services);  // asks services.extenders

}  // namespace berth::framework
