// Queues requests to the API server. It limits the number of parallel requests and their rate (clientConnection), and
// takes them from three lines in turn (turn_order.h), each in the order of Post. Some requests are delayed. A request
// that the server rejects with Retry-After, because it is overloaded, is sent again at that time, from the end of its
// line, at most ten times, as in client-go. If the server does not accept protobuf (415 Unsupported Media Type), the
// queue sends the request again as JSON, ahead of its line, and all later ones as JSON at once. The cause
// (trace::Current) of a Post is also that of its request's span, and the cause during `done`. Thread: Post from any
// thread; done runs on a thread of the transport and must not block. Ownership: transport and clock outlive the queue.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/housekeeper.h"
#include "base/task_threads.h"
#include "base/thread_annotations.h"
#include "client/http/transport.h"
#include "client/requests/encoding.h"
#include "client/requests/rate_limiter.h"
#include "client/requests/turn_order.h"
#include "telemetry/trace/current.h"

namespace berth::requests {

// Receives what the queue does, for metrics. Source: k8s.io/client-go/tools/metrics RateLimiterLatency, RequestRetry.
// Thread: any; must not block. Ownership: outlives the queue.
class RequestQueueObserver {
 public:
  virtual ~RequestQueueObserver() = default;
  virtual void OnSent(std::string_view method, int64_t waited_ns) = 0;  // since Post, or since the end of its delay
  virtual void OnTurnedAway(std::string_view method, int status) = 0;   // the request is sent again
};

struct QueueLengths {
  size_t binding = 0, eviction = 0, rest = 0;  // requests that wait for their turn
  size_t delayed = 0, in_flight = 0;
};

inline constexpr size_t kMostInFlight = 64;

struct RequestQueueOptions {
  double qps = 50;
  int burst = 100;
  size_t max_in_flight = kMostInFlight;      // requests without a reply
  RequestQueueObserver* observer = nullptr;  // may be null
  // Whether this process may change objects now; called when a request's turn has come, and again when the transport
  // writes it. false: the request fails unsent, except a GET. Must not block; called on any thread, without a lock.
  // Unset: always.
  std::function<bool()> may_write = {};
  Encodings encodings = {};  // what those that post requests should send and ask for
  uint32_t threads = 1;      // at most 1; 0: as if the system gave none
};

inline constexpr int kMostTurnedAway = 10;  // the largest number of repetitions of one request
// The delay after which the request should be sent again, for a request that the server rejected unread; nullopt: the
// reply gives no delay, or is an answer.
std::optional<int64_t> TurnedAwayNs(const http::Reply& reply);

class RequestQueue {
 public:
  using Done = std::function<void(http::Reply)>;
  // Called when the request's turn has come, without a lock, on any thread; must not block. nullopt: the request is not
  // needed any more. The queue does not send such a request again after a rejection, because its content may have
  // changed: the caller handles TurnedAwayNs of the reply.
  using Make = std::function<std::optional<http::Request>()>;

  RequestQueue(http::Transport& transport, const base::Clock& clock, const RequestQueueOptions& options);
  ~RequestQueue() { Stop(); }

  // done is called exactly once, with the reply or, when nothing was sent, with status 0. When a request's turn has
  // come, the queue asks its objection. If it objects, the request costs no rate, and the queue sends the next one.
  void Post(http::Request request, Done done, Turn turn = Turn::kRest);
  void Post(Make make, Done done, Turn turn = Turn::kRest) { Post(Job{std::move(make), std::move(done), turn, false}); }
  void PostAfter(int64_t delay_ns, http::Request request, Done done, Turn turn = Turn::kRest);
  void PostAfter(int64_t delay_ns, Make make, Done done, Turn turn = Turn::kRest);

