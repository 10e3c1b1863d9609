// Ends exchanges whose time is up, or all of them: what waits for an exchange waits with its token. One per extender,
// whose exchanges all have the same patience, so that they run out in the order in which they began.
// Thread: any; one thread of its own. Ownership: outlives its Exchanges.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <list>
#include <mutex>
#include <stop_token>
#include <thread>

namespace berth::extender {

class Deadlines {
 public:
  enum class End : uint8_t { kNone, kExpired, kClosed };

  class Exchange {
   public:
    // The time begins to run.
    explicit Exchange(Deadlines& owner);
    ~Exchange();
    Exchange(const Exchange&) = delete;

    std::stop_token token() const { return stop_.get_token(); }
    // Why it was ended; set before the token says so.
    End end() const { return end_.load(std::memory_order_acquire); }

   private:
    friend class Deadlines;
    void EndAs(End end);

    Deadlines& owner_;
    std::stop_source stop_;
    std::atomic<End> end_{End::kNone};
    std::chrono::steady_clock::time_point until_;
    std::list<Exchange*>::iterator place_;  // guarded by owner_.mutex_; meaningless once ended
  };

  // patience > 0.
  explicit Deadlines(std::chrono::nanoseconds patience);
  ~Deadlines();
  Deadlines(const Deadlines&) = delete;

  // Ends all that are under way, and all that begin later.
  void Close();

 private:
  void Watch(const std::stop_token& quit);

  const std::chrono::nanoseconds patience_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable_any changed_;
  std::list<Exchange*> open_;  // in the order of their ends
  bool idle_ = false;          // the watcher waits until an exchange has made this false
  bool closed_ = false;
  std::jthread watcher_;
};

}  // namespace berth::extender
