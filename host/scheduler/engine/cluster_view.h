// What a pod finds in the cluster: the cache, and the pods that are nominated to nodes. For reading, between two
// cycles. Thread: the scheduling thread. Ownership: refers to objects of the engine.
#pragma once

#include "scheduler/cache/cache.h"
#include "scheduler/queue/nominator.h"

namespace berth::engine {

struct ClusterView {
  const cache::Cache& cache;
  const queue::Nominator& nominator;
};

}  // namespace berth::engine
