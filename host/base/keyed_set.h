// Values in a hash table by a text that each value contains itself, such as pods by their UID: no copy of the key. A
// value may be replaced by another one with an equal key, such as a newer version of a pod. A value costs its own size
// and 8 bytes for each slot of the table. Removed values are destroyed, and their memory is used again, but returned
// only with the set. Ownership: owns the values, whose addresses are stable. Thread: one.
//
//   struct ByUid {
//     static std::string_view Key(const Record& record) { return record.pod->uid(); }
//   };
//   KeyedSet<Record, ByUid> records;
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "base/seeded_hash.h"
#include "base/stable_pool.h"

namespace berth::base {

template <class Value, class KeyOf>
class KeyedSet {
 public:
  KeyedSet() = default;
  KeyedSet(const KeyedSet&) = delete;

  // Null: there is none.
  Value* Find(std::string_view key) const {
    if (size() == 0) return nullptr;
    const uint32_t hash = SeededHash(key);
    for (size_t at = HomeOf(hash); slots_[at].value != kNone; at = Next(at)) {
      if (slots_[at].hash != hash) continue;
      Value& value = values_.At(slots_[at].value);
      if (KeyOf::Key(value) == key) return &value;
    }
    return nullptr;
  }

  // The set must not contain the key.
  Value& Insert(Value value) {
    if ((size() + 1) * 5 > slots_.size() * 4) Grow();
    const uint32_t hash = SeededHash(KeyOf::Key(value));
    const uint32_t at = values_.Add(std::move(value));
    Put({hash, at});
    return values_.At(at);
  }

  // value: as Find or Insert returned it.
  void Erase(Value& value) {
    size_t at = HomeOf(SeededHash(KeyOf::Key(value)));
    while (&values_.At(slots_[at].value) != &value) at = Next(at);
    values_.Remove(slots_[at].value);
    CloseGap(at);
  }

  size_t size() const { return values_.size(); }

  // fn(Value&), which may erase that value. The order depends only on earlier calls of Insert and Erase.
  template <class Fn>
  void ForEach(Fn&& fn) const {
    values_.ForEach(fn);
  }

 private:
  static constexpr uint32_t kNone = ~uint32_t{0};
  struct Slot {
    uint32_t hash = 0;
    uint32_t value = kNone;  // of values_
  };

  size_t mask() const { return slots_.size() - 1; }
  size_t HomeOf(uint32_t hash) const { return hash & mask(); }
  size_t Next(size_t at) const { return (at + 1) & mask(); }

  void Put(Slot slot) {
    size_t at = HomeOf(slot.hash);
    while (slots_[at].value != kNone) at = Next(at);
    slots_[at] = slot;
  }

  void Grow() {
    std::vector<Slot> old(slots_.empty() ? 64 : slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.value != kNone) Put(slot);
    }
  }

  // Empties the slot. A search from the home of a later value must not meet an empty slot before the value.
  void CloseGap(size_t gap) {
    for (size_t at = Next(gap); slots_[at].value != kNone; at = Next(at)) {
      const size_t from_home = (at - HomeOf(slots_[at].hash)) & mask(), from_gap = (at - gap) & mask();
      if (from_home < from_gap) continue;
      slots_[gap] = slots_[at];
      gap = at;
    }
    slots_[gap] = {};
  }

  std::vector<Slot> slots_;  // size is a power of two, at most 4/5 are used
  StablePool<Value> values_;
};

}  // namespace berth::base
