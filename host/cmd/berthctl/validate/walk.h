// Takes a pod through all points of the plugin, from PreEnqueue to PostBind, in the host's order, until an answer ends
// the attempt. Thread: main of the child.
#pragma once

#include "cmd/berthctl/validate/test_host.h"

namespace berth::validate {

// How far the pod got.
struct Walked {
  bool enqueued = true;
  bool judged = false;  // Filter or Score was called
  std::string node;     // to which it was bound; empty: to none
};

// Reports each step to findings before it takes the step.
Walked Walk(TestHost& rig, const sdk::testing::FakePod& pod, Findings& findings);

}  // namespace berth::validate
