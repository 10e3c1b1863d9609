// What one recorded decision would have been under another policy, from its own table alone: the decision is computed
// on the state of the cluster that it saw.
// Thread: any; pure functions.
#pragma once

#include <cstdint>
#include <string>

#include "scheduler/decisions/decision.h"
#include "scheduler/what_if/target.h"

namespace berth::what_if {

// The totals of a node with the recorded policy and with the target.
struct Totals {
  int64_t before = 0, after = 0;
};

struct Replay {
  enum class Fate : uint8_t {
    kNoTable,  // the nodes are not recorded, so nothing is known
    kNoNode,   // the attempt found no node, and the records cannot show that it would
    kStays,    // on the recorded node
    kMoves,    // to another node
  };
  Fate fate = Fate::kNoTable;
  std::string to;                           // kMoves only
  Totals of_recorded = {}, of_chosen = {};  // kMoves only
  uint32_t ties = 0;                        // nodes with the highest total of the target; kStays and kMoves, if scored
  // Nodes that only filters rejected which the target leaves out. No other plugin examined them, so the answer is not
  // exact if there are any.
  uint32_t unknown_nodes = 0;

  bool exact() const { return unknown_nodes == 0; }
};

// Weights and the absence of Score plugins are exact. A tie keeps the recorded node if it is among the best; otherwise
// the first of the best is chosen, where the scheduler draws one.
Replay ReplayOf(const decisions::Decision& decision, const Target& target);

}  // namespace berth::what_if
