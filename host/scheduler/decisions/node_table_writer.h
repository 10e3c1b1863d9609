// Makes the NodeTable of an attempt, and measures the time that this takes.
//
//   writer.Begin(n_rows);
//   writer.UpdateNames(arrivals, n_rows, name_of);
//   writer.verdicts()[row] = writer.NumberOf(plugin, code, reasons);
//   writer.AddScores(plugin, weighted);
//   writer.SetScored(0);
//   table = writer.Finish();
//
// Thread: the scheduling thread. Ownership: the writer keeps its scratch memory and the columns of the last table; the
// clock outlives it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/row_log.h"
#include "scheduler/decisions/column.h"
#include "scheduler/decisions/memory_meter.h"
#include "scheduler/decisions/node_table.h"

namespace berth::decisions {

class NodeTableWriter {
 public:
  // A table has at most so many different rejections. Nodes with others get one that says so.
  static constexpr size_t kMaxRejections = 200;

  NodeTableWriter(const base::Clock& clock, std::shared_ptr<MemoryMeter> meter);

  // Adds the time of its lifetime to spent_ns.
  class Timed {
   public:
    explicit Timed(NodeTableWriter& writer) : writer_(writer), began_(writer.clock_.MonoNs()) {}
    ~Timed() { writer_.spent_ns_ += writer_.clock_.MonoNs() - began_; }
    Timed(const Timed&) = delete;

   private:
    NodeTableWriter& writer_;
    const int64_t began_;
  };
  // The time since the last call.
  int64_t TakeSpentNs();

  // Starts a table in which no row is examined.
  void Begin(uint32_t n_rows);
  // Reads the names of the rows on which a node arrived since the last call. name(row) is "" if the row is free.
  template <class NameOf>
  void UpdateNames(base::RowLog& arrivals, uint32_t n_rows, NameOf&& name);
  std::vector<int16_t>& verdicts() { return verdicts_; }  // by row; see NodeTable
  // The value for the column of verdicts.
  int16_t NumberOf(std::string_view plugin, plugin::Code code, const std::vector<std::string>& reasons);
  // By row. weight: see NodeTable::Scores.
  void AddScores(const std::string& plugin, std::span<const int64_t> weighted, int64_t weight = 0);
  void AddUniformScores(const std::string& plugin, int64_t weighted, int64_t weight = 0);  // the same for every row
  // Without a call the scores that were added do not count: the attempt has not compared nodes.
  void SetScored(int64_t constant);  // see NodeTable
  std::shared_ptr<const NodeTable> Finish();

 private:
  static constexpr size_t kMaxScoreWriters = 256;
  void ForgetChunk(uint32_t row);
  template <class NameOf>
  std::shared_ptr<const NameChunk> WriteNames(uint32_t first, uint32_t end, NameOf& name);
  size_t OwnBytes() const;

  const base::Clock& clock_;
  const std::shared_ptr<MemoryMeter> meter_;
  int64_t spent_ns_ = 0;

  base::RowLog::Position names_read_ = 0;
  std::vector<std::shared_ptr<const NameChunk>> names_;  // null: must be written again
  uint32_t named_rows_ = 0;
  std::vector<int16_t> verdicts_;
  ColumnWriter verdict_writer_;
  std::map<std::string, ColumnWriter, std::less<>> score_writers_;  // by plugin
  std::shared_ptr<NodeTable> table_;
};

template <class NameOf>
void NodeTableWriter::UpdateNames(base::RowLog& arrivals, uint32_t n_rows, NameOf&& name) {
  const auto changed = arrivals.Since(names_read_);
  names_read_ = arrivals.end();
  if (!changed || named_rows_ != n_rows) {
    names_.assign((n_rows + kChunkRows - 1) / kChunkRows, nullptr);
  } else {
    for (uint32_t row : *changed) ForgetChunk(row);
  }
  named_rows_ = n_rows;
  for (uint32_t i = 0; i < names_.size(); ++i) {
    if (names_[i] == nullptr) names_[i] = WriteNames(i * kChunkRows, std::min(n_rows, (i + 1) * kChunkRows), name);
  }
  table_->names = names_;
}

template <class NameOf>
std::shared_ptr<const NameChunk> NodeTableWriter::WriteNames(uint32_t first, uint32_t end, NameOf& name) {
  std::string text;
  std::vector<uint32_t> ends;
  for (uint32_t row = first; row < end; ++row) {
    text += name(row);
    ends.push_back(static_cast<uint32_t>(text.size()));
  }
  return std::make_shared<const NameChunk>(meter_, std::move(text), std::move(ends));
}

}  // namespace berth::decisions
