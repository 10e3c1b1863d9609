#include "client/http/http2_connection.h"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <utility>

#include "client/http/io_thread.h"
#include "client/http/threads.h"

namespace berth::http {
namespace {

using Clock = Http2Exchange::Clock;

constexpr int64_t kMostLinks = 8;  // for more parallel requests than the server allows on one link
constexpr std::chrono::minutes kTryAgain{10};
constexpr std::chrono::seconds kDialAgain{1};

int64_t Now() { return std::chrono::nanoseconds(Clock::now().time_since_epoch()).count(); }

}  // namespace

std::shared_ptr<Http2Pool> Http2Pool::Make(std::shared_ptr<Peer> peer) {
  const std::shared_ptr<Http2Pool> pool(new Http2Pool(std::move(peer)));
  return {pool.get(), [pool](Http2Pool* retired) { retired->Retire(); }};
}

Http2Pool::Http2Pool(std::shared_ptr<Peer> peer) : peer_(std::move(peer)), expiry_(IoContext()) {}

// A server behind a load balancer may learn HTTP/2 without a change of the client.
Http2Pool::Protocol Http2Pool::protocol() const {
  const Protocol last = protocol_.load(std::memory_order_relaxed);
  if (last != Protocol::kHttp1) return last;
  const int64_t age_ns = Now() - protocol_since_ns_.load(std::memory_order_relaxed);
  return age_ns < std::chrono::nanoseconds(kTryAgain).count() ? last : Protocol::kUnknown;
}

void Http2Pool::Note(Protocol protocol) {
  protocol_since_ns_.store(Now(), std::memory_order_relaxed);
  protocol_.store(protocol, std::memory_order_relaxed);
}

// One task for many messages: the thread wakes up once.
void Http2Pool::Post(Message message) {
  {
    base::MutexLock lock(mutex_);
    messages_.push_back(std::move(message));
    if (std::exchange(posted_, true)) return;
  }
  boost::asio::post(IoContext(), [self = shared_from_this()] { self->Work(); });
}

void Http2Pool::Retire() {
  boost::asio::post(IoContext(), [self = shared_from_this()] {
    self->retired_ = true;
    self->Work();
  });
}

void Http2Pool::Work() {
  std::vector<Message> messages;
  {
    base::MutexLock lock(mutex_);
    messages.swap(messages_);
    posted_ = false;
  }
  for (Message& message : messages) {
    if (!message.exchange) continue;
    if (message.cancels) {
      End(message.exchange);
    } else {
      waiting_.push_back(std::move(message.exchange));
    }
  }
  if (protocol() == Protocol::kHttp1) UseHttp1();
  for (const auto& link : std::vector(links_)) link->Pump();
  if (!waiting_.empty()) Dial();
  if (retired_ && waiting_.empty()) {
    for (const auto& link : std::vector(links_)) link->Retire();
  }
  WatchWaiting();
}

std::shared_ptr<Http2Exchange> Http2Pool::Next() {
  while (!waiting_.empty()) {
    auto next = std::move(waiting_.front());
    waiting_.pop_front();
    if (!next->over()) return next;
  }
  return nullptr;
}

void Http2Pool::LinkIsFull() {
  if (!waiting_.empty()) Dial();
}

void Http2Pool::Again(std::shared_ptr<Http2Exchange> exchange) {
  const auto when = Clock::now() + exchange->Pause();
  RunAt(when, [self = shared_from_this(), exchange = std::move(exchange)]() mutable {
    self->waiting_.push_front(std::move(exchange));
    self->Work();
  });
}

void Http2Pool::LinkEnds(const std::shared_ptr<Http2Link>& link, bool closed) {
  if (closed) std::erase(links_, link);
  Post({});
}

void Http2Pool::End(const std::shared_ptr<Http2Exchange>& exchange) {
  for (const auto& link : std::vector(links_)) {
    if (link->Cancel(exchange)) return;
  }
  std::erase(waiting_, exchange);
  exchange->Cancel();
}

void Http2Pool::Dial() {
  const auto takes = [](const auto& link) { return link->takes_requests(); };
  if (dialing_ || std::any_of(links_.begin(), links_.end(), takes)) return;
  const int64_t lasting = Lasting();
  if (lasting >= kMostLinks || (pauses_ && lasting > 0)) return;
  dialing_ = true;
  DialTls(peer_, [self = shared_from_this()](std::shared_ptr<TlsChannel> channel, const Fault* fault) {
    self->IsDialed(channel, fault);
  });
}

int64_t Http2Pool::Lasting() const {
  return std::count_if(links_.begin(), links_.end(), [](const auto& link) { return !link->ends(); });
}

void Http2Pool::DialFailed(const Fault& fault) {
  if (Lasting() == 0) {
    while (const auto exchange = Next()) exchange->Fail(fault);
    return;
  }
  if (std::exchange(pauses_, true)) return;
  RunAt(Clock::now() + kDialAgain, [self = shared_from_this()] {
    self->pauses_ = false;
    self->Work();
  });
}

void Http2Pool::IsDialed(const std::shared_ptr<TlsChannel>& channel, const Fault* fault) {
  dialing_ = false;
  const bool first = links_.empty();
  if (fault != nullptr) {
    DialFailed(*fault);
  } else if (channel->speaks_http2()) {
    Note(Protocol::kHttp2);
    links_.push_back(
        std::make_shared<Http2Link>(channel, weak_from_this(), peer_->options.ping_after, peer_->options.keep_idle));
    links_.back()->Begin();
  } else {
    channel->Close();
    if (first) Note(Protocol::kHttp1);
    UseHttp1();
  }
  Work();
}

void Http2Pool::WatchWaiting() {
  if (waiting_.empty() || watches_ || dialing_) return;  // a dial has its own time
  watches_ = true;
  const auto earlier = [](const auto& a, const auto& b) { return a->deadline() < b->deadline(); };
  expiry_.expires_at((*std::min_element(waiting_.begin(), waiting_.end(), earlier))->deadline());
  expiry_.async_wait([self = shared_from_this()](const boost::system::error_code&) {
    self->watches_ = false;
    self->ExpireWaiting();
  });
}

void Http2Pool::ExpireWaiting() {
  if (dialing_) return;
  const auto now = Clock::now();
  const auto late = std::stable_partition(waiting_.begin(), waiting_.end(),
                                          [&](const auto& exchange) { return exchange->deadline() > now; });
  const std::vector<std::shared_ptr<Http2Exchange>> expired(late, waiting_.end());
  waiting_.erase(late, waiting_.end());
  for (const auto& exchange : expired) exchange->Expire();
  Work();
}

void Http2Pool::UseHttp1() {
  while (const auto exchange = Next()) exchange->MoveToOther();
}

Http2Connection::Http2Connection(std::shared_ptr<Peer> peer, std::shared_ptr<Http2Pool> pool,
                                 std::chrono::milliseconds timeout)
    : peer_(std::move(peer)),
      pool_(std::move(pool)),
      timeout_(timeout),
      other_(std::make_shared<LazyConnection>(peer_, timeout)) {}

Connection::Cancel Http2Connection::Start(Request request, std::shared_ptr<Receiver> receiver) {
  if (pool_->protocol() == Http2Pool::Protocol::kHttp1)
    return other_->Get().Start(std::move(request), std::move(receiver));
  auto exchange = std::make_shared<Http2Exchange>(peer_, std::move(request), std::move(receiver), timeout_, other_);
  pool_->Submit(exchange);
  return [pool = pool_, exchange = std::move(exchange)] { pool->Cancel(exchange); };
}

}  // namespace berth::http
