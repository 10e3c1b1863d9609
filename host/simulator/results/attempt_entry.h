// One entry of a simulation's output: an attempt of a pod and its result. Thread: a value.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scheduler/cycle/scheduling_cycle.h"

namespace berth::results {

struct AttemptEntry {
  std::string pod;      // "namespace/name"
  std::string profile;  // schedulerName
  std::string result;   // Scheduled, Unschedulable, Gated, Error, Unserved
  std::string node;     // Scheduled only
  uint32_t ties = 0;    // nodes with the highest total; Scheduled only
  uint64_t generation = 1;
  std::string message;  // the message of the pod's condition; the PreEnqueue plugin's if Gated
  std::string nominated_node;
  std::vector<std::string> victims;  // "namespace/name" of the pods deleted for it
  std::vector<cycle::NodeRecord> nodes;
};

// Receives the attempts: an output, the explainer, or a test.
class AttemptSink {
 public:
  virtual ~AttemptSink() = default;
  virtual void Add(const AttemptEntry& entry) = 0;
  // An attempt begins.
  virtual void Trying(const api::Pod& pod) { (void)pod; }
  // Called when no pod can make progress until the next step. what: the step that is over, "": the start.
  virtual void Quiet(const std::string& what) { (void)what; }
};

}  // namespace berth::results
