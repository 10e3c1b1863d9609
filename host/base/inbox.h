// Many writers, one reader: how every other thread talks to the scheduling thread. Messages keep each writer's order.
// Threads: Push from any thread; Drain and Wait from the reader only.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

namespace berth::base {

template <class Message>
class Inbox {
 public:
  void Push(Message message) {
    {
      std::lock_guard lock(mutex_);
      messages_.push_back(std::move(message));
    }
    arrived_.notify_one();
  }

  // Swaps everything that arrived into out (cleared first), so that memory is reused by both sides.
  void Drain(std::vector<Message>& out) {
    out.clear();
    std::lock_guard lock(mutex_);
    out.swap(messages_);
  }

  // Blocks until a message is there, Wake was called, or the time is over.
  void WaitFor(int64_t ns) {
    std::unique_lock lock(mutex_);
    arrived_.wait_for(lock, std::chrono::nanoseconds(ns), [this] { return !messages_.empty() || woken_; });
    woken_ = false;
  }
  void Wake() {
    {
      std::lock_guard lock(mutex_);
      woken_ = true;
    }
    arrived_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<Message> messages_;
  bool woken_ = false;
};

}  // namespace berth::base
