// Values that are created when a plugin first asks for them in a cycle, and that are valid until the cycle ends. Used
// for names that tenants choose: keeping a value for each of them would take too much memory. Thread: any for Find and
// FindOrMake; the scheduling thread, between cycles, for Clear.
#pragma once

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "base/intern.h"
#include "base/thread_annotations.h"

namespace berth::cache {

template <class Value>
class ShownInCycle {
 public:
  Value* Find(base::Id name) const {  // nullptr: not created in this cycle
    for (Entry* e = newest_.load(std::memory_order_acquire); e != nullptr; e = e->next) {
      if (e->name == name) return &e->value;
    }
    return nullptr;
  }

  // fill(value) receives a value that may hold data of another name from an earlier cycle.
  template <class Fill>
  const Value& FindOrMake(base::Id name, Fill&& fill) {
    if (const Value* value = Find(name)) return *value;
    base::MutexLock lock(mutex_);
    if (const Value* value = Find(name)) return *value;  // another thread created it first
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

  // NO_THREAD_SAFETY_ANALYSIS: between cycles no other thread uses the values, and each cycle calls this.
  void Clear() NO_THREAD_SAFETY_ANALYSIS {
    if (shown_.empty()) return;
    newest_.store(nullptr, std::memory_order_relaxed);
    for (std::unique_ptr<Entry>& entry : shown_) {
      if (spare_.size() < kSpare) spare_.push_back(std::move(entry));
    }
    shown_.clear();
  }

 private:
  static constexpr size_t kSpare = 4;  // values kept for reuse by later cycles
  struct Entry {
    base::Id name = base::kNoId;
    Entry* next = nullptr;
    Value value;
  };
  std::atomic<Entry*> newest_{nullptr};  // readers traverse the list without the lock
  base::Mutex mutex_;
  std::vector<std::unique_ptr<Entry>> shown_ GUARDED_BY(mutex_), spare_ GUARDED_BY(mutex_);
};

}  // namespace berth::cache
