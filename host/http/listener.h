// A small server for what is about this process: health, metrics, configuration. Plain HTTP, GET and HEAD, with
// keep-alive. Whoever can connect may want to do harm, so that everything it takes is limited: connections, the size of
// a header, the time until it is complete, the time to take an answer, and how many answers are in memory at once.
// Bodies are not read. On Boost.Beast: cpprestsdk's own server crashes or hangs when it is closed while somebody
// connects, and its authors advise against it.
// Thread: Start and the destructor on any thread but the listener's own two: one for sockets and prompt answers, one
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
  // At most so many at a time. Who connects then takes the place of whoever has asked nothing for longest; when all of
  // them wait for answers, it is reset.
  size_t connections = 256;
  // From the connection, or the last answer, to the end of a request's header: also how long a connection may be idle.
  std::chrono::milliseconds header_time{5'000};
  // For the other side to take an answer.
  std::chrono::milliseconds answer_time{10'000};
  // Paths whose answers are small, and made without waiting for anything: they do not wait for other answers. May be
  // empty: none are.
  std::function<bool(std::string_view path)> prompt;
  // Of all other answers so many are made or sent at a time, one made at a time; so many requests wait for that, and
  // more get 503.
  size_t answers = 4, waiting = 16;
};

class Listener {
 public:
  // path and query as they came, percent-encoded; query without '?'. Called on both of the listener's threads. What it
  // throws is logged, and answered with 500. For HEAD the body is dropped.
  using Handler = std::function<Answer(std::string_view path, std::string_view query)>;

  // address: "127.0.0.1:10261", "[::1]:10261", "name:10261" (its first address), or ":10261" (every IPv4 address). Port
  // 0 takes a free one. Fails with
  //   failed to create listener: failed to listen on 127.0.0.1:10261: bind: address already in use
  static base::Result<std::unique_ptr<Listener>> Start(const std::string& address, Handler handler,
                                                       ListenerOptions options = {});
  // Waits for the handler if it runs, and cuts all connections.
  ~Listener();
  Listener(const Listener&) = delete;

  uint16_t port() const;

 private:
  class Server;
  explicit Listener(std::unique_ptr<Server> server);
  std::unique_ptr<Server> server_;
};

}  // namespace berth::http
