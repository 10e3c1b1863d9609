// Requests on their way to the API server: as many at once as the server should see, no faster than clientConnection
// allows, those that were posted first go first, and some later than others. What the server turns away with a time to
// come back (Retry-After: it is overloaded, and has not looked at the request) comes back then, ten times at most, as
// client-go does it.
// Thread: Post from any thread; done runs on a thread of the transport and must not block. Ownership: transport and
// clock outlive the queue.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

#include "base/clock.h"
#include "http/transport.h"
#include "kube/rate_limiter.h"

namespace berth::kube {

struct RequestQueueOptions {
  double qps = 50;
  int burst = 100;
  size_t max_in_flight = 64;  // connections to the server
};

class RequestQueue {
 public:
  using Done = std::function<void(http::Reply)>;

  RequestQueue(http::Transport& transport, const base::Clock& clock, const RequestQueueOptions& options);
  ~RequestQueue() { Stop(); }

  // done is called exactly once, with the reply or, after Stop, with status 0.
  void Post(http::Request request, Done done);
  void PostAfter(int64_t delay_ns, http::Request request, Done done);

  // Waits until nothing is queued or in flight, at most ns; what is delayed does not count. true: it came to that.
  bool Flush(int64_t ns);
  // Answers everything that has not been sent, and waits for the replies of what has.
  void Stop();
  bool stopped() const {
    std::lock_guard lock(mutex_);
    return stopping_;
  }

 private:
  struct Job {
    http::Request request;
    Done done;
    int turned_away = 0;
  };
  void Loop();
  // Moves delayed jobs that are due to the queue; ns until the next becomes due.
  int64_t Promote(int64_t now);
  void Send(Job job);
  void OnReply(Job job, http::Reply reply);
  bool Delay(int64_t ns, Job& job);  // false, and job is as it was: stopped

  http::Transport& transport_;
  const base::Clock& clock_;
  const size_t max_in_flight_;

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable wake_, quiet_;
  RateLimiter limiter_;
  std::deque<Job> ready_;
  std::multimap<int64_t, Job> delayed_;  // by mono ns
  size_t in_flight_ = 0;
  bool stopping_ = false;
  std::jthread thread_;
};

}  // namespace berth::kube
