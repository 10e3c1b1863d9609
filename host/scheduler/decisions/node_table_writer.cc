#include "scheduler/decisions/node_table_writer.h"

#include <utility>

namespace berth::decisions {
namespace {

size_t BytesOf(const std::vector<std::string>& texts) {
  size_t bytes = texts.size() * sizeof(std::string);
  for (const std::string& text : texts) bytes += text.size();
  return bytes;
}

// A chunk is a shared pointer in the column.
size_t BytesOf(const Column& column) { return column.n_chunks() * sizeof(std::shared_ptr<const Chunk>); }

}  // namespace

NodeTableWriter::NodeTableWriter(const base::Clock& clock, std::shared_ptr<MemoryMeter> meter)
    : clock_(clock), meter_(std::move(meter)), verdict_writer_(meter_) {}

int64_t NodeTableWriter::TakeSpentNs() { return std::exchange(spent_ns_, 0); }

void NodeTableWriter::Begin(uint32_t n_rows) {
  table_ = std::make_shared<NodeTable>();
  verdicts_.assign(n_rows, NodeTable::kNotExamined);
}

void NodeTableWriter::ForgetChunk(uint32_t row) {
  if (row / kChunkRows < names_.size()) names_[row / kChunkRows] = nullptr;
}

int16_t NodeTableWriter::NumberOf(std::string_view plugin, plugin::Code code, const std::vector<std::string>& reasons) {
  std::vector<Rejection>& known = table_->rejections;
  for (size_t i = 0; i < known.size(); ++i) {
    if (known[i].plugin == plugin && known[i].code == code && known[i].reasons == reasons) {
      return static_cast<int16_t>(i + 1);
    }
  }
  if (known.size() == kMaxRejections) return kMaxRejections;
  if (known.size() + 1 == kMaxRejections) {
    known.push_back({.plugin = "", .code = plugin::Code::kUnschedulable, .reasons = {"other reasons"}});
  } else {
    known.push_back({.plugin = std::string(plugin), .code = code, .reasons = reasons});
  }
  return static_cast<int16_t>(known.size());
}

void NodeTableWriter::AddScores(const std::string& plugin, std::span<const int64_t> weighted, int64_t weight) {
  if (score_writers_.size() >= kMaxScoreWriters) score_writers_.clear();
  ColumnWriter& writer = score_writers_.try_emplace(plugin, meter_).first->second;
  table_->scores.push_back({.plugin = plugin, .weighted = writer.Write(weighted), .weight = weight});
}

void NodeTableWriter::AddUniformScores(const std::string& plugin, int64_t weighted, int64_t weight) {
  ColumnWriter writer(meter_);
  table_->scores.push_back({.plugin = plugin,
                            .weighted = writer.WriteUniform(static_cast<uint32_t>(verdicts_.size()), weighted),
                            .weight = weight});
}

void NodeTableWriter::SetScored(int64_t constant) {
  table_->has_scores = true;
  table_->constant = constant;
}

std::shared_ptr<const NodeTable> NodeTableWriter::Finish() {
  if (!table_->has_scores) table_->scores.clear();
  table_->verdicts = verdict_writer_.Write<int16_t>(verdicts_);
  table_->own_bytes = std::make_unique<Metered>(meter_, OwnBytes());
  return std::move(table_);
}

size_t NodeTableWriter::OwnBytes() const {
  size_t bytes = sizeof(NodeTable) + table_->names.size() * sizeof(table_->names[0]) + BytesOf(table_->verdicts);
  for (const Rejection& one : table_->rejections) bytes += sizeof one + one.plugin.size() + BytesOf(one.reasons);
  for (const NodeTable::Scores& one : table_->scores) bytes += sizeof one + one.plugin.size() + BytesOf(one.weighted);
  return bytes;
}

}  // namespace berth::decisions
