#include "plugin/cycle.h"

#include "plugin/instance.h"

namespace berth::plugin {

void BeginCycle(berth_cycle& cycle, size_t n_instances, const berth_snap* snap, uint64_t seed) {
  cycle.snap = snap;
  cycle.seed = seed;
  cycle.cancelled.store(false, std::memory_order_relaxed);
  for (auto& slots : cycle.slots) slots.assign(n_instances, nullptr);
}

void FreeSlot(berth_cycle& cycle, uint32_t slot, InstanceList instances) {
  for (const auto& instance : instances) {
    void*& data = cycle.slots[slot][instance->index()];
    if (data == nullptr) continue;
    instance->FreeCycleData(data);
    data = nullptr;
  }
}

Status CloneCycle(const berth_cycle& from, berth_cycle& to, InstanceList instances) {
  to.snap = from.snap;
  to.reasons = from.reasons;
  to.seed = from.seed;
  to.cancelled.store(false, std::memory_order_relaxed);
  for (int s = 0; s < 2; ++s) to.slots[s] = from.slots[s];
  Status status;
  for (const auto& instance : instances) {
    void*& data = to.slots[BERTH_SLOT_CYCLE][instance->index()];
    if (data == nullptr || !instance->ClonesCycleData()) continue;
    data = instance->CloneCycleData(data);
    if (data == nullptr && status.ok()) status = instance->Fault("cycle_clone", "could not copy its cycle data");
  }
  return status;
}

void FreeClone(berth_cycle& clone, InstanceList instances) {
  for (const auto& instance : instances) {
    void*& data = clone.slots[BERTH_SLOT_CYCLE][instance->index()];
    if (data != nullptr && instance->ClonesCycleData()) instance->FreeCycleData(data);
    data = nullptr;
  }
}

}  // namespace berth::plugin
