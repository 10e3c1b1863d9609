// Which rows changed, in order, for one aspect of rows. A reader remembers how far it has read and later asks for the
// rest; one that fell too far behind is told to look at every row. Thread: scheduling thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace berth::cache {

class RowLog {
 public:
  using Position = uint64_t;

  void Append(uint32_t row) {
    if (!rows_.empty() && rows_.back() == row && last_read_ < end()) return;  // nobody read it since
    if (rows_.size() >= kLimit) {
      base_ += rows_.size() / 2;
      rows_.erase(rows_.begin(), rows_.begin() + static_cast<ptrdiff_t>(rows_.size() / 2));
    }
    rows_.push_back(row);
  }
  Position end() const { return base_ + rows_.size(); }
  // Rows appended at or after `from` (repeats possible); nullopt when some of them are forgotten.
  std::optional<std::span<const uint32_t>> Since(Position from) {
    last_read_ = end();
    if (from < base_) return std::nullopt;
    return std::span<const uint32_t>(rows_).subspan(static_cast<size_t>(from - base_));
  }

 private:
  static constexpr size_t kLimit = 1u << 15;
  std::vector<uint32_t> rows_;
  Position base_ = 0;
  Position last_read_ = 0;  // end() when somebody last asked
};

}  // namespace berth::cache
