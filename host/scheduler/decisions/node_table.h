// What one attempt found out about each node: the rejection, or the score of every plugin. Immutable.
// Thread: any. Ownership: tables share columns and names with each other.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/instance/status.h"
#include "scheduler/decisions/column.h"

namespace berth::decisions {

// Why nodes were rejected; many nodes have the same rejection.
struct Rejection {
  std::string plugin;  // a plugin's name, or an extender's urlPrefix
  plugin::Code code = plugin::Code::kUnschedulable;
  std::vector<std::string> reasons;
};

// The names of kChunkRows rows in one text, because a cluster has many names.
struct NameChunk : Metered {
  NameChunk(std::shared_ptr<MemoryMeter> meter, std::string all, std::vector<uint32_t> ends);
  std::string_view At(uint32_t i) const;  // i < kChunkRows; "": no node was on the row

  const std::string text;
  const std::vector<uint32_t> ends;  // of each name in the text
};

class NodeTable {
 public:
  // Values of the column of verdicts. A value from 1 on is the number of a rejection.
  static constexpr int16_t kPassed = 0, kNotExamined = -1;

  struct Scores {
    std::string plugin;  // a plugin's name, or an extender's urlPrefix
    Column weighted;     // normalized score x weight, or an extender's part; valid for rows that passed
    int64_t weight = 0;  // of the plugin; 0: an extender
  };

  uint32_t n_rows() const { return verdicts.size(); }
  bool Examined(uint32_t row) const { return row < n_rows() && verdicts.At(row) != kNotExamined; }
  bool Passed(uint32_t row) const { return row < n_rows() && verdicts.At(row) == kPassed; }
  // null: the row was not rejected.
  const Rejection* RejectionOf(uint32_t row) const;
  std::string_view NameOf(uint32_t row) const;
  std::vector<uint32_t> NamedRows() const;    // the rows that have a node
  bool scored() const { return has_scores; }  // false: at most one node passed
  int64_t TotalOf(uint32_t row) const;        // the sum of its scores; of a row that passed
  // The row of the node; n_rows() if it was not examined.
  uint32_t Find(std::string_view node) const;

  std::vector<std::shared_ptr<const NameChunk>> names;
  Column verdicts;
  std::vector<Rejection> rejections;
  std::vector<Scores> scores;
  bool has_scores = false;             // without Score plugins scores is empty, and true
  int64_t constant = 0;                // a part of every total
  std::unique_ptr<Metered> own_bytes;  // without what columns and names hold
};

}  // namespace berth::decisions
