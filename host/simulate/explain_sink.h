// Tells the attempts of one pod node by node, below what the next sink has to say of the same step. Thread: one.
#pragma once

#include <cstdint>
#include <ostream>
#include <sstream>
#include <string>

#include "simulate/attempt_entry.h"
#include "simulate/cluster.h"

namespace berth::simulate {

struct ExplainOptions {
  std::string pod;  // "namespace/name"
  bool color = false;
  size_t width = 100;
};

class ExplainSink final : public AttemptSink {
 public:
  // All outlive the sink. cluster as it is when an attempt is told.
  ExplainSink(AttemptSink& next, std::ostream& out, Cluster& cluster, ExplainOptions options)
      : next_(next), out_(out), cluster_(cluster), options_(std::move(options)) {}
  void Add(const AttemptEntry& entry) override;
  void Quiet(const std::string& what) override;
  uint32_t told() const { return told_; }  // attempts

 private:
  AttemptSink& next_;
  std::ostream& out_;
  Cluster& cluster_;
  const ExplainOptions options_;
  std::ostringstream step_;  // told when it is over
  uint32_t told_ = 0;
};

}  // namespace berth::simulate
