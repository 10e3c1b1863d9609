#include "scheduler/engine/instance_feed.h"

#include <utility>

#include "scheduler/framework/object_services.h"

namespace berth::engine {

void InstanceFeed::DeliverChanges() {
  DeliverObjectChanges();
  DeliverDeltas();
}

// deltas_ keeps alive what the views of the instances point at.
void InstanceFeed::DeliverDeltas() {
  cache_.TakeDeltas(deltas_);
  if (deltas_.empty()) return;
  policy_.ForEachInstance([&](plugin::Instance& instance) { SendDeltas(instance, deltas_); });
  if (sync_) sync_->Deliver(deltas_);
  deltas_.clear();
}

void InstanceFeed::DeliverObjectChanges() {
  objects_.TakeChanges(object_changes_);
  for (const objects::Change& change : object_changes_) {
    policy_.ForEachInstance([&](plugin::Instance& instance) { framework::DeliverChange(instance, change); });
    if (sync_) sync_->Deliver(change);
  }
  object_changes_.clear();
}

void InstanceFeed::BeginSync(InitialSync sync) {
  sync_.emplace(std::move(sync));
  UpdateDeltaMask();
}

void InstanceFeed::EndSync() {
  sync_.reset();
  UpdateDeltaMask();
}

void InstanceFeed::UpdateDeltaMask() {
  uint32_t mask = sync_ ? sync_->delta_mask() : 0;  // BERTH_DELTA_*
  policy_.ForEachInstance([&](const plugin::Instance& instance) {
    if (instance.tables().deltas != nullptr) mask |= instance.tables().deltas->mask;
  });
  cache_.set_delta_mask(mask);
}

}  // namespace berth::engine
