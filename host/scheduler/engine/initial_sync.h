// Delivers the whole cluster to the new instances of a candidate: rows with their pods, then objects, in slices between
// cycles, so that no pod waits for it. The instances get changes of what they already know as they happen. What they do
// not know yet comes later, as it is then.
// Thread: scheduling thread. Ownership: cache, objects and instances outlive it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"
#include "plugin/instance/instance.h"
#include "scheduler/cache/cache.h"
#include "scheduler/objects/store.h"

namespace berth::engine {

class InitialSync {
 public:
  InitialSync(std::vector<plugin::Instance*> instances, const cache::Cache& cache, const objects::ObjectStore& objects);

  // BERTH_DELTA_* that the instances need.
  uint32_t delta_mask() const { return delta_mask_; }

  // Delivers the next part for about budget_ns (>= 0). Deliver all changes before (InstanceFeed). true: it delivered
  // something.
  bool DeliverMore(const base::Clock& clock, int64_t budget_ns);
  void DeliverAll();  // the rest at once
  const std::vector<plugin::Instance*>& instances() const { return instances_; }
  bool know_everything() const { return rows_done_ && objects_done_; }

  // Changes; passes on those of what the instances already know.
  void Deliver(const std::vector<cache::Delta>& deltas);
  void Deliver(const objects::Change& change);

 private:
  void DeliverRow(uint32_t row);
  bool DeliverObjects();  // some objects of one kind; false: all kinds are complete

  const cache::Cache& cache_;
  const objects::ObjectStore& objects_;
  std::vector<plugin::Instance*> instances_;
  uint32_t delta_mask_ = 0;
  uint32_t next_row_ = 0;
  bool rows_done_ = false, objects_done_ = false;
  std::vector<objects::KindId> kinds_;  // that the instances need, ascending
  size_t kind_ = 0;                     // index in kinds_ of the kind that is being delivered
  bool in_kind_ = false;                // it has been delivered up to last_namespace_ and last_name_
  std::string last_namespace_, last_name_;
  std::vector<cache::Delta> scratch_;
};

// Delivers to the instance the deltas that its table asks for.
void SendDeltas(plugin::Instance& instance, const std::vector<cache::Delta>& deltas);

}  // namespace berth::engine
