// Values that are made when a plugin first asks for them in a cycle, and are good until the cycle ends: what would take
// too much memory if it were kept for every name that tenants choose.
//
// Thread: Find and FindOrMake any; Clear the scheduling thread, between cycles.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/intern.h"

namespace berth::cache {

template <class Value>
class ShownInCycle {
 public:
  Value* Find(base::Id name) const {  // nullptr: was not made
    for (Entry* e = newest_.load(std::memory_order_acquire); e != nullptr; e = e->next) {
      if (e->name == name) return &e->value;
    }
    return nullptr;
  }

  // fill(value) gets a value that may have been another name's in another cycle.
  template <class Fill>
  const Value& FindOrMake(base::Id name, Fill&& fill) {
    if (const Value* value = Find(name)) return *value;
    std::lock_guard lock(mutex_);
    if (const Value* value = Find(name)) return *value;  // another thread was faster
    if (spare_.empty()) spare_.push_back(std::make_unique<Entry>());
    std::unique_ptr<Entry> entry = std::move(spare_.back());
    spare_.pop_back();
    entry->name = name;
    fill(entry->value);
    entry->next = newest_.load(std::memory_order_relaxed);
    newest_.store(entry.get(), std::memory_order_release);
    shown_.push_back(std::move(entry));
    return shown_.back()->value;
  }

  void Clear() {
    if (shown_.empty()) return;
    newest_.store(nullptr, std::memory_order_relaxed);
    for (std::unique_ptr<Entry>& entry : shown_) {
      if (spare_.size() < kSpare) spare_.push_back(std::move(entry));
    }
    shown_.clear();
  }

 private:
  static constexpr size_t kSpare = 4;  // so that cycles which ask for a few need no memory
  struct Entry {
    base::Id name = base::kNoId;
    Entry* next = nullptr;
    Value value;
  };
  std::atomic<Entry*> newest_{nullptr};  // readers walk the list without the lock
  std::mutex mutex_;                     // guards what follows
  std::vector<std::unique_ptr<Entry>> shown_, spare_;
};

}  // namespace berth::cache
