// Delivers what changes in the cache and in the object store to the instances: to those that the host may still call,
// and to those of a candidate that already know the object.
// Thread: scheduling thread. Ownership: cache, objects and policy outlive it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "scheduler/cache/cache.h"
#include "scheduler/engine/initial_sync.h"
#include "scheduler/engine/published_policy.h"
#include "scheduler/objects/store.h"

namespace berth::engine {

class InstanceFeed {
 public:
  InstanceFeed(cache::Cache& cache, objects::ObjectStore& objects, PublishedPolicy& policy)
      : cache_(cache), objects_(objects), policy_(policy) {}

  // Everything that has changed since the last call. Before the first publication there is no instance, and the changes
  // are dropped.
  void DeliverChanges();
  void DeliverDeltas();
  // Includes objects that plugins have assumed or reverted. What a plugin assumes during the delivery comes with the
  // next one.
  void DeliverObjectChanges();

  // The new instances of a candidate, from now on until EndSync. Call DeliverChanges before.
  void BeginSync(InitialSync sync);
  InitialSync* sync() { return sync_ ? &*sync_ : nullptr; }  // null: there is no candidate
  void EndSync();
  // Asks the cache for the deltas that some instance wants. Call it when the policy has changed.
  void UpdateDeltaMask();

 private:
  cache::Cache& cache_;
  objects::ObjectStore& objects_;
  PublishedPolicy& policy_;
  std::optional<InitialSync> sync_;
  std::vector<cache::Delta> deltas_;             // being delivered; empty between two calls
  std::vector<objects::Change> object_changes_;  // likewise
};

}  // namespace berth::engine
