// A set of rows: a list of numbers, or a bitmap if that takes less memory. Thread: like a std::vector.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/bitmap.h"

namespace berth::cache {

class RowSet {
 public:
  // All rows are below capacity. Call it whenever the capacity grows.
  void Reserve(uint32_t capacity) {
    if (!is_bitmap()) return;
    bits_.Resize(capacity);
    if (size_ < FewAre(capacity) / 2) ToNumbers();
  }
  // Add and Remove return false if the set does not change.
  bool Add(uint32_t row, uint32_t capacity) {
    if (Has(row)) return false;
    ++size_;
    if (!is_bitmap() && size_ > FewAre(capacity)) ToBitmap(capacity);
    if (is_bitmap()) {
      bits_.Set(row);
    } else {
      few_.insert(std::lower_bound(few_.begin(), few_.end(), row), row);
    }
    return true;
  }
  bool Remove(uint32_t row) {
    if (!Has(row)) return false;
    --size_;
    if (!is_bitmap()) {
      few_.erase(std::lower_bound(few_.begin(), few_.end(), row));
    } else {
      bits_.Clear(row);
      if (size_ < FewAre(static_cast<uint32_t>(bits_.size())) / 2) ToNumbers();
    }
    return true;
  }
  bool Has(uint32_t row) const {
    if (is_bitmap()) return bits_.Test(row);
    return std::binary_search(few_.begin(), few_.end(), row);
  }
  uint32_t size() const { return size_; }
  size_t bytes() const { return few_.capacity() * sizeof(uint32_t) + bits_.n_words() * sizeof(uint64_t); }

  // fn(row), ascending.
  template <class Fn>
  void ForEach(Fn&& fn) const {
    if (is_bitmap()) return bits_.ForEach(fn);
    for (uint32_t row : few_) fn(row);
  }
  // One bit per row; nullptr if the rows are stored as numbers.
  const uint64_t* words() const { return is_bitmap() ? bits_.words() : nullptr; }

 private:
  // The largest size at which numbers take no more memory than bits.
  static uint32_t FewAre(uint32_t capacity) { return capacity / 32; }
  bool is_bitmap() const { return bits_.size() != 0; }
  void ToBitmap(uint32_t capacity) {
    bits_.Resize(capacity);
    for (uint32_t row : few_) bits_.Set(row);
    few_ = std::vector<uint32_t>();
  }
  void ToNumbers() {
    few_.reserve(size_);
    bits_.ForEach([this](uint32_t row) { few_.push_back(row); });
    bits_ = {};
  }

  std::vector<uint32_t> few_;  // ascending
  base::Bitmap bits_;          // empty: few_ is used
  uint32_t size_ = 0;
};

}  // namespace berth::cache
