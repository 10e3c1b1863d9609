// The ABI's opaque berth_cycle: one scheduling attempt, as plugins see it. Calls outside a cycle (PreEnqueue, hints)
// use one without a snapshot. Thread: begins and ends on the scheduling thread; berth/host.h says who uses the slots in
// between. Ownership: owns the data in the slots, and returns it to the plugin through cycle_free exactly once.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "berth/host.h"
#include "plugin/instance/reasons.h"
#include "plugin/instance/status.h"

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

// Prepares a cycle for a new attempt of a profile whose instances have indexes below n; reuses memory.
void BeginCycle(berth_cycle& cycle, size_t n, const berth_snap* snap, uint64_t seed);
// Returns the data of one slot kind to the plugins.
void FreeSlot(berth_cycle& cycle, uint32_t slot, InstanceList instances);

// A cycle for a trial: an instance sees the parent's data until it gets a copy, which only this branch changes. The
// parent must not change or end before the branch ends. Reuses memory.
class CycleBranch {
 public:
  void Begin(const berth_cycle& parent);
  // Gives the instance a copy of its CYCLE data; an instance without cycle_clone continues to share it. ERROR, with the
  // name of the plugin: the plugin could not copy.
  Status Own(Instance& instance);
  void End();  // returns the copies
  berth_cycle& cycle() { return cycle_; }

 private:
  berth_cycle cycle_;
  std::vector<Instance*> owners_;
};

}  // namespace berth::plugin
