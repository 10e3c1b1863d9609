// A log of the rows that changed in one aspect. A reader stores its position and later asks for the rows since then. A
// reader that is too far behind must read every row. Thread: the scheduling thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace berth::base {

class RowLog {
 public:
  using Position = uint64_t;

  void Append(uint32_t row) {
    // no reader since the last append of this row
    if (!rows_.empty() && rows_.back() == row && last_read_ < end()) return;
    if (rows_.size() >= kLimit) {
      base_ += rows_.size() / 2;
      rows_.erase(rows_.begin(), rows_.begin() + static_cast<ptrdiff_t>(rows_.size() / 2));
    }
    rows_.push_back(row);
  }
  // Every reader must read every row.
  void AppendAll() {
    base_ = end() + 1;
    rows_.clear();
  }
  Position end() const { return base_ + rows_.size(); }
  // Rows appended at or after `from`, maybe with duplicates; nullopt if the log has dropped some of them.
  std::optional<std::span<const uint32_t>> Since(Position from) {
    last_read_ = end();
    if (from < base_) return std::nullopt;
    return std::span<const uint32_t>(rows_).subspan(static_cast<size_t>(from - base_));
  }

 private:
  static constexpr size_t kLimit = 1u << 15;
  std::vector<uint32_t> rows_;
  Position base_ = 0;
  Position last_read_ = 0;  // end() at the last call of Since
};

}  // namespace berth::base
