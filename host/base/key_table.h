// A hash table whose nodes are the stored objects. Adding and removing allocate no memory. The object that holds the
// key may be replaced by another one with an equal key, such as a newer version of a pod. Not owning. Thread: one.
//
// Traits: static std::string_view Key(const Node&); static Node*& Next(Node&); static uint32_t& Hash(Node&).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/seeded_hash.h"

namespace berth::base {

template <class Node, class Traits>
class KeyTable {
 public:
  Node* Find(std::string_view key) const {
    if (size_ == 0) return nullptr;
    const uint32_t hash = SeededHash(key);
    for (Node* node = buckets_[hash & mask()]; node != nullptr; node = Traits::Next(*node)) {
      if (Traits::Hash(*node) == hash && Traits::Key(*node) == key) return node;
    }
    return nullptr;
  }

  // The table must not contain the key.
  void Insert(Node& node) {
    if (size_ == buckets_.size()) Grow();
    Traits::Hash(node) = SeededHash(Traits::Key(node));
    Link(node);
    ++size_;
  }

  // Returns false if the node is not in the table.
  bool Remove(Node& node) {
    if (size_ == 0) return false;
    for (Node** at = &buckets_[Traits::Hash(node) & mask()]; *at != nullptr; at = &Traits::Next(**at)) {
      if (*at != &node) continue;
      *at = Traits::Next(node);
      --size_;
      return true;
    }
    return false;
  }

  size_t size() const { return size_; }

  template <class Fn>
  void ForEach(Fn&& fn) const {
    for (Node* head : buckets_) {
      for (Node* node = head; node != nullptr; node = Traits::Next(*node)) fn(*node);
    }
  }

  // Calls fn(Node&) for each node, which the table does not contain any more and which fn may delete.
  template <class Fn>
  void Drain(Fn&& fn) {
    for (Node*& head : buckets_) {
      while (head != nullptr) {
        Node& node = *head;
        head = Traits::Next(node);
        fn(node);
      }
    }
    size_ = 0;
  }

 private:
  size_t mask() const { return buckets_.size() - 1; }
  void Link(Node& node) {
    Node*& head = buckets_[Traits::Hash(node) & mask()];
    Traits::Next(node) = head;
    head = &node;
  }
  void Grow() {
    std::vector<Node*> old(buckets_.empty() ? 64 : buckets_.size() * 2);
    old.swap(buckets_);
    for (Node* head : old) {
      for (Node* node = head; node != nullptr;) {
        Node* next = Traits::Next(*node);
        Link(*node);
        node = next;
      }
    }
  }

  std::vector<Node*> buckets_;  // size is a power of two
  size_t size_ = 0;
};

}  // namespace berth::base
