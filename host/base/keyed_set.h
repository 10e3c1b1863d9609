// Values in a hash table by a text that each value contains itself, such as pods by their UID: no copy of the key. A
// value may be replaced by another one with an equal key, such as a newer version of a pod. The memory of some removed
// values is used again. Ownership: owns the values, whose addresses are stable. Thread: one.
//
//   struct ByUid {
//     static std::string_view Key(const Record& record) { return record.pod->uid; }
//   };
//   KeyedSet<Record, ByUid> records;
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "base/key_table.h"

namespace berth::base {

template <class Value, class KeyOf>
class KeyedSet {
 public:
  static constexpr size_t kMostSpare = 1024;

  KeyedSet() = default;
  KeyedSet(const KeyedSet&) = delete;
  ~KeyedSet() {
    table_.Drain([](Node& node) { delete &node; });
    while (spare_ != nullptr) delete std::exchange(spare_, spare_->next);
  }

  // Null: there is none.
  Value* Find(std::string_view key) const { return table_.Find(key); }

  // The set must not contain the key.
  Value& Insert(Value value) {
    Node* node = spare_;
    if (node == nullptr) {
      node = new Node;
    } else {
      spare_ = node->next;
      --n_spare_;
    }
    static_cast<Value&>(*node) = std::move(value);
    table_.Insert(*node);
    return *node;
  }

  // value: as Find or Insert returned it.
  void Erase(Value& value) {
    Node& node = static_cast<Node&>(value);
    table_.Remove(node);
    if (n_spare_ == kMostSpare) {
      delete &node;
      return;
    }
    value = Value{};
    node.next = std::exchange(spare_, &node);
    ++n_spare_;
  }

  size_t size() const { return table_.size(); }

  template <class Fn>
  void ForEach(Fn&& fn) const {  // fn(Value&)
    table_.ForEach(fn);
  }

 private:
  struct Node : Value {  // a base, so that the hash may be in its padding
    uint32_t hash = 0;
    Node* next = nullptr;
  };
  struct Traits {
    static std::string_view Key(const Node& node) { return KeyOf::Key(node); }
    static Node*& Next(Node& node) { return node.next; }
    static uint32_t& Hash(Node& node) { return node.hash; }
  };

  KeyTable<Node, Traits> table_;
  Node* spare_ = nullptr;
  size_t n_spare_ = 0;
};

}  // namespace berth::base
