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
namespace berth::framework {
class Trial;
class Trials;
}  // namespace berth::framework

struct berth_cycle {
  const berth_snap* snap = nullptr;
  berth::plugin::ReasonTable* reasons = nullptr;
  uint64_t seed = 0;
  std::atomic<bool> cancelled{false};
  // By Instance::index() of the attempt's profile: [BERTH_SLOT_CYCLE] and [BERTH_SLOT_ATTEMPT].
  std::vector<void*> slots[2];
  berth::framework::Trials* trials = nullptr;  // while trials may be opened
  berth::framework::Trial* trial = nullptr;    // whose cycle this is, when it is a trial's
};

namespace berth::plugin {

// One plugin's data for a cycle. The instances are those of the cycle's profile, by index.
using InstanceList = std::span<const std::shared_ptr<Instance>>;

// Makes a cycle ready for a new attempt of a profile whose instances' numbers are below n; keeps memory.
void BeginCycle(berth_cycle& cycle, size_t n, const berth_snap* snap, uint64_t seed);
// Gives the data of one slot kind back to the plugins.
void FreeSlot(berth_cycle& cycle, uint32_t slot, InstanceList instances);

// A cycle for a trial: it shows the parent's data until an instance gets a copy of its own, which only this branch
// changes. The parent must not change or end before the branch does. Memory is kept from one use to the next.
class CycleBranch {
 public:
  void Begin(const berth_cycle& parent);
  // From now on the instance has a copy of its CYCLE data, or shares it for good when it clones none. An instance that
  // cannot copy fails it, by name.
  Status Own(Instance& instance);
  void End();  // gives the copies back
  berth_cycle& cycle() { return cycle_; }

 private:
  berth_cycle cycle_;
  std::vector<Instance*> owners_;
};

}  // namespace berth::plugin
