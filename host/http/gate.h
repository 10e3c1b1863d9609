// Lets calls into somebody else's functions through until it is closed, and knows when the last one has come back: what
// outlives its owner on the pool's threads asks here before it calls back. Thread: any.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace berth::http {

class Gate {
 public:
  // Held while inside. false: the gate was closed.
  class Pass {
   public:
    explicit Pass(Gate& gate) : gate_(gate), inside_(gate.Enter()) {}
    ~Pass() {
      if (inside_) gate_.Leave();
    }
    Pass(const Pass&) = delete;
    explicit operator bool() const { return inside_; }

   private:
    Gate& gate_;
    bool inside_;
  };

  // Lets nobody in any more and waits for those inside; not to be called from inside.
  void Close() {
    std::unique_lock lock(mutex_);
    closed_ = true;
    empty_.wait(lock, [this] { return inside_ == 0; });
  }

 private:
  bool Enter() {
    std::lock_guard lock(mutex_);
    if (!closed_) ++inside_;
    return !closed_;
  }
  void Leave() {
    std::lock_guard lock(mutex_);
    if (--inside_ == 0) empty_.notify_all();
  }

  std::mutex mutex_;  // guards what follows
  std::condition_variable empty_;
  size_t inside_ = 0;
  bool closed_ = false;
};

}  // namespace berth::http
