#include "client/http/http2_link.h"

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <thread>

#include "client/http/io_thread.h"
#include "client/http/tls.h"

namespace berth::http {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr size_t kReadBytes = size_t{16} << 10;  // the most that TLS gives at once
constexpr size_t kWriteBytes = size_t{64} << 10;

}  // namespace

// A request on its stream.
struct Http2Link::Open final : http2::Exchange {
  Open(Http2Link& of, std::shared_ptr<Http2Exchange> what) : link(of), exchange(std::move(what)) {}

  void OnSent() override { exchange->Sent(); }
  void OnHeader(http2::ReplyHeader header) override { exchange->HeaderCame(header); }
  bool OnData(std::string_view bytes) override { return exchange->DataCame(bytes); }
  void OnEnd(http2::Ending how, const std::string& error) override {
    ending = how;
    text = error;
    link.ended_.push_back(id);
  }

  Http2Link& link;
  const std::shared_ptr<Http2Exchange> exchange;
  http2::StreamId id = 0;
  http2::Ending ending = http2::Ending::kReset;
  std::string text;
};

Http2Link::Http2Link(std::shared_ptr<TlsChannel> channel, std::weak_ptr<Http2Source> source,
                     std::chrono::milliseconds silence, std::chrono::milliseconds idle)
    : channel_(std::move(channel)),
      source_(std::move(source)),
      silence_(silence),
      idle_(idle),
      read_(kReadBytes),
      timer_(IoContext()) {}

Http2Link::~Http2Link() = default;

void Http2Link::Begin() {
  Read();
  Pump();
  Watch(heard_ + silence_);
}

void Http2Link::Read() {
  channel_->stream().async_read_some(
      asio::buffer(read_),
      [self = shared_from_this()](const error_code& error, size_t size) { self->WasRead(error, size); });
}

void Http2Link::WasRead(const error_code& error, size_t size) {
  if (closed_) return;
  if (error) return Close({{}, TlsChannel::CodeOf(error)});
  heard_ = Clock::now();
  pinged_ = {};
  const bool good = session_.Input({read_.data(), size});
  HandleEnded();
  if (!good) return Close({session_.error()});
  Pump();
  if (CloseIfOver()) return;
  AnnounceEnd();
  CloseIfUnused();
  if (closed_) return;
  pacer_.OnRead(size, heard_);
  // The thread sleeps: each arrival would wake it from a wait for a timer, too.
  if (pacer_.bulk() && !channel_->HasUnread()) std::this_thread::sleep_for(ReadPacer::kPause);
  Read();
}

void Http2Link::AnnounceEnd() {
  if (!session_.ends() || std::exchange(announced_, true)) return;
  if (const auto source = source_.lock()) source->LinkEnds(shared_from_this(), false);
}

// After the session has returned, because these calls may use it.
void Http2Link::HandleEnded() {
  if (ended_.empty()) return;
  used_ = Clock::now();
  for (const http2::StreamId id : std::exchange(ended_, {})) {
    const auto found = open_.find(id);
    if (found == open_.end()) continue;
    const std::unique_ptr<Open> one = std::move(found->second);
    open_.erase(found);
    const auto& exchange = one->exchange;
    const auto source = source_.lock();
    if (one->ending == http2::Ending::kComplete) {
      exchange->Complete();
    } else if ((one->ending == http2::Ending::kRefused || !exchange->written()) && source && exchange->MayGoAgain()) {
      source->Again(exchange);
    } else {
      exchange->Fail({one->text, 0});
    }
  }
}

void Http2Link::Pump() {
  if (closed_ || writing_) return;
  const auto source = source_.lock();
  session_.Output(out_, kWriteBytes);
  while (source && takes_requests() && out_.size() < kWriteBytes) {
    auto exchange = source->Next();
    if (!exchange) break;
    Take(std::move(exchange));
    session_.Output(out_, kWriteBytes);
  }
  HandleEnded();
  if (source && !takes_requests()) source->LinkIsFull();
  if (!out_.empty()) Write();
}

