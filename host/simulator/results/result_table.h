// `berthctl simulate -o table`: prints the node and the scores of every pod, then the pending pods with their wrapped
// messages. With steps, it prints both for the start and after each step. Thread: one.
#pragma once

#include <cstddef>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "simulator/results/attempt_entry.h"

namespace berth::results {

struct TableStyle {
  bool color = false;  // only on a terminal
  bool steps = false;  // print a heading for the start and for each step
  size_t width = 100;  // columns to wrap messages at
};

class TableResult final : public AttemptSink {
 public:
  TableResult(std::ostream& out, TableStyle style) : out_(out), style_(style) {}
  void Add(const AttemptEntry& entry) override;
  void Quiet(const std::string& what) override;

 private:
  struct Placed {
    std::string pod, node;
    bool scored = false;
    int64_t total = 0;
    std::map<std::string, int64_t> scores;
  };
  void PrintPlaced();
  void PrintPending();

  std::ostream& out_;
  const TableStyle style_;
  bool first_ = true;
  std::vector<Placed> placed_;
  std::vector<std::string> plugins_;  // columns, in order of first appearance
  std::vector<std::string> pending_order_;
  std::map<std::string, AttemptEntry> pending_;  // the last message of each pod that is not scheduled
};

}  // namespace berth::results
