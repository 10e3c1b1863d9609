// Values with small numbers and stable addresses, without bookkeeping of the allocator for each. The memory of removed
// values is used again, the last one first, and returned only with the pool. Ownership: owns the values. Thread: one at
// a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/bitmap.h"

namespace berth::base {

template <class Value>
class StablePool {
 public:
  StablePool() = default;
  StablePool(const StablePool&) = delete;
  ~StablePool() {
    ForEach([](Value& value) { std::destroy_at(&value); });
  }

  uint32_t Add(Value value) {
    if (free_ == kNone) Grow();
    const uint32_t number = free_;
    Cell& cell = CellOf(number);
    free_ = cell.next_free;
    std::construct_at(&cell.value, std::move(value));
    used_.Set(number);
    ++size_;
    return number;
  }

  void Remove(uint32_t number) {
    Cell& cell = CellOf(number);
    std::destroy_at(&cell.value);
    used_.Clear(number);
    cell.next_free = std::exchange(free_, number);
    --size_;
  }

  Value& At(uint32_t number) const { return CellOf(number).value; }
  size_t size() const { return size_; }

  // fn(Value&) by number; fn may remove that value.
  template <class Fn>
  void ForEach(Fn&& fn) const {
    for (size_t number = 0; number < used_.size(); ++number) {
      if (used_.Test(number)) fn(At(static_cast<uint32_t>(number)));
    }
  }

 private:
  static constexpr uint32_t kNone = ~uint32_t{0};
  static constexpr uint32_t kChunkBits = 8, kChunk = 1u << kChunkBits;
  union Cell {
    Cell() : next_free(kNone) {}
    ~Cell() {}
    Value value;
    uint32_t next_free;
  };

  Cell& CellOf(uint32_t number) const { return chunks_[number >> kChunkBits][number & (kChunk - 1)]; }

  void Grow() {
    const uint32_t first = static_cast<uint32_t>(chunks_.size()) << kChunkBits;
    chunks_.push_back(std::make_unique<Cell[]>(kChunk));
    used_.Resize(first + kChunk);
    for (uint32_t i = 0; i < kChunk; ++i) CellOf(first + i).next_free = i + 1 < kChunk ? first + i + 1 : kNone;
    free_ = first;
  }

  std::vector<std::unique_ptr<Cell[]>> chunks_;
  Bitmap used_;
  uint32_t free_ = kNone;  // linked by next_free
  size_t size_ = 0;
};

}  // namespace berth::base
