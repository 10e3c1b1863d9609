// `berthctl simulate -o json`: a SimulationResult, written as it happens, one attempt per line, so that memory does not
// grow with the number of attempts. The format is stable. Thread: one.
#pragma once

#include <ostream>

#include "simulate/attempt_entry.h"

namespace berth::simulate {

class JsonResult final : public AttemptSink {
 public:
  // with_nodes: write each attempt's nodes; false leaves the field out. out outlives the object.
  JsonResult(std::ostream& out, bool with_nodes);
  void Add(const AttemptEntry& entry) override;
  void Finish();  // closes the document; once

 private:
  void AppendNode(const cycle::NodeRecord& node);

  std::ostream& out_;
  const bool with_nodes_;
  bool first_ = true;
  std::string line_;
};

}  // namespace berth::simulate
