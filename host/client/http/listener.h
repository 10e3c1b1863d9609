// A small server for information about this process: health, metrics, configuration. Plain HTTP, GET and HEAD, with
// keep-alive. Clients may be hostile, so that everything has a limit: the number of connections, the size of a header,
// the time until it is complete, the time to read an answer, and the number of answers in memory. Bodies are not read.
// It uses Boost.Beast, because cpprestsdk's own server crashes or hangs when it is closed while a client connects, and
// its authors advise against it.
// for all others. Ownership: the caller's; what the handler refers to must live as long.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace berth::http {

struct Answer {
  int status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::string body;
};

struct ListenerOptions {
  // The highest number of open connections. A further client replaces the connection that has been idle for longest;
  // when all connections wait for answers, the new one is reset.
  size_t connections = 256;
  // From the connection, or the last answer, to the end of a request header: also the idle timeout.
  std::chrono::milliseconds header_time{5'000};
  // The time in which the client must read an answer.
  std::chrono::milliseconds answer_time{10'000};
  // Selects paths with small answers that never block: they do not wait for other answers. Unset: none.
  std::function<bool(std::string_view path)> prompt;
  // The limits for all other paths: `answers` are made or sent at a time (one is made at a time), `waiting` requests
  // wait for that, and more get 503.
  size_t answers = 4, waiting = 16;
};

class Listener {
 public:
  // path and query are percent-encoded; query is without '?'. Called on both threads of the listener. An exception is
  // logged and answered with 500. For HEAD the body is dropped.
  using Handler = std::function<Answer(std::string_view path, std::string_view query)>;

  // address: "127.0.0.1:10261", "[::1]:10261", "name:10261" (its first address), or ":10261" (every IPv4 address). Port
  // 0 takes a free one. Fails with
  //   failed to create listener: failed to listen on 127.0.0.1:10261: bind: address already in use
  static base::Result<std::unique_ptr<Listener>> Start(const std::string& address, Handler handler,
                                                       ListenerOptions options = {});
  // Waits for a running handler and closes all connections.
  ~Listener();
  Listener(const Listener&) = delete;

  uint16_t port() const;

 private:
  class Server;
  explicit Listener(std::unique_ptr<Server> server);
  std::unique_ptr<Server> server_;
};

}  // namespace berth::http
