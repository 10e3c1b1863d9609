// Connections to one server by HTTP/2: few links, each with many requests at once. A server that does not speak HTTP/2
// gets its requests by HTTP/1.1. Sources: golang.org/x/net/http2 transport.go;
// k8s.io/apimachinery/pkg/util/net/http.go.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <memory>
#include <vector>

#include "base/thread_annotations.h"
#include "client/http/connection.h"
#include "client/http/http2_link.h"

namespace berth::http {

// The links to one server, and the requests that wait for one. Thread: Submit and Cancel on any; the rest on
// the I/O thread. Ownership: shared by the connections that use it and, while requests wait, by the dial or the timer
// that they wait for. When the last connection is gone, its links close after their last request.
class Http2Pool final : public Http2Source, public std::enable_shared_from_this<Http2Pool> {
 public:
  static std::shared_ptr<Http2Pool> Make(std::shared_ptr<Peer> peer);

  void Submit(std::shared_ptr<Http2Exchange> exchange) { Post({std::move(exchange), false}); }
  void Cancel(std::shared_ptr<Http2Exchange> exchange) { Post({std::move(exchange), true}); }
  enum class Protocol : uint8_t { kUnknown, kHttp1, kHttp2 };
  // What the server spoke last. After kHttp1, HTTP/2 is tried again from time to time.
  Protocol protocol() const;

  std::shared_ptr<Http2Exchange> Next() override;
  void LinkIsFull() override;
  void Again(std::shared_ptr<Http2Exchange> exchange) override;
  void LinkEnds(const std::shared_ptr<Http2Link>& link, bool closed) override;

 private:
  struct Message {
    std::shared_ptr<Http2Exchange> exchange;  // null: only Work is wanted
    bool cancels = false;
  };
  explicit Http2Pool(std::shared_ptr<Peer> peer);
  void Retire();
  void Post(Message message);
  // Handles the messages, and what follows from them.
  void Work();
  void End(const std::shared_ptr<Http2Exchange>& exchange);
  void Dial();
  // Lets what waits wait for a link that lasts, and dials again after a pause; without such a link, fails it.
  void DialFailed(const Fault& fault);
  int64_t Lasting() const;  // links that take requests now or later
  void IsDialed(const std::shared_ptr<TlsChannel>& channel, const Fault* fault);
  void UseHttp1();
  void Note(Protocol protocol);
  // Sees that no request waits for a link beyond its time.
  void WatchWaiting();
  void ExpireWaiting();

  const std::shared_ptr<Peer> peer_;
  std::atomic<Protocol> protocol_ = Protocol::kUnknown;
  std::atomic<int64_t> protocol_since_ns_ = 0;  // steady clock
  base::Mutex mutex_;
  std::vector<Message> messages_ GUARDED_BY(mutex_);
  bool posted_ GUARDED_BY(mutex_) = false;  // Work follows

  // Of the I/O thread.
  std::deque<std::shared_ptr<Http2Exchange>> waiting_;
  std::vector<std::shared_ptr<Http2Link>> links_;
  boost::asio::steady_timer expiry_;
  bool dialing_ = false, pauses_ = false, retired_ = false, watches_ = false;
};

class Http2Connection final : public Connection {
 public:
  Http2Connection(std::shared_ptr<Peer> peer, std::shared_ptr<Http2Pool> pool, std::chrono::milliseconds timeout);

  Cancel Start(Request request, std::shared_ptr<Receiver> receiver) override;
  bool multiplexes() const override { return pool_->protocol() == Http2Pool::Protocol::kHttp2; }

 private:
  const std::shared_ptr<Peer> peer_;
  const std::shared_ptr<Http2Pool> pool_;
  const std::chrono::milliseconds timeout_;
  const std::shared_ptr<LazyConnection> other_;
};

}  // namespace berth::http
