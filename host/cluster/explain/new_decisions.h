// The decisions that a reader of the ring has not seen. Thread: CopyNew on the scheduling thread; the copy is for any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "scheduler/decisions/ring.h"

namespace berth::explain {

// Decisions of a ring that one task examines: about a hundred microseconds. Pods are scheduled between two tasks.
inline constexpr size_t kExaminedAtOnce = 5000;

using DecisionRef = std::shared_ptr<const decisions::Decision>;

struct NewDecisions {
  std::vector<DecisionRef> decisions;  // oldest first
  uint64_t missed = 0;                 // that the ring has lost before the first of them
  uint64_t newest = 0;                 // the ID of the newest in the ring; 0: none
};

// Those with an ID above `after`, at most a hundred: some tens of microseconds.
NewDecisions CopyNew(const decisions::Ring& ring, uint64_t after);

}  // namespace berth::explain
