// Requests on their way to the API server: as many at once as the server should see, no faster than clientConnection
// allows, in three lines that take turns (turn_order.h), each in the order in which requests were posted, and some
// later than others. What the server turns away with a time to come back (Retry-After: it is overloaded, and has not
// looked at the request) comes back then, at the end of its line, ten times at most, as client-go does it. Thread: Post
// from any thread; done runs on a thread of the transport and must not block. Ownership: transport and clock outlive
// the queue.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "base/clock.h"
#include "http/transport.h"
#include "kube/rate_limiter.h"
#include "kube/turn_order.h"

namespace berth::kube {

struct RequestQueueOptions {
  double qps = 50;
  int burst = 100;
  size_t max_in_flight = 64;  // connections to the server
};

inline constexpr int kMostTurnedAway = 10;  // times that one request comes back
// How long the server wants to be left alone with what it has turned away without looking at it; nullopt: it does not
// say, or this is an answer.
std::optional<int64_t> TurnedAwayNs(const http::Reply& reply);

class RequestQueue {
 public:
  using Done = std::function<void(http::Reply)>;
  // Asked when its turn has come, without a lock held. nullopt: it is not needed any more. Such a request does not come
  // back by itself: what it should be may have changed by then, so that TurnedAwayNs of the reply is the caller's to
  // heed.
  using Make = std::function<std::optional<http::Request>()>;

  RequestQueue(http::Transport& transport, const base::Clock& clock, const RequestQueueOptions& options);
  ~RequestQueue() { Stop(); }

  // done is called exactly once, with the reply or, when nothing was sent, with status 0.
  void Post(http::Request request, Done done, Turn turn = Turn::kRest);
  void Post(Make make, Done done, Turn turn = Turn::kRest) { Post(Job{std::move(make), std::move(done), turn, false}); }
  void PostAfter(int64_t delay_ns, http::Request request, Done done, Turn turn = Turn::kRest);
  void PostAfter(int64_t delay_ns, Make make, Done done, Turn turn = Turn::kRest);

  // Waits until nothing is queued or in flight, at most ns; what is delayed does not count. true: it came to that.
  bool Flush(int64_t ns);
  // Takes no more requests, and answers everything that has not been sent.
  void Close();
  // Close, and waits for the replies of what has been sent.
  void Stop();
  bool stopped() const {
    std::lock_guard lock(mutex_);
    return stopping_;
  }

 private:
  struct Job {
    Make make;
    Done done;
    Turn turn;
    bool comes_back;
    int turned_away = 0;
  };
  void Post(Job job);
  void PostAfter(int64_t delay_ns, Job job);
  void Loop();
  // Moves delayed jobs that are due to the queue; ns until the next becomes due.
  int64_t Promote(int64_t now);
  TurnOrder::Waiting Waiting() const;
  // The one whose turn it is, taken from its line; nullopt: none may be sent before `wait`, which is lowered, has
  // passed.
  std::optional<Job> Take(int64_t now, int64_t& wait);
  void Send(Job job);
  void OnReply(Job job, http::Reply reply);
  bool Delay(int64_t ns, Job& job);  // false, and job is as it was: stopped

  http::Transport& transport_;
  const base::Clock& clock_;

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable wake_, quiet_;
  RateLimiter limiter_;
  TurnOrder order_;
  PerTurn<std::deque<Job>> lines_;
  std::multimap<int64_t, Job> delayed_;  // by mono ns
  bool stopping_ = false;
  std::jthread thread_;
};

}  // namespace berth::kube
