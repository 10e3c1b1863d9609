// Prints the attempts of one pod node by node, below the output of the next sink for the same step. Thread: one.
#pragma once

#include <cstdint>
#include <ostream>
#include <sstream>
#include <string>

#include "simulator/results/attempt_entry.h"
#include "simulator/simulation/virtual_cluster.h"

namespace berth::simulation {

struct ExplainOptions {
  std::string pod;  // "namespace/name"
  bool color = false;
  size_t width = 100;
};

class ExplainSink final : public results::AttemptSink {
 public:
  // All arguments must outlive the sink. It reads the cluster when an attempt is reported.
  ExplainSink(results::AttemptSink& next, std::ostream& out, Cluster& cluster, ExplainOptions options)
      : next_(next), out_(out), cluster_(cluster), options_(std::move(options)) {}
  void Add(const results::AttemptEntry& entry) override;
  void Quiet(const std::string& what) override;
  uint32_t attempts() const { return attempts_; }

 private:
  results::AttemptSink& next_;
  std::ostream& out_;
  Cluster& cluster_;
  const ExplainOptions options_;
  std::ostringstream step_;  // printed at the end of the step
  uint32_t attempts_ = 0;
};

}  // namespace berth::simulation
