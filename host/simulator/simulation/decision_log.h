// The decisions of a simulation as JSON lines, one for each attempt; docs/decisions.md describes the format.
// Thread: one. Ownership: the stream outlives the log.
#pragma once

#include <memory>
#include <ostream>

#include "api/intern_tables.h"
#include "api/pod.h"
#include "scheduler/engine/engine.h"

namespace berth::simulation {

class DecisionLog {
 public:
  explicit DecisionLog(std::ostream& out) : out_(out) {}
  // The newest decision of the engine, which is about the pod.
  void Add(engine::Engine& engine, const api::InternTables& intern, const api::Pod& pod);

 private:
  std::ostream& out_;
};

}  // namespace berth::simulation
