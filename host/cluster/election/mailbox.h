// Brings replies and wake-ups to an elector. Thread: Expect, Wait, and Take the I/O thread; Deliver and Wake any.
// Ownership: shared with the requests in flight, whose replies may come after the elector's end.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

#include "base/async.h"
#include "base/clock.h"
#include "base/thread_annotations.h"
#include "client/http/await.h"
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
    Ring();
  }

  void Wake() {
    base::MutexLock lock(mutex_);
    woken_ = true;
    Ring();
  }

  // Ends with the first of: a stop, the reply, a wake-up (only where wakeable; an earlier one counts), the time.
  base::Async<Event> Wait(const base::Clock& clock, int64_t until_ns, bool wakeable, std::stop_token stop) {
    while (!stop.stop_requested()) {
      const int64_t left = until_ns - clock.MonoNs();
      const std::shared_ptr<base::Bell> changed = std::make_shared<base::Bell>();
      const std::optional<Event> event = Look(wakeable, changed);
      if (event) co_return *event;
      if (left <= 0) co_return Event::kTime;
      co_await http::RungWithin(changed, std::chrono::nanoseconds(left), stop);
    }
    co_return Event::kStop;
  }

  http::Reply Take() {
    base::MutexLock lock(mutex_);
    http::Reply reply = std::move(*reply_);
    reply_.reset();
    return reply;
  }

 private:
  // What has happened already; otherwise the bell rings when something does.
  std::optional<Event> Look(bool wakeable, const std::shared_ptr<base::Bell>& bell) {
    base::MutexLock lock(mutex_);
    if (reply_) return Event::kReply;
    if (wakeable && std::exchange(woken_, false)) return Event::kWake;
    bell_ = bell;
    return std::nullopt;
  }
  void Ring() REQUIRES(mutex_) {
    if (bell_) bell_->Ring();
  }

  base::Mutex mutex_;
  std::shared_ptr<base::Bell> bell_ GUARDED_BY(mutex_);  // of the current wait
  uint64_t expected_ GUARDED_BY(mutex_) = 0;
  std::optional<http::Reply> reply_ GUARDED_BY(mutex_);
  bool woken_ GUARDED_BY(mutex_) = false;
};

}  // namespace berth::election
