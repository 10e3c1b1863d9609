#include "scheduler/extender/deadlines.h"

#include "base/thread_name.h"

namespace berth::extender {

Deadlines::Exchange::Exchange(Deadlines& owner) : owner_(owner) {
  bool wake = false;
  {
    base::MutexLock lock(owner_.mutex_);
    if (owner_.closed_) {
      EndAs(End::kClosed);
      return;
    }
    until_ = std::chrono::steady_clock::now() + owner_.timeout_;
    place_ = owner_.open_.insert(owner_.open_.end(), this);
    // A watcher that waits for an earlier deadline wakes before this one, even if that exchange has ended.
    wake = owner_.idle_;
    owner_.idle_ = false;
  }
  if (wake) owner_.changed_.notify_one();
}

Deadlines::Exchange::~Exchange() {
  base::MutexLock lock(owner_.mutex_);
  if (end() == End::kNone) owner_.open_.erase(place_);
}

void Deadlines::Exchange::EndAs(End end) {
  end_.store(end, std::memory_order_release);
  stop_.request_stop();
}

Deadlines::Deadlines(std::chrono::nanoseconds timeout)
    : timeout_(timeout), watcher_([this](const std::stop_token& quit) {
        base::NameThread("extender-limits");
        Watch(quit);
      }) {}

Deadlines::~Deadlines() {
  watcher_.request_stop();
  watcher_.join();
}

void Deadlines::Close() {
  base::MutexLock lock(mutex_);
  closed_ = true;
  for (Exchange* exchange : open_) exchange->EndAs(End::kClosed);
  open_.clear();
}

void Deadlines::Watch(const std::stop_token& quit) {
  base::MutexLock lock(mutex_);
  while (!quit.stop_requested()) {
    if (open_.empty()) {
      idle_ = true;
      changed_.wait(lock, quit, [this]() REQUIRES(mutex_) { return !idle_; });
      continue;
    }
    const auto until = open_.front()->until_;
    if (std::chrono::steady_clock::now() < until) {
      changed_.wait_until(lock, quit, until, [] { return false; });
      continue;
    }
    Exchange* expired = open_.front();
    open_.pop_front();
    expired->EndAs(End::kExpired);
  }
}

}  // namespace berth::extender
