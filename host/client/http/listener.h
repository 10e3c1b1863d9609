// A small server for information about this process: health, metrics, configuration, debugging. HTTP/1.1 with
// keep-alive, plain or over TLS. Clients may be hostile, so that everything has a limit: the number of connections, the
// size of a header and of a body, the time until a handshake, a header, or a body is complete, the time to read an
// answer, and the number of answers in memory. It uses Boost.Beast, because cpprestsdk's own server crashes or hangs
// when it is closed while a client connects, and its authors advise against it.
//
// Ownership: the caller's; what the handler refers to must live as long.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "client/http/incoming.h"
#include "client/http/server_tls.h"

namespace berth::http {

struct ListenerOptions {
  // The highest number of open connections. A further client replaces the connection that has been idle for longest;
  // when all connections wait for answers, the new one is reset.
  size_t connections = 256;
  // From the connection to the end of the first request header, with the TLS handshake; also from a header to the end
  // of its body.
  std::chrono::milliseconds header_time{5'000};
  // From an answer to the end of the next request header.
  std::chrono::milliseconds idle_time{5'000};
  // The time in which the client must read an answer.
  std::chrono::milliseconds answer_time{10'000};
  // Selects requests with small answers whose handler never blocks: they do not wait for other answers. Called on the
  // thread of the connections. Unset: none.
  std::function<bool(const Incoming&)> prompt = {};
  // Selects requests whose answers may take minutes. Each is made on a separate thread, at most two at a time; further
  // ones get 503. Called like prompt. Unset: none.
  std::function<bool(const Incoming&)> slow = {};
  // The limits for all other requests: at most `answers` are made or sent at a time, each on a separate thread; at most
  // `waiting` requests wait; further ones get 503.
  size_t answers = 4, waiting = 16;
  // Other methods get 405. The body of a request is read, up to body_limit bytes, unless the method is GET or HEAD; a
  // larger one gets 413.
  std::vector<std::string> methods = {"GET", "HEAD"};
  size_t body_limit = size_t{64} * 1024;
  std::shared_ptr<ServerTls> tls = nullptr;  // nullptr: plain HTTP
  // An address without a host, or an unspecified one (0.0.0.0, [::]), means all addresses of both families, as in Go's
  // net.Listen; otherwise only that address.
  bool both_families = false;
  bool share_port = false;  // SO_REUSEPORT: other processes of this user may listen on the port as well
};

class Listener {
 public:
  // Called on several threads. May block up to 10 s, unless options.prompt selects the request; minutes if options.slow
  // does. An exception is logged and answered with 500. For HEAD the body is dropped.
  using Handler = std::function<Answer(const Incoming&)>;

  // address: "127.0.0.1:10261", "[::1]:10261", "name:10261" (its first address), or ":10261" (every IPv4 address). Port
  // 0 takes a free one. Fails with
  //   failed to create listener: failed to listen on 127.0.0.1:10261: bind: address already in use
  static base::Result<std::unique_ptr<Listener>> Start(const std::string& address, Handler handler,
                                                       ListenerOptions options = {});
  // Waits for running handlers and closes all connections.
  ~Listener();
  Listener(const Listener&) = delete;

  uint16_t port() const;

 private:
  class Server;
  explicit Listener(std::unique_ptr<Server> server);
  std::unique_ptr<Server> server_;
};

}  // namespace berth::http
