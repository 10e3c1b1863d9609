// One TCP connection that speaks HTTP/2. It takes requests from its owner whenever it can write, so that a request is
// checked right before it is written, and writes those that wait in one piece. Thread: the I/O thread. Ownership:
// shared by the owner and its own operations; the owner outlives it or is gone (weak).
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "client/http/http2_exchange.h"
#include "client/http/read_pacer.h"
#include "client/http/tls_dial.h"

namespace berth::http {

class Http2Link;

// Where a link takes its requests from.
class Http2Source {
 public:
  virtual ~Http2Source() = default;
  // The next request; null: none waits.
  virtual std::shared_ptr<Http2Exchange> Next() = 0;
  // A link has as many requests as the server allows.
  virtual void LinkIsFull() = 0;
  // Sends it over another link, or this one: the server has not processed it.
  virtual void Again(std::shared_ptr<Http2Exchange> exchange) = 0;
  // A link does not take requests any more, or has ended.
  virtual void LinkEnds(const std::shared_ptr<Http2Link>& link, bool closed) = 0;
};

class Http2Link : public std::enable_shared_from_this<Http2Link> {
 public:
  // silence: how long the server may send nothing before a ping, which it must answer in half of that time. idle: how
  // long the link stays open without a request.
  Http2Link(std::shared_ptr<TlsChannel> channel, std::weak_ptr<Http2Source> source, std::chrono::milliseconds silence,
            std::chrono::milliseconds idle);
  ~Http2Link();

  void Begin();
  // Takes requests from the source and writes them, unless a write is under way.
  void Pump();
  // Ends an exchange that this link has. false: it has not.
  bool Cancel(const std::shared_ptr<Http2Exchange>& exchange);
  // Takes no more requests, and closes after the last one.
  void Retire();

  bool takes_requests() const { return !retired_ && !closed_ && session_.Room() > 0; }
  // It takes no request any more.
  bool ends() const { return retired_ || closed_ || session_.ends(); }

 private:
  using Clock = Http2Exchange::Clock;
  struct Open;

  void Read();
  void WasRead(const boost::system::error_code& error, size_t size);
  void Take(std::shared_ptr<Http2Exchange> exchange);
  void Write();
  void HandleEnded();
  void Watch(Clock::time_point due);
  Clock::time_point NextTick() const;
  void Tick();
  void BreakLate(Clock::time_point now);
  // Closes, and fails what is open.
  void Close(const Fault& why);
  void AnnounceEnd();
  void CloseIfUnused();
  bool CloseIfOver();  // true: it is closed

  const std::shared_ptr<TlsChannel> channel_;
  const std::weak_ptr<Http2Source> source_;
  const std::chrono::milliseconds silence_, idle_;
  http2::ClientSession session_;
  std::unordered_map<http2::StreamId, std::unique_ptr<Open>> open_;
  std::vector<http2::StreamId> ended_;  // in the current call of the session
  std::vector<char> read_;
  ReadPacer pacer_;
  std::string out_;  // what is being written
  boost::asio::steady_timer timer_;
  Clock::time_point watched_ = Clock::time_point::max();    // when the timer fires
  Clock::time_point heard_ = Clock::now(), used_ = heard_;  // used_: a stream ended
  Clock::time_point pinged_;                                // the zero time: no answer is missing
  bool writing_ = false, retired_ = false, closed_ = false, announced_ = false;
};

}  // namespace berth::http
