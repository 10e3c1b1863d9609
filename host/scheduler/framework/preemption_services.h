// The service tables for preemption: trials, nominations, and extenders. Thread: as the tags in the headers of the SDK
// say.
#pragma once

#include "plugin/instance/services.h"

namespace berth::framework {

void AddTrialService(plugin::Services& services);
void AddNominateService(plugin::Services& services);  // uses ports.nominations
void AddExtenderService(plugin::Services& services);  // uses ports.extenders

}  // namespace berth::framework
