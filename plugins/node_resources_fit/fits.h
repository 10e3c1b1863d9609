// Finds the rows without enough resources for a request. Source: fitsRequest of
// pkg/scheduler/framework/plugins/noderesources/fit.go. Pure logic over columns; thread: any.
#pragma once

#include <berth/hot.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../common/go_math.h"

namespace plugins::fit {

// One resource that the pod requests. Null columns are 0 for every row.
struct Need {
  int64_t want = 0;
  const int64_t* allocatable = nullptr;
  const int64_t* requested = nullptr;
  uint32_t name = 0;

  int64_t Allocatable(uint32_t row) const { return allocatable == nullptr ? 0 : allocatable[row]; }
  int64_t Requested(uint32_t row) const { return requested == nullptr ? 0 : requested[row]; }
  bool Short(uint32_t row) const { return want > WrapSub(Allocatable(row), Requested(row)); }
  bool NeverFits(uint32_t row) const { return want > Allocatable(row); }
};

// What one pod needs. Allocates only for more than 8 resources.
class Needs {
 public:
  void clear() {
    size_ = 0;
    more_.clear();
  }
  void push_back(const Need& need) {
    if (size_ == own_.size()) more_.assign(own_.begin(), own_.end());
    if (size_ < own_.size()) {
      own_[size_] = need;
    } else {
      more_.push_back(need);
    }
    ++size_;
  }
  size_t size() const { return size_; }
  const Need* data() const { return more_.empty() ? own_.data() : more_.data(); }
  const Need* begin() const { return data(); }
  const Need* end() const { return data() + size_; }
  const Need& operator[](size_t i) const { return data()[i]; }

 private:
  std::array<Need, 8> own_;
  std::vector<Need> more_;  // all of them, if there are too many for own_
  size_t size_ = 0;
};

// The resources that one row lacks: bit i is for the i-th need. The highest bit is set if the request of any need
// except the first, the number of pods, exceeds the node's allocatable amount.
inline constexpr uint64_t kUnresolvable = uint64_t{1} << 63;
inline constexpr size_t kMaxNeeds = 62;  // of a mask

inline uint64_t ShortOn(uint32_t row, const Need* needs, size_t n) {
  uint64_t mask = 0;
  for (size_t i = 0; i < n; ++i) {
    if (!needs[i].Short(row)) continue;
    mask |= uint64_t{1} << i;
    if (i > 0 && needs[i].NeverFits(row)) mask |= kUnresolvable;
  }
  return mask;
}

// The same for any number of needs: which of them one row lacks, and whether it can never have one of them.
struct Lack {
  std::vector<size_t> needs;
  bool unresolvable = false;
  bool operator==(const Lack&) const = default;
};

inline void FindLack(uint32_t row, const Needs& needs, Lack& lack) {
  lack.needs.clear();
  lack.unresolvable = false;
  for (size_t i = 0; i < needs.size(); ++i) {
    if (!needs[i].Short(row)) continue;
    lack.needs.push_back(i);
    lack.unresolvable = lack.unresolvable || (i > 0 && needs[i].NeverFits(row));
  }
}

// Whether any row of a range lacks this need. Both columns start at the range.
BERTH_HOT inline bool AnyShort(const int64_t* allocatable, const int64_t* requested, int64_t want, size_t n) {
  int64_t any = 0;
  for (size_t i = 0; i < n; ++i) {
    const auto free = static_cast<int64_t>(static_cast<uint64_t>(allocatable[i]) - static_cast<uint64_t>(requested[i]));
    any |= static_cast<int64_t>(want > free);
  }
  return any != 0;
}

// Sets the bit in bad[i] if the i-th row of a range lacks this need. Both columns start at the range.
BERTH_HOT inline void MarkShort(const int64_t* allocatable, const int64_t* requested, int64_t want, size_t n,
                                uint8_t* bad) {
  for (size_t i = 0; i < n; ++i) {
    const auto free = static_cast<int64_t>(static_cast<uint64_t>(allocatable[i]) - static_cast<uint64_t>(requested[i]));
    bad[i] = static_cast<uint8_t>(bad[i] | static_cast<uint8_t>(want > free));
  }
}

}  // namespace plugins::fit
