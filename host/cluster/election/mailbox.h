// Brings replies and wake-ups to the thread of an elector. Thread: Expect and Wait the elector's, Deliver and Wake any.
// Ownership: shared with the requests in flight, whose replies may come after the elector's end.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <utility>

#include "base/clock.h"
#include "base/thread_annotations.h"
#include "client/http/transport.h"

namespace berth::election {

class Mailbox {
 public:
  enum class Event : uint8_t { kReply, kTime, kWake, kStop };

  // The number of the next request; replies to earlier ones are dropped from now on.
  uint64_t Expect() {
    base::MutexLock lock(mutex_);
    reply_.reset();
    return ++expected_;
  }

  void Deliver(uint64_t number, http::Reply reply) {
    base::MutexLock lock(mutex_);
    if (number != expected_) return;
    reply_ = std::move(reply);
    changed_.notify_all();
  }

  void Wake() {
    base::MutexLock lock(mutex_);
    woken_ = true;
    changed_.notify_all();
  }

  // Waits for the first of: a stop, the reply, a wake-up (only where wakeable; an earlier one counts), the time.
  Event Wait(const base::Clock& clock, int64_t until_ns, bool wakeable, const std::stop_token& stop) {
    base::MutexLock lock(mutex_);
    while (!stop.stop_requested()) {
      if (reply_) return Event::kReply;
      if (wakeable && std::exchange(woken_, false)) return Event::kWake;
      const int64_t left = until_ns - clock.MonoNs();
      if (left <= 0) return Event::kTime;
      changed_.wait_for(lock, stop, std::chrono::nanoseconds(left),
                        [&]() REQUIRES(mutex_) { return reply_.has_value() || (wakeable && woken_); });
    }
    return Event::kStop;
  }

  http::Reply Take() {
    base::MutexLock lock(mutex_);
    http::Reply reply = std::move(*reply_);
    reply_.reset();
    return reply;
  }

 private:
  base::Mutex mutex_;
  std::condition_variable_any changed_;
  uint64_t expected_ GUARDED_BY(mutex_) = 0;
  std::optional<http::Reply> reply_ GUARDED_BY(mutex_);
  bool woken_ GUARDED_BY(mutex_) = false;
};

}  // namespace berth::election
