#include "client/requests/request_queue.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "client/requests/api_status.h"
#include "client/requests/json_body.h"
#include "telemetry/log/log.h"

namespace berth::requests {
namespace {

constexpr int64_t kForEver = 3600 * base::kSecond;
constexpr std::chrono::milliseconds kAskAgain{100};  // for a thread
// How long a request whose outcome is unknown may take effect. Source: kube-apiserver --request-timeout.
constexpr int64_t kTakesEffectWithin = 60 * base::kSecond;
constexpr const char* kNoLeader = "this process is not the leader any more";

http::Reply Unsent(const char* why) {
  http::Reply reply;
  reply.error = why;
  return reply;
}
http::Reply ShuttingDown() { return Unsent("the client is shutting down"); }

// An objection: kNoLeader without the right to write, otherwise that of `own`, which may be empty.
std::function<const char*()> WithRight(std::function<bool()> may_write, std::function<const char*()> own) {
  if (!own) return [may_write = std::move(may_write)] { return may_write() ? nullptr : kNoLeader; };
  return [may_write = std::move(may_write), own = std::move(own)] { return may_write() ? own() : kNoLeader; };
}

RequestQueue::Make Always(http::Request request) {
  return [request = std::move(request)]() -> std::optional<http::Request> { return request; };
}

}  // namespace

std::optional<int64_t> TurnedAwayNs(const http::Reply& reply) {
  if (!reply.retry_after_seconds || (reply.status != 429 && reply.status < 500)) return std::nullopt;
  return std::clamp<int64_t>(*reply.retry_after_seconds, 0, kForEver / base::kSecond) * base::kSecond;
}

RequestQueue::RequestQueue(http::Transport& transport, const base::Clock& clock, const RequestQueueOptions& options)
    : transport_(transport),
      clock_(clock),
      may_write_(options.may_write),
      observer_(options.observer),
      encodings_(options.encodings),
      limiter_(options.qps, options.burst),
      order_(options.max_in_flight),
      thread_({.name = "requests", .most = options.threads}),
      number_(keeper_->AddAwaiting([this] { WorkWithoutThread(); })) {}

void RequestQueue::Post(http::Request request, Done done, Turn turn) {
  Post(Job{Always(std::move(request)), std::move(done), turn, true});
}

void RequestQueue::Post(Job job) {
  {
    base::MutexLock lock(mutex_);
    if (stopping_) {
      lock.unlock();
      return job.done(ShuttingDown());
    }
    // The usual case needs no other thread. The order stays the same: it is the turn of the job.
    TurnOrder::Waiting waiting = Waiting();
    const bool first = !std::exchange(waiting[job.turn], true);
    job.since_mono_ns = clock_.MonoNs();
    const bool now = first && order_.Next(waiting) == job.turn && limiter_.Take(job.since_mono_ns) == 0;
    if (!now) {
      lines_[job.turn].push_back(std::move(job));
      // Otherwise the next reply or the thread that sends comes before its turn.
      if (!sending_ && order_.Next(Waiting())) Wake();
      return;
    }
    order_.Sent(job.turn, waiting);
  }
  Send(std::move(job));
}

void RequestQueue::PostAfter(int64_t delay_ns, http::Request request, Done done, Turn turn) {
  PostAfter(delay_ns, Job{Always(std::move(request)), std::move(done), turn, true});
}

void RequestQueue::PostAfter(int64_t delay_ns, Make make, Done done, Turn turn) {
  PostAfter(delay_ns, Job{std::move(make), std::move(done), turn, false});
}

void RequestQueue::PostAfter(int64_t delay_ns, Job job) {
  if (!Delay(delay_ns, job)) job.done(ShuttingDown());
}

bool RequestQueue::NeedsRight(const http::Request& request) const { return may_write_ && request.method != "GET"; }

void RequestQueue::NotSent(Job job, const char* why) {
  {
    base::MutexLock lock(mutex_);
    limiter_.GiveBack();
  }
  OnReply(std::move(job), Unsent(why));
}

void RequestQueue::Send(Job job) {
  std::optional<http::Request> request = job.make();
  if (request) request->cause = job.cause;
  if (!request) return NotSent(std::move(job), "not needed any more");
  if (refused_) ToJsonBody(*request);
  if (NeedsRight(*request)) request->objection = WithRight(may_write_, std::move(request->objection));
  if (request->objection) {  // the transport asks again when it writes the request, which may be later
    if (const char* why = request->objection()) return NotSent(std::move(job), why);
  }
  if (observer_ != nullptr) {
    job.method = request->method;
    observer_->OnSent(job.method, clock_.MonoNs() - job.since_mono_ns);
  }
  job.writes = request->method != "GET";
  transport_.Send(std::move(*request), [this, job = std::move(job)](http::Reply reply) mutable {
    OnReply(std::move(job), std::move(reply));
  });
}

bool RequestQueue::TakesBack(Job& job, const http::Reply& reply) {
  return job.comes_back && (TurnsAway(job, reply) || SendsAsJson(job, reply));
}

bool RequestQueue::TurnsAway(Job& job, const http::Reply& reply) {
  const std::optional<int64_t> wait_ns = TurnedAwayNs(reply);
  if (!wait_ns || ++job.turned_away > kMostTurnedAway) return false;
  const std::string method = job.method;
  if (!Delay(*wait_ns, job)) return false;
  if (observer_ != nullptr) observer_->OnTurnedAway(method, reply.status);
  return true;
}

// The server has not read the request. Others that are under way get the same reply.
bool RequestQueue::SendsAsJson(Job& job, const http::Reply& reply) {
  if (reply.status != kUnsupportedMediaType || encodings_.bodies != Encoding::kProtobuf) return false;
  std::optional<http::Request> request = job.make();
  if (!request || !ToJsonBody(*request)) return false;
  job.make = Always(std::move(*request));
  if (!refused_.exchange(true)) log::Warning(kProtobufRefused, {{"err", StatusOf(reply, "send protobuf").message}});
  base::MutexLock lock(mutex_);
  if (stopping_) return false;
  job.since_mono_ns = clock_.MonoNs();
  std::deque<Job>& line = lines_[job.turn];
  line.push_front(std::move(job));  // OnReply sends it
  return true;
}

void RequestQueue::OnReply(Job job, http::Reply reply) {
  const Turn turn = job.turn;
  if (job.writes && turn != Turn::kBinding && OutcomeUnknown(reply)) NoteUnknown();
  if (!TakesBack(job, reply)) {
    const trace::Scope scope(job.cause);
    job.done(std::move(reply));
  }
  base::MutexLock lock(mutex_);
  order_.Answered(turn);
  // A thread that already sends sees that there is room. It may be this one, if the transport replied within Send.
  if (!sending_ && SendWaiting() != kForEver) Wake();
}

int64_t RequestQueue::SendWaiting() {
  int64_t wait = kForEver;
  sending_ = true;
  while (std::optional<Job> job = Take(clock_.MonoNs(), wait)) {
    mutex_.unlock();
    Send(std::move(*job));
    mutex_.lock();
  }
  sending_ = false;
  if (order_.in_flight() == 0) quiet_.notify_all();  // under the lock: then the queue may be destroyed
  return wait;
}

bool RequestQueue::Delay(int64_t ns, Job& job) {
  base::MutexLock lock(mutex_);
  if (stopping_) return false;
  delayed_.emplace(clock_.MonoNs() + ns, std::move(job));
  Wake();
  return true;
}

void RequestQueue::Promote(int64_t now) {
  while (!delayed_.empty() && delayed_.begin()->first <= now) {
    Job& job = delayed_.begin()->second;
    job.since_mono_ns = now;
    lines_[job.turn].push_back(std::move(job));
    delayed_.erase(delayed_.begin());
  }
}

QueueLengths RequestQueue::Lengths() const {
  base::MutexLock lock(mutex_);
  return {.binding = lines_[Turn::kBinding].size(),
          .eviction = lines_[Turn::kEviction].size(),
          .rest = lines_[Turn::kRest].size(),
          .delayed = delayed_.size(),
          .in_flight = order_.in_flight()};
}

TurnOrder::Waiting RequestQueue::Waiting() const {
  TurnOrder::Waiting waiting;
  for (const Turn turn : {Turn::kBinding, Turn::kEviction, Turn::kRest}) waiting[turn] = !lines_[turn].empty();
  return waiting;
}

std::optional<RequestQueue::Job> RequestQueue::Take(int64_t now, int64_t& wait) {
  const TurnOrder::Waiting waiting = Waiting();
  const std::optional<Turn> turn = order_.Next(waiting);
  if (!turn) return std::nullopt;
  if (const int64_t wait_ns = limiter_.Take(now); wait_ns > 0) {
    wait = std::min(wait, wait_ns);
    return std::nullopt;
  }
  order_.Sent(*turn, waiting);
  Job job = std::move(lines_[*turn].front());
  lines_[*turn].pop_front();
  return job;
}

void RequestQueue::Wake() {
  if (stopping_) return;
  if (looping_) return wake_.notify_one();
  looping_ = thread_.Post([this] { Loop(); }) == base::TaskThreads::Posted::kQueued;
  // Not again while it waits, which would postpone it.
  if (!looping_ && !std::exchange(asks_again_, true)) keeper_->Await(number_, kAskAgain, -1);
}

void RequestQueue::WorkWithoutThread() {
  base::MutexLock lock(mutex_);
  asks_again_ = false;
  if (stopping_ || looping_) return;
  if (SendDue() != kForEver || !delayed_.empty()) Wake();
}

void RequestQueue::Loop() {
  base::MutexLock lock(mutex_);
  while (!stopping_) {
    const int64_t wait = SendDue();
    if (wait == kForEver && delayed_.empty()) break;
    wake_.wait_for(lock, std::chrono::nanoseconds(wait));
  }
  looping_ = false;
}

int64_t RequestQueue::SendDue() {
  Promote(clock_.MonoNs());
  const int64_t wait = sending_ ? kForEver : SendWaiting();
  // Also those that replies to these requests have delayed.
  return delayed_.empty() ? wait : std::clamp<int64_t>(delayed_.begin()->first - clock_.MonoNs(), 0, wait);
}

bool RequestQueue::Flush(int64_t ns) {
  base::MutexLock lock(mutex_);
  return quiet_.wait_for(lock, std::chrono::nanoseconds(ns), [this]() REQUIRES(mutex_) {
    return order_.in_flight() == 0 &&
           std::all_of(lines_.begin(), lines_.end(), [](const auto& line) { return line.empty(); });
  });
}

bool RequestQueue::AwaitAnswers(int64_t ns) {
  if (!Flush(ns)) return false;
  base::MutexLock lock(mutex_);
  return clock_.MonoNs() >= unknown_until_ns_;
}

void RequestQueue::NoteUnknown() {
  base::MutexLock lock(mutex_);
  unknown_until_ns_ = clock_.MonoNs() + kTakesEffectWithin;
}

void RequestQueue::Close() {
  std::deque<Job> unsent;
  {
    base::MutexLock lock(mutex_);
    stopping_ = true;
    for (const Turn turn : {Turn::kBinding, Turn::kEviction, Turn::kRest}) {
      for (Job& job : lines_[turn]) unsent.push_back(std::move(job));
      lines_[turn].clear();
    }
    for (auto& [due, job] : delayed_) unsent.push_back(std::move(job));
    delayed_.clear();
    wake_.notify_all();
  }
  for (Job& job : unsent) job.done(ShuttingDown());
}

void RequestQueue::Stop() {
  Close();
  keeper_->Remove(number_);
  thread_.Stop();
  base::MutexLock lock(mutex_);
  quiet_.wait(lock, [this]() REQUIRES(mutex_) { return order_.in_flight() == 0 && !sending_; });
}

}  // namespace berth::requests
