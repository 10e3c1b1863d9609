// Instances that are to decide from the next generation on, while they are told what there is: rows with their pods,
// then objects, a little between any two cycles, so that no pod waits for it. What lies behind the cursor they hear of
// as changes, like everybody; what lies ahead they will be told as it is then. Source: abi-review F9. Thread:
// scheduling thread. Ownership: none; cache, objects and instances outlive it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"
#include "cache/cache.h"
#include "objects/store.h"
#include "plugin/instance.h"

namespace berth::engine {

class Newcomers {
 public:
  Newcomers(std::vector<plugin::Instance*> instances, const cache::Cache& cache, const objects::ObjectStore& objects);

  // BERTH_DELTA_* that they want.
  uint32_t delta_mask() const { return delta_mask_; }

  // Tells on for about budget_ns (at least 0), of what has no change still to be delivered. Answers whether anything
  // was told.
  bool TellMore(const base::Clock& clock, int64_t budget_ns);
  void TellAll();
  const std::vector<plugin::Instance*>& instances() const { return instances_; }
  bool know_everything() const { return rows_done_ && objects_done_; }

  // Changes of what they know already.
  void Tell(const std::vector<cache::Delta>& deltas);
  void Tell(const objects::Change& change);

 private:
  void TellRow(uint32_t row);
  bool TellObjects();  // some of one kind; false: every kind has been told

  const cache::Cache& cache_;
  const objects::ObjectStore& objects_;
  std::vector<plugin::Instance*> instances_;
  uint32_t delta_mask_ = 0;
  uint32_t next_row_ = 0;
  bool rows_done_ = false, objects_done_ = false;
  std::vector<objects::KindId> kinds_;  // that they need, ascending
  size_t kind_ = 0;                     // of kinds_, being told
  bool in_kind_ = false;                // some of it has been told, up to:
  std::string last_namespace_, last_name_;
  std::vector<cache::Delta> scratch_;
};

// Gives the instance those of the deltas that its table wants.
void TellDeltas(plugin::Instance& instance, const std::vector<cache::Delta>& deltas);

}  // namespace berth::engine
