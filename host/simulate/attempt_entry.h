// One line of a simulation's story: an attempt of a pod and how it ended (design: SimulationResult).
// Thread: a value.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cycle/scheduling_cycle.h"

namespace berth::simulate {

struct AttemptEntry {
  std::string pod;      // "namespace/name"
  std::string profile;  // schedulerName
  std::string result;   // Scheduled, Unschedulable, Gated, Error, Unserved
  std::string node;     // Scheduled only
  uint32_t ties = 0;    // nodes with the highest total; Scheduled only
  uint64_t generation = 1;
  std::string message;  // as the pod's condition has it; the gate's text when Gated
  std::string nominated_node;
  std::vector<std::string> victims;  // "namespace/name" of pods removed for it
  std::vector<cycle::NodeRecord> nodes;
};

// Whoever wants to hear the story: an output, the explainer, a test.
class AttemptSink {
 public:
  virtual ~AttemptSink() = default;
  virtual void Add(const AttemptEntry& entry) = 0;
  // An attempt begins.
  virtual void Trying(const api::Pod& pod) { (void)pod; }
  // Nothing can progress any more until the next step is applied. what: the step that is over, "" = the start.
  virtual void Quiet(const std::string& what) { (void)what; }
};

}  // namespace berth::simulate
