// The rows of a bitmap as a list, which is made again only if the set is another one than the last time.
// Thread: like a std::vector.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "base/bitmap.h"

namespace berth::framework {

class RowList {
 public:
  // Ascending; valid until the next call.
  const std::vector<uint32_t>& Of(const base::Bitmap& set) {
    const size_t bytes = set.n_words() * sizeof(uint64_t);
    if (set_.size() == set.size() && std::memcmp(set_.words(), set.words(), bytes) == 0) return rows_;
    set_ = set;
    rows_.clear();
    set.ForEach([&](uint32_t row) { rows_.push_back(row); });
    return rows_;
  }
  // The answer of the last call.
  const std::vector<uint32_t>& rows() const { return rows_; }

 private:
  base::Bitmap set_;
  std::vector<uint32_t> rows_;
};

}  // namespace berth::framework
