// The service tables that read the cluster: snapshot and selectors. Added to plugin::Services by whoever wires the
// host. Thread: as the tables' tags say.
#pragma once

#include "cache/cache.h"
#include "plugin/services.h"

namespace berth::framework {

// cache must outlive services: open_column, which has no snapshot, goes to it.
void AddClusterServices(plugin::Services& services, cache::Cache& cache);

}  // namespace berth::framework
