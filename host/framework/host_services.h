// Every service table of host/framework at once, for whoever builds profiles: the engine, and those who only want to
// know whether they can be built. Thread: as the tables' tags say.
#pragma once

#include "cache/cache.h"
#include "objects/store.h"
#include "plugin/services.h"

namespace berth::framework {

// cache and store must outlive the instances that services serves.
void AddHostServices(plugin::Services& services, cache::Cache& cache, objects::ObjectStore& store);

}  // namespace berth::framework
