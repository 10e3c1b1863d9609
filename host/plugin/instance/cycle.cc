#include "plugin/instance/cycle.h"

#include <algorithm>

#include "plugin/instance/instance.h"

namespace berth::plugin {

void BeginCycle(berth_cycle& cycle, size_t n, const berth_snap* snap, uint64_t seed) {
  cycle.snap = snap;
  cycle.seed = seed;
  cycle.cancelled.store(false, std::memory_order_relaxed);
  for (auto& slots : cycle.slots) slots.assign(n, nullptr);
}

void FreeSlot(berth_cycle& cycle, uint32_t slot, InstanceList instances) {
  for (const auto& instance : instances) {
    void*& data = cycle.slots[slot][instance->index()];
    if (data == nullptr) continue;
    instance->FreeCycleData(data);
    data = nullptr;
  }
}

void CycleBranch::Begin(const berth_cycle& parent) {
  cycle_.snap = parent.snap;
  cycle_.reasons = parent.reasons;
  cycle_.seed = parent.seed;
  cycle_.cancelled.store(false, std::memory_order_relaxed);
  for (int s = 0; s < 2; ++s) cycle_.slots[s] = parent.slots[s];
}

Status CycleBranch::Own(Instance& instance) {
  void*& data = cycle_.slots[BERTH_SLOT_CYCLE][instance.index()];
  if (data == nullptr || !instance.ClonesCycleData()) return {};
  if (std::find(owners_.begin(), owners_.end(), &instance) != owners_.end()) return {};
  void* copy = instance.CloneCycleData(data);
  if (copy == nullptr) return instance.Fault("cycle_clone", "could not copy its cycle data");
  data = copy;
  owners_.push_back(&instance);
  return {};
}

void CycleBranch::End() {
  for (Instance* instance : owners_) {
    void*& data = cycle_.slots[BERTH_SLOT_CYCLE][instance->index()];
    instance->FreeCycleData(data);
    data = nullptr;
  }
  owners_.clear();
}

}  // namespace berth::plugin
