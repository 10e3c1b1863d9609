// The service table of berth/draft/pods.h. Thread: as the tags in the headers of the SDK say.
#pragma once

#include "plugin/instance/services.h"

namespace berth::framework {

void AddPodsService(plugin::Services& services);  // uses ports.pods

}  // namespace berth::framework
