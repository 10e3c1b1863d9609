// `berthctl simulate -o json`: prints a SimulationResult, one attempt per line as soon as it ends, so the memory does
// not grow with the number of attempts. The format is stable. Thread: one.
#pragma once

#include <ostream>

#include "codec/json/value.h"
#include "simulator/results/attempt_entry.h"

namespace berth::results {

class JsonResult final : public AttemptSink {
 public:
  // with_nodes: whether to print the nodes of each attempt. `out` must outlive the object.
  JsonResult(std::ostream& out, bool with_nodes);
  void Add(const AttemptEntry& entry) override;
  // Closes the document; call it once. pending: the member of this name; null: there is none.
  void Finish(const json::Value& pending = {});

 private:
  void AppendNode(const cycle::NodeRecord& node);

  std::ostream& out_;
  const bool with_nodes_;
  bool first_ = true;
  std::string line_;
};

}  // namespace berth::results
