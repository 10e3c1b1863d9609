// A queue of messages to the scheduling thread from all other threads. Messages keep the order of each writer. Threads:
// Push from any thread; Drain and Wait from the reader only.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/thread_annotations.h"

namespace berth::base {

template <class Message>
class Inbox {
 public:
  void Push(Message message) {
    {
      MutexLock lock(mutex_);
      messages_.push_back(std::move(message));
    }
    arrived_.notify_one();
  }

  // Moves all messages to out, which is cleared first. The swap lets both sides reuse memory.
  void Drain(std::vector<Message>& out) {
    out.clear();
    MutexLock lock(mutex_);
    out.swap(messages_);
  }

  size_t size() const {
    MutexLock lock(mutex_);
    return messages_.size();
  }

  // Blocks until a message arrives, Wake is called, or the time has passed.
  void WaitFor(int64_t ns) {
    MutexLock lock(mutex_);
    arrived_.wait_for(lock, std::chrono::nanoseconds(ns),
                      [this]() REQUIRES(mutex_) { return !messages_.empty() || woken_; });
    woken_ = false;
  }
  void Wake() {
    {
      MutexLock lock(mutex_);
      woken_ = true;
    }
    arrived_.notify_one();
  }

 private:
  mutable Mutex mutex_;
  Condition arrived_;
  std::vector<Message> messages_ GUARDED_BY(mutex_);
  bool woken_ GUARDED_BY(mutex_) = false;
};

}  // namespace berth::base
