// Limits how many callers are inside and how many wait to enter. Thread: one at a time.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <utility>

namespace berth::http {

class Turnstile {
 public:
  Turnstile(size_t inside, size_t waiting) : room_(inside), most_waiting_(waiting) {}

  // Calls enter at once, or when another caller has left. false: too many wait, and enter is dropped.
  bool Enter(std::function<void()> enter) {
    if (room_ > 0) {
      --room_;
      enter();
      return true;
    }
    if (waiting_.size() >= most_waiting_) return false;
    waiting_.push_back(std::move(enter));
    return true;
  }
  void Leave() {
    if (waiting_.empty()) {
      ++room_;
      return;
    }
    const std::function<void()> enter = std::move(waiting_.front());
    waiting_.pop_front();
    enter();
  }
  void DropWaiting() { waiting_.clear(); }

 private:
  size_t room_;
  const size_t most_waiting_;
  std::deque<std::function<void()>> waiting_;
};

}  // namespace berth::http
