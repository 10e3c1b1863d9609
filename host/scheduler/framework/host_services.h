// All service tables of host/scheduler/framework, for the engine and for programs that only build profiles to check
// them. Thread: as the tags in the headers of the SDK say.
#pragma once

#include "plugin/instance/services.h"
#include "scheduler/cache/cache.h"

namespace berth::framework {

// The cache must outlive the instances that services serves.
void AddHostServices(plugin::Services& services, cache::Cache& cache);

}  // namespace berth::framework
