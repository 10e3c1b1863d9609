// Compares everything that follows the cluster by increments with what a computation from the start gives.
// Thread: scheduling thread, between two cycles.
#pragma once

#include <string>
#include <vector>

#include "api/intern_tables.h"
#include "plugin/instance/services.h"
#include "scheduler/cache/cache.h"
#include "scheduler/engine/published_policy.h"
#include "scheduler/objects/store.h"
#include "scheduler/queue/scheduling_queue.h"

namespace berth::engine {

struct CheckedState {
  api::InternTables& intern;
  plugin::Services& services;  // for second instances
  cache::Cache& cache;
  const objects::ObjectStore& objects;
  const queue::SchedulingQueue& queue;
  const PublishedPolicy& policy;
};

// The columns of the cache, the structures of the queue, and the counts of the plugins. One sentence per difference.
// The instances must know all changes.
std::vector<std::string> CheckConsistency(const CheckedState& state);

}  // namespace berth::engine
