#include "kube/request_queue.h"

#include <algorithm>
#include <chrono>

namespace berth::kube {
namespace {

constexpr int kMostTurnedAway = 10;
constexpr int64_t kForEver = 3600 * base::kSecond;

http::Reply NotSent(const char* why) {
  http::Reply reply;
  reply.error = why;
  return reply;
}
http::Reply ShuttingDown() { return NotSent("the client is shutting down"); }

RequestQueue::Make Always(http::Request request) {
  return [request = std::move(request)]() -> std::optional<http::Request> { return request; };
}

}  // namespace

RequestQueue::RequestQueue(http::Transport& transport, const base::Clock& clock, const RequestQueueOptions& options)
    : transport_(transport),
      clock_(clock),
      max_in_flight_(options.max_in_flight),
      limiter_(options.qps, options.burst),
      thread_([this] { Loop(); }) {}

void RequestQueue::Post(http::Request request, Done done, Turn turn) {
  Post(Job{Always(std::move(request)), std::move(done), turn});
}

void RequestQueue::Post(Job job) {
  {
    std::unique_lock lock(mutex_);
    if (stopping_) {
      lock.unlock();
      return job.done(ShuttingDown());
    }
    // The usual case needs no other thread.
    const bool first = urgent_.empty() && (job.turn == Turn::kUrgent || ready_.empty());
    const bool now = first && in_flight_ < max_in_flight_ && limiter_.Take(clock_.MonoNs()) == 0;
    if (!now) {
      Line(job.turn).push_back(std::move(job));
      wake_.notify_one();
      return;
    }
    ++in_flight_;
  }
  Send(std::move(job));
}

void RequestQueue::PostAfter(int64_t delay_ns, http::Request request, Done done, Turn turn) {
  PostAfter(delay_ns, Always(std::move(request)), std::move(done), turn);
}

void RequestQueue::PostAfter(int64_t delay_ns, Make make, Done done, Turn turn) {
  Job job{std::move(make), std::move(done), turn};
  if (!Delay(delay_ns, job)) job.done(ShuttingDown());
}

void RequestQueue::Send(Job job) {
  std::optional<http::Request> request = job.make();
  if (!request) return OnReply(std::move(job), NotSent("not needed any more"));
  transport_.Send(std::move(*request), [this, job = std::move(job)](http::Reply reply) mutable {
    OnReply(std::move(job), std::move(reply));
  });
}

void RequestQueue::OnReply(Job job, http::Reply reply) {
  const bool come_back =
      (reply.status == 429 || reply.status >= 500) && reply.retry_after_seconds && ++job.turned_away <= kMostTurnedAway;
  const int64_t patience =
      come_back ? std::clamp<int64_t>(*reply.retry_after_seconds, 0, kForEver / base::kSecond) * base::kSecond : 0;
  if (!come_back || !Delay(patience, job)) job.done(std::move(reply));
  std::lock_guard lock(mutex_);
  --in_flight_;
  wake_.notify_one();
  if (in_flight_ == 0) quiet_.notify_all();  // under the lock: the queue may go as soon as it is released
}

bool RequestQueue::Delay(int64_t ns, Job& job) {
  std::lock_guard lock(mutex_);
  if (stopping_) return false;
  delayed_.emplace(clock_.MonoNs() + ns, std::move(job));
  wake_.notify_one();
  return true;
}

int64_t RequestQueue::Promote(int64_t now) {
  while (!delayed_.empty() && delayed_.begin()->first <= now) {
    Job& job = delayed_.begin()->second;
    Line(job.turn).push_back(std::move(job));
    delayed_.erase(delayed_.begin());
  }
  return delayed_.empty() ? kForEver : delayed_.begin()->first - now;
}

void RequestQueue::Loop() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    const int64_t now = clock_.MonoNs();
    int64_t wait = Promote(now);
    std::deque<Job>& line = urgent_.empty() ? ready_ : urgent_;
    if (!line.empty() && in_flight_ < max_in_flight_) {
      const int64_t patience = limiter_.Take(now);
      if (patience == 0) {
        Job job = std::move(line.front());
        line.pop_front();
        ++in_flight_;
        lock.unlock();
        Send(std::move(job));
        lock.lock();
        continue;
      }
      wait = std::min(wait, patience);
    }
    wake_.wait_for(lock, std::chrono::nanoseconds(wait));
  }
}

bool RequestQueue::Flush(int64_t ns) {
  std::unique_lock lock(mutex_);
  return quiet_.wait_for(lock, std::chrono::nanoseconds(ns),
                         [this] { return urgent_.empty() && ready_.empty() && in_flight_ == 0; });
}

void RequestQueue::Close() {
  std::deque<Job> unsent;
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
    unsent.swap(urgent_);
    for (Job& job : ready_) unsent.push_back(std::move(job));
    ready_.clear();
    for (auto& [due, job] : delayed_) unsent.push_back(std::move(job));
    delayed_.clear();
    wake_.notify_one();
  }
  for (Job& job : unsent) job.done(ShuttingDown());
}

void RequestQueue::Stop() {
  Close();
  if (thread_.joinable()) thread_.join();
  std::unique_lock lock(mutex_);
  quiet_.wait(lock, [this] { return in_flight_ == 0; });
}

}  // namespace berth::kube
