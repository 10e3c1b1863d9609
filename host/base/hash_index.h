// Numbers by the hash of a key that lies elsewhere: an open-addressing table of 8 bytes for each slot. The hash must be
// seeded (seeded_hash.h) if others choose the keys. Thread: one at a time.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace berth::base {

class HashIndex {
 public:
  static constexpr uint32_t kNone = ~uint32_t{0};

  // The first number with this hash for which equal(number) is true; kNone: there is none.
  template <class Equal>
  uint32_t Find(uint32_t hash, Equal&& equal) const {
    const size_t at = SlotOf(hash, equal);
    return at == kNoSlot ? kNone : slots_[at].number;
  }

  // number: not kNone. The index does not compare keys.
  void Insert(uint32_t hash, uint32_t number) {
    assert(number != kNone);
    if ((size_ + 1) * 5 > slots_.size() * 4) Grow();
    Put({hash, number});
    ++size_;
  }

  // As Find, and removes the number.
  template <class Equal>
  uint32_t Take(uint32_t hash, Equal&& equal) {
    const size_t at = SlotOf(hash, equal);
    if (at == kNoSlot) return kNone;
    const uint32_t number = slots_[at].number;
    CloseGap(at);
    --size_;
    return number;
  }

  size_t size() const { return size_; }

 private:
  static constexpr size_t kNoSlot = ~size_t{0};
  struct Slot {
    uint32_t hash = 0;
    uint32_t number = kNone;
  };

  size_t mask() const { return slots_.size() - 1; }
  size_t HomeOf(uint32_t hash) const { return hash & mask(); }
  size_t Next(size_t at) const { return (at + 1) & mask(); }

  template <class Equal>
  size_t SlotOf(uint32_t hash, Equal&& equal) const {
    if (size_ == 0) return kNoSlot;
    for (size_t at = HomeOf(hash); slots_[at].number != kNone; at = Next(at)) {
      if (slots_[at].hash == hash && equal(slots_[at].number)) return at;
    }
    return kNoSlot;
  }

  void Put(Slot slot) {
    size_t at = HomeOf(slot.hash);
    while (slots_[at].number != kNone) at = Next(at);
    slots_[at] = slot;
  }

  void Grow() {
    std::vector<Slot> old(slots_.empty() ? 64 : slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.number != kNone) Put(slot);
    }
  }

  // Empties the slot. A search from the home of a later number must not meet an empty slot before that number.
  void CloseGap(size_t gap) {
    for (size_t at = Next(gap); slots_[at].number != kNone; at = Next(at)) {
      const size_t from_home = (at - HomeOf(slots_[at].hash)) & mask(), from_gap = (at - gap) & mask();
      if (from_home < from_gap) continue;
      slots_[gap] = slots_[at];
      gap = at;
    }
    slots_[gap] = {};
  }

  std::vector<Slot> slots_;  // size is a power of two, at most 4/5 are used
  size_t size_ = 0;
};

}  // namespace berth::base
