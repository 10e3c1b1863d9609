// Values in a hash table by a key that each value contains itself, such as pods by their UID: no copy of the key. A
// value may be replaced by another one with an equal key, such as a newer version of a pod. A value costs its own size
// and 8 bytes for each slot of the table. Removed values are destroyed, and their memory is used again, but returned
// only with the set. Ownership: owns the values, whose addresses are stable. Thread: one at a time.
//
//   struct ByUid {
//     static std::string_view Key(const Record& record) { return record.pod->uid(); }
//   };
//   KeyedSet<Record, ByUid> records;
//
// A key is a text, or a type with operator== and a member Hash, which returns a seeded hash.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "base/hash_index.h"
#include "base/seeded_hash.h"
#include "base/stable_pool.h"

namespace berth::base {

template <class Value, class KeyOf>
class KeyedSet {
 public:
  using Key = decltype(KeyOf::Key(std::declval<const Value&>()));

  KeyedSet() = default;
  KeyedSet(const KeyedSet&) = delete;

  // Null: there is none.
  Value* Find(const Key& key) const {
    const uint32_t at = index_.Find(Hash(key), [&](uint32_t i) { return KeyOf::Key(values_.At(i)) == key; });
    return at == HashIndex::kNone ? nullptr : &values_.At(at);
  }

  // The set must not contain the key.
  Value& Insert(Value value) {
    const uint32_t hash = Hash(KeyOf::Key(value));
    const uint32_t at = values_.Add(std::move(value));
    index_.Insert(hash, at);
    return values_.At(at);
  }

  // value: as Find or Insert returned it.
  void Erase(Value& value) {
    const uint32_t hash = Hash(KeyOf::Key(value));
    const uint32_t at = index_.Take(hash, [&](uint32_t i) { return &values_.At(i) == &value; });
    assert(at != HashIndex::kNone && "not in the set, or its key has changed");
    values_.Remove(at);
  }

  size_t size() const { return values_.size(); }

  // fn(Value&), which may erase that value. The order depends only on earlier calls of Insert and Erase.
  template <class Fn>
  void ForEach(Fn&& fn) const {
    values_.ForEach(fn);
  }

 private:
  static uint32_t Hash(std::string_view key) { return SeededHash(key); }
  template <class K>
  requires requires(const K& key) { key.Hash(); }
  static uint32_t Hash(const K& key) { return key.Hash(); }

  HashIndex index_;  // of values_
  StablePool<Value> values_;
};

}  // namespace berth::base
