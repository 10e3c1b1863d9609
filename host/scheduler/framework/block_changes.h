// Which blocks of 64 rows have changed since a reader looked. Any number of readers, each with its own position.
// Thread: the scheduling thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace berth::framework {

inline constexpr uint32_t kBlockRows = 64;  // as many as a word of a base::Bitmap has bits

class BlockChanges {
 public:
  using Position = uint64_t;

  void Note(uint32_t row) {
    const size_t block = row / kBlockRows;
    if (block >= changed_.size()) changed_.resize(block + 1, 0);
    changed_[block] = clock_;
  }
  void NoteAll() { all_changed_ = clock_; }
  // Later changes are after this position, and earlier ones are not.
  Position Now() { return clock_++; }

  bool AllSince(Position position) const { return all_changed_ > position; }
  // fn(block) for each block that changed after the position, ascending; says nothing about NoteAll.
  template <class Fn>
  void ForEachSince(Position position, Fn&& fn) const {
    for (size_t block = 0; block < changed_.size(); ++block) {
      if (changed_[block] > position) fn(block);
    }
  }

 private:
  Position clock_ = 1, all_changed_ = 0;
  std::vector<Position> changed_;  // by block
};

}  // namespace berth::framework