  // Waits until no request is queued or in flight, at most ns; delayed requests do not count. True: that state was
  // reached.
  bool Flush(int64_t ns);
  // As Flush; but false if a request can still change an object, because its outcome became unknown (OutcomeUnknown)
  // within the last minute: longer the API server does not work on a request. Bindings (Turn::kBinding) do not count:
  // the binder finds their outcome out, and calls NoteUnknown if it gives up.
  bool AwaitAnswers(int64_t ns);
  void NoteUnknown();
  // Rejects new requests, and answers all requests that have not been sent.
  void Close();
  // Calls Close, and waits for the replies to the requests that were sent.
  void Stop();
  QueueLengths Lengths() const;
  // Whether requests that change objects are sent now. Any thread.
  bool MayWrite() const { return !may_write_ || may_write_(); }
  // In which encoding to post objects of built-in kinds, and the header Accept for replies that nothing reads.
  Encoding bodies() const { return refused_ ? Encoding::kJson : encodings_.bodies; }
  const char* accept() const { return AcceptOf(encodings_.replies); }
  bool stopped() const {
    base::MutexLock lock(mutex_);
    return stopping_;
  }

 private:
  struct Job {
    Make make;
    Done done;
    Turn turn;
    bool comes_back;
    int turned_away = 0;
    int64_t since_mono_ns = 0;                    // when it entered its line
    std::string method = {};                      // as last sent; only with an observer
    bool writes = false;                          // as last sent
    trace::SpanContext cause = trace::Current();  // of the request, and of what its reply leads to
  };
  void Post(Job job);
  void PostAfter(int64_t delay_ns, Job job);
  // Has the thread look at the jobs, which exists while a job waits for a time. Otherwise replies send the next ones.
  void Wake() REQUIRES(mutex_);
  void Loop();
  // Does the thread's work on that of the housekeeper, while the system gives no thread.
  void WorkWithoutThread();
  // Sends what is due. Returns the nanoseconds after which to call it again; kForEver without delayed jobs: the reply
  // to a request, or the thread that sends, comes before the turn of the next one.
  int64_t SendDue() REQUIRES(mutex_);
  // Moves delayed jobs that are due to their lines.
  void Promote(int64_t now) REQUIRES(mutex_);
  TurnOrder::Waiting Waiting() const REQUIRES(mutex_);
  // Takes the job whose turn it is from its line; nullopt: none may be sent before `wait` has passed, which this
  // function may reduce.
  std::optional<Job> Take(int64_t now, int64_t& wait) REQUIRES(mutex_);
  void Send(Job job);
  // Sends the jobs whose turn it is, without the lock. Returns the nanoseconds after which the rate lets the
  // next one pass, or a time that does not come. One thread at a time: sending_ is false before and afterwards.
  int64_t SendWaiting() REQUIRES(mutex_);
  bool NeedsRight(const http::Request& request) const;
  void NotSent(Job job, const char* why);
  void OnReply(Job job, http::Reply reply);
  // Whether the queue sends the job again, which it then has taken.
  bool TakesBack(Job& job, const http::Reply& reply);
  bool TurnsAway(Job& job, const http::Reply& reply);
  bool SendsAsJson(Job& job, const http::Reply& reply);
  bool Delay(int64_t ns, Job& job);  // false, and job is as it was: stopped

  http::Transport& transport_;
  const base::Clock& clock_;
  const std::function<bool()> may_write_;
  RequestQueueObserver* const observer_;
  const Encodings encodings_;
  std::atomic<bool> refused_{false};  // the server does not accept protobuf

  mutable base::Mutex mutex_;
  base::Condition wake_, quiet_;
  RateLimiter limiter_ GUARDED_BY(mutex_);
  TurnOrder order_ GUARDED_BY(mutex_);
  PerTurn<std::deque<Job>> lines_ GUARDED_BY(mutex_);
  std::multimap<int64_t, Job> delayed_ GUARDED_BY(mutex_);  // by mono ns
  bool stopping_ GUARDED_BY(mutex_) = false, looping_ GUARDED_BY(mutex_) = false, sending_ GUARDED_BY(mutex_) = false;
  int64_t unknown_until_ns_ GUARDED_BY(mutex_) = 0;  // mono
  bool asks_again_ GUARDED_BY(mutex_) = false;       // WorkWithoutThread follows
  base::TaskThreads thread_;
  const std::shared_ptr<base::Housekeeper> keeper_ = base::Housekeeper::OfProcess();
  const uint64_t number_;  // of WorkWithoutThread
};

}  // namespace berth::requests
