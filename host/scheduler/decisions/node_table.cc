#include "scheduler/decisions/node_table.h"

#include <utility>

namespace berth::decisions {

NameChunk::NameChunk(std::shared_ptr<MemoryMeter> meter, std::string all, std::vector<uint32_t> all_ends)
    : Metered(std::move(meter), sizeof(NameChunk) + all.size() + all_ends.size() * sizeof(uint32_t)),
      text(std::move(all)),
      ends(std::move(all_ends)) {}

std::string_view NameChunk::At(uint32_t i) const {
  const uint32_t begin = i == 0 ? 0 : ends[i - 1];
  return std::string_view(text).substr(begin, ends[i] - begin);
}

const Rejection* NodeTable::RejectionOf(uint32_t row) const {
  const int64_t verdict = row < n_rows() ? verdicts.At(row) : kNotExamined;
  return verdict > kPassed ? &rejections[static_cast<size_t>(verdict - 1)] : nullptr;
}

int64_t NodeTable::TotalOf(uint32_t row) const {
  auto total = static_cast<uint64_t>(constant);  // wraps around, as the totals of extenders do
  for (const Scores& one : scores) total += static_cast<uint64_t>(one.weighted.At(row));
  return static_cast<int64_t>(total);
}

std::string_view NodeTable::NameOf(uint32_t row) const { return names[row / kChunkRows]->At(row % kChunkRows); }

std::vector<uint32_t> NodeTable::NamedRows() const {
  std::vector<uint32_t> rows;
  for (uint32_t row = 0; row < n_rows(); ++row) {
    if (!NameOf(row).empty()) rows.push_back(row);
  }
  return rows;
}

uint32_t NodeTable::Find(std::string_view node) const {
  uint32_t row = 0;
  while (row < n_rows() && !(Examined(row) && NameOf(row) == node)) ++row;
  return row;
}

}  // namespace berth::decisions
