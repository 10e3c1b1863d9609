// Allows callbacks until it is closed, and knows when the last one has returned: objects that outlive their owner on
// the threads of the transport enter the gate before they call back. Thread: any.
#pragma once

#include <cstddef>

#include "base/thread_annotations.h"

namespace berth::http {

class Gate {
 public:
  // Held during a callback. false: the gate was closed.
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

  // Rejects later passes and waits for the current ones; do not call it from inside.
  void Close() {
    base::MutexLock lock(mutex_);
    closed_ = true;
    empty_.wait(lock, [this]() REQUIRES(mutex_) { return inside_ == 0; });
  }

 private:
  bool Enter() {
    base::MutexLock lock(mutex_);
    if (!closed_) ++inside_;
    return !closed_;
  }
  void Leave() {
    base::MutexLock lock(mutex_);
    if (--inside_ == 0) empty_.notify_all();
  }

  base::Mutex mutex_;
  base::Condition empty_;
  size_t inside_ GUARDED_BY(mutex_) = 0;
  bool closed_ GUARDED_BY(mutex_) = false;
};

}  // namespace berth::http
