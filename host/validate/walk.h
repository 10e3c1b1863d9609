// A pod's whole way through the plugin, from PreEnqueue to PostBind, in the host's order and only as far as the answers
// lead. Thread: main of the child.
#pragma once

#include "validate/rig.h"

namespace berth::validate {

// How far it came.
struct Walked {
  bool enqueued = true;
  bool judged = false;  // Filter or Score was asked
  std::string node;     // where it was bound; empty: nowhere
};

// findings hears of each step before it is made.
Walked Walk(Rig& rig, const sdk::testing::FakePod& pod, Findings& findings);

}  // namespace berth::validate
