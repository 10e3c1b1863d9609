// `berthctl simulate -o table`: where every pod went and with which scores, and under it the pods that are still
// pending with the whole reason, wrapped; so for the start and after each step, when there are steps. Thread: one.
#pragma once

#include <cstddef>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "simulate/attempt_entry.h"

namespace berth::simulate {

struct TableStyle {
  bool color = false;  // only on a terminal
  bool steps = false;  // each part of the story gets a heading
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
  std::map<std::string, AttemptEntry> pending_;  // last word of each pod that is not placed
};

}  // namespace berth::simulate
