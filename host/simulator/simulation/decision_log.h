// The decisions of a simulation as JSON lines, one for each attempt, and one for each pod of --suggest;
// docs/decisions.md describes the format. Thread: one. Ownership: the stream outlives the log.
#pragma once

#include <memory>
#include <ostream>

#include "api/intern_tables.h"
#include "api/pod.h"
#include "scheduler/engine/engine.h"
#include "scheduler/explain/pod_explanation.h"

namespace berth::simulation {

class DecisionLog {
 public:
  explicit DecisionLog(std::ostream& out) : out_(out) {}
  // The newest decision of the engine, which is about the pod.
  void Add(engine::Engine& engine, const api::InternTables& intern, const api::Pod& pod);
  // What a simulation's end says about a pod that is still pending, with suggestions.
  void AddPending(const explain::Explanation& pod);

 private:
  std::ostream& out_;
};

}  // namespace berth::simulation
