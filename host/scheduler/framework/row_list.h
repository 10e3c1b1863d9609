// The rows of a bitmap as a list, which is made again only if the set is another one than the last time.
// Thread: like a std::vector.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/bitmap.h"

namespace berth::framework {

class RowList {
 public:
  // Ascending; valid until the next call.
  const std::vector<uint32_t>& Of(const base::Bitmap& set) {
    if (set_.size() == set.size() && std::equal(set_.words(), set_.words() + set_.n_words(), set.words())) return rows_;
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
