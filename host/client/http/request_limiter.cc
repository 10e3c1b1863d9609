#include "client/http/request_limiter.h"

#include <algorithm>
#include <utility>

#include "client/http/body.h"
#include "client/http/threads.h"

namespace berth::http {

// One send in flight. The connection owns its Request; the fields for an error are kept.
class RequestLimiter::Call final : public Receiver {
 public:
  Call(std::shared_ptr<RequestLimiter> owner, const Request& request, Done on_done, std::shared_ptr<Connections> over)
      : done(std::move(on_done)),
        method(request.method),
        path(request.path),
        connections(std::move(over)),
        owner_(std::move(owner)),
        body_(owner_->peer_->options.max_body_bytes) {}

  void Headers(const ReplyHead& head) noexcept override {
    reply_.status = head.status;
    reply_.retry_after_seconds = head.retry_after_seconds;
    reply_.content_type = head.content_type;
  }

  bool Bytes(std::string_view bytes) noexcept override { return body_.Append(bytes); }

  void End(std::optional<Failure> failure) noexcept override {
    if (failure) {
      std::string error = body_.too_large() ? ErrorPrefix(*owner_->peer_, method, path) + body_.TooLargeText()
                                            : std::move(failure->error);
      reply_ = {.error = std::move(error), .maybe_delivered = failure->maybe_delivered, .too_large = body_.too_large()};
    } else {
      reply_.body = body_.Take();
    }
    owner_->Finish(*this, std::move(reply_));
  }

  Done done;
  const std::string method, path;
  const std::shared_ptr<Connections> connections;

 private:
  const std::shared_ptr<RequestLimiter> owner_;
  Reply reply_;
  Body body_;
};

RequestLimiter::RequestLimiter(std::shared_ptr<Peer> peer, std::shared_ptr<CurrentConnections> connections)
    : peer_(std::move(peer)), connections_(std::move(connections)) {}

void RequestLimiter::Send(Request request, Done done) {
  base::MutexLock lock(mutex_);
  if (closed_) {
    lock.unlock();
    return done(Abandoned(request.method, request.path, false));
  }
  waiting_.push_back({std::move(request), std::move(done), Clock::now()});
  lock.unlock();
  Admit();
}

void RequestLimiter::AskAgain() {
  {
    base::MutexLock lock(mutex_);
    asked_ = false;
  }
  Admit();
}

bool RequestLimiter::HasCredentials(const Connections& connections) {
  const auto& ready = connections.peer->options.ready;
  if (!ready) return true;
  if (asked_) return false;
  asked_ = !ready([weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->AskAgain();
  });
  return !asked_;
}

void RequestLimiter::Admit() {
  const ClientOptions& options = peer_->options;
  // Released without the lock, because the owner of the options waits for threads.
  std::shared_ptr<Connections> connections;
  base::MutexLock lock(mutex_);
  if (waiting_.empty()) return;
  connections = connections_->Get();
  while (!waiting_.empty() && running_.size() < options.max_parallel_sends) {
    if (!HasCredentials(*connections)) return;
    if (running_.size() >= options.eager_parallel_sends && !connections->sends->multiplexes()) {
      const auto now = Clock::now(), when = std::max(waiting_.front().since, widened_) + options.widen_after;
      if (now < when) return AdmitAt(when);
      widened_ = now;
    }
    Waiting next = std::move(waiting_.front());
    waiting_.pop_front();
    Start(std::move(next.request), std::move(next.done), connections);
  }
}

void RequestLimiter::AdmitAt(Clock::time_point when) {
  if (timed_) return;  // for an earlier send
  timed_ = true;
  RunAt(when, [weak = weak_from_this()] {
    const auto self = weak.lock();
    if (!self) return;
    {
      base::MutexLock lock(self->mutex_);
      self->timed_ = false;
    }
    self->Admit();
  });
}

// Under the lock: the connection does not call back before it has returned.
void RequestLimiter::Start(Request request, Done done, const std::shared_ptr<Connections>& connections) {
  auto call = std::make_shared<Call>(shared_from_this(), request, std::move(done), connections);
  Call* key = call.get();
  running_.emplace(key, Running{call, connections->sends->Start(std::move(request), call)});
}

void RequestLimiter::Finish(Call& call, Reply reply) {
  Gate::Pass pass(*peer_->gate);
  if (!pass) return;  // Close answers it or has answered it
  Done done;
  {
    base::MutexLock lock(mutex_);
    done = std::move(call.done);
    running_.erase(&call);
  }
  Admit();
  if (reply.status == 401) Refused(*call.connections);
  done(std::move(reply));
}

void RequestLimiter::Refused(const Connections& connections) {
  if (connections.peer->options.unauthorized) connections.peer->options.unauthorized();
  connections_->Refused(connections);
}

void RequestLimiter::Close() {
  peer_->gate->Close();
  std::unordered_map<Call*, Running> running;
  std::deque<Waiting> waiting;
  {
    base::MutexLock lock(mutex_);
    closed_ = true;
    running.swap(running_);
    waiting.swap(waiting_);
  }
  for (auto& [call, run] : running) {
    run.cancel();
    call->done(Abandoned(call->method, call->path, true));
  }
  for (auto& wait : waiting) wait.done(Abandoned(wait.request.method, wait.request.path, false));
}

Reply RequestLimiter::Abandoned(const std::string& method, const std::string& path, bool maybe_delivered) const {
  return {.error = ErrorPrefix(*peer_, method, path) + "the transport is closed", .maybe_delivered = maybe_delivered};
}

}  // namespace berth::http
