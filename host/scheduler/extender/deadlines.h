// Ends the HTTP exchanges of one extender at their deadlines, or all of them at Close: a request waits with the stop
// token of its Exchange. All exchanges have the same timeout, so they expire in the order in which they began. Thread:
// any; the object has one thread. Ownership: outlives its Exchanges.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <list>
#include <stop_token>
#include <thread>

#include "base/thread_annotations.h"

namespace berth::extender {

class Deadlines {
 public:
  enum class End : uint8_t { kNone, kExpired, kClosed };

  class Exchange {
   public:
    // Starts the timeout.
    explicit Exchange(Deadlines& owner);
    ~Exchange();
    Exchange(const Exchange&) = delete;

    std::stop_token token() const { return stop_.get_token(); }
    // Why the exchange was ended; set before stop is requested.
    End end() const { return end_.load(std::memory_order_acquire); }

   private:
    friend class Deadlines;
    void EndAs(End end);

    Deadlines& owner_;
    std::stop_source stop_;
    std::atomic<End> end_{End::kNone};
    std::chrono::steady_clock::time_point until_;                     // set before the exchange is in owner_.open_
    std::list<Exchange*>::iterator place_ GUARDED_BY(owner_.mutex_);  // invalid after the end
  };

  // timeout > 0.
  explicit Deadlines(std::chrono::nanoseconds timeout);
  ~Deadlines();
  Deadlines(const Deadlines&) = delete;

  // Ends open exchanges and those that begin later.
  void Close();

 private:
  void Watch(const std::stop_token& quit);

  const std::chrono::nanoseconds timeout_;
  base::Mutex mutex_;
  std::condition_variable_any changed_;
  std::list<Exchange*> open_ GUARDED_BY(mutex_);  // in the order of their deadlines
  bool idle_ GUARDED_BY(mutex_) = false;          // the watcher waits until an exchange sets this to false
  bool closed_ GUARDED_BY(mutex_) = false;
  std::jthread watcher_;
};

}  // namespace berth::extender
