// The service tables that read the cluster: snapshot, selectors, matching, domains, and pod sets.
// Thread: as the tags in the headers of the SDK say.
#pragma once

#include "plugin/instance/services.h"
#include "scheduler/cache/cache.h"

namespace berth::framework {

// Adds the tables to services. cache must outlive services: open_column, which gets no snapshot, uses it.
void AddClusterServices(plugin::Services& services, cache::Cache& cache);

}  // namespace berth::framework