void Http2Link::Take(std::shared_ptr<Http2Exchange> exchange) {
  std::vector<http2::Header> head;
  try {
    head = exchange->Head();
  } catch (const std::exception& e) {
    return exchange->Fail({e.what(), 0, true});
  }
  exchange->Begin();
  Watch(std::min(exchange->deadline(), Clock::now() + silence_));
  auto open = std::make_unique<Open>(*this, exchange);
  open->id = session_.Start(head, exchange->body(), *open);
  if (open->id == 0) return exchange->Fail({"http2: no new request can start on the connection", 0, true});
  open_.emplace(open->id, std::move(open));
}

void Http2Link::Write() {
  writing_ = true;
  asio::async_write(channel_->stream(), asio::buffer(out_),
                    [self = shared_from_this()](const error_code& error, size_t) {
                      self->writing_ = false;
                      self->out_.clear();
                      if (self->closed_) return;
                      if (error) return self->Close({{}, TlsChannel::CodeOf(error)});
                      self->Pump();
                      self->CloseIfOver();
                    });
}

bool Http2Link::Cancel(const std::shared_ptr<Http2Exchange>& exchange) {
  const auto found =
      std::find_if(open_.begin(), open_.end(), [&](const auto& one) { return one.second->exchange == exchange; });
  if (found == open_.end()) return false;
  session_.Reset(found->first);
  open_.erase(found);
  used_ = Clock::now();
  exchange->Cancel();
  Pump();
  CloseIfUnused();
  return true;
}

void Http2Link::Retire() {
  retired_ = true;
  CloseIfUnused();
}

bool Http2Link::CloseIfOver() {
  if (!closed_ && session_.over()) {
    Close({session_.error().empty() ? "http2: the server ended the connection" : session_.error()});
  }
  return closed_;
}

void Http2Link::CloseIfUnused() {
  if (!closed_ && open_.empty() && (retired_ || session_.ends())) Close({});
}

void Http2Link::Close(const Fault& why) {
  if (std::exchange(closed_, true)) return;
  timer_.cancel();
  channel_->Close();
  const auto self = shared_from_this();
  const auto source = source_.lock();
  if (source) source->LinkEnds(self, true);
  for (auto& [id, one] : std::exchange(open_, {})) {
    // The server cannot have a request of which nothing was written.
    if (source && !one->exchange->written() && one->exchange->MayGoAgain()) {
      source->Again(one->exchange);
    } else {
      one->exchange->Break(why);
    }
  }
}

// Calls Tick at that time, or earlier.
void Http2Link::Watch(Clock::time_point due) {
  if (closed_ || due >= watched_) return;
  watched_ = due;
  timer_.expires_at(due);
  timer_.async_wait([self = shared_from_this()](const error_code& error) {
    if (!error) self->Tick();
  });
}

Http2Link::Clock::time_point Http2Link::NextTick() const {
  Clock::time_point due = pinged_ == Clock::time_point() ? heard_ + silence_ : pinged_ + silence_ / 2;
  if (open_.empty()) return std::min(due, used_ + idle_);
  for (const auto& [id, one] : open_) due = std::min(due, one->exchange->deadline());
  return due;
}

void Http2Link::Tick() {
  watched_ = Clock::time_point::max();
  if (closed_) return;
  const auto now = Clock::now();
  BreakLate(now);
  if (open_.empty() && now >= used_ + idle_) return Close({});
  if (pinged_ != Clock::time_point() && now >= pinged_ + silence_ / 2) return Close({"http2: client connection lost"});
  if (pinged_ == Clock::time_point() && now >= heard_ + silence_) {
    session_.Ping();
    pinged_ = now;
  }
  Pump();
  CloseIfUnused();
  Watch(NextTick());
}

void Http2Link::BreakLate(Clock::time_point now) {
  std::vector<std::shared_ptr<Http2Exchange>> late;
  for (auto it = open_.begin(); it != open_.end();) {
    if (it->second->exchange->deadline() > now) {
      ++it;
      continue;
    }
    session_.Reset(it->first);
    late.push_back(it->second->exchange);
    it = open_.erase(it);
  }
  for (const auto& exchange : late) exchange->Expire();
  if (!late.empty()) used_ = now;
}

}  // namespace berth::http
