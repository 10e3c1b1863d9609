// What the ABI's opaque berth_cycle is: one scheduling attempt as plugins see it. Also used, without a snapshot, for
// calls outside a cycle (PreEnqueue, hints). Thread: made and ended on the scheduling thread; between those, slots are
// touched under the rules of berth/host.h. Ownership: the data in the slots; it goes back to the plugin through
// cycle_free exactly once.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "berth/host.h"
#include "plugin/reasons.h"
#include "plugin/status.h"

namespace berth::plugin {
class Instance;
}

struct berth_cycle {
  const berth_snap* snap = nullptr;
  berth::plugin::ReasonTable* reasons = nullptr;
  uint64_t seed = 0;
  std::atomic<bool> cancelled{false};
  // By Instance::index() of the attempt's profile: [BERTH_SLOT_CYCLE] and [BERTH_SLOT_ATTEMPT].
  std::vector<void*> slots[2];
};

namespace berth::plugin {

// One plugin's data for a cycle. The instances are those of the cycle's profile, by index.
using InstanceList = std::span<const std::shared_ptr<Instance>>;

// Makes a cycle ready for a new attempt of a profile with n instances; keeps memory.
void BeginCycle(berth_cycle& cycle, size_t n_instances, const berth_snap* snap, uint64_t seed);
// Gives the data of one slot kind back to the plugins.
void FreeSlot(berth_cycle& cycle, uint32_t slot, InstanceList instances);
// A cycle for a trial: data of instances that judge pod changes is cloned, other data is shared. End with FreeClone.
// An instance that cannot clone fails it, by name.
Status CloneCycle(const berth_cycle& from, berth_cycle& to, InstanceList instances);
void FreeClone(berth_cycle& clone, InstanceList instances);

}  // namespace berth::plugin
