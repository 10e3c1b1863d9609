// A small server for what is about this process: health, metrics, configuration. Plain HTTP, GET and HEAD; a body, a
// long header or a minute of silence ends the connection. On Boost.Beast: cpprestsdk's own server crashes or hangs when
// it is closed while somebody connects, and its authors advise against it.
// Thread: Start and the destructor on any thread but the listener's own, on which the handler runs, one call at a time.
// Ownership: the caller's; what the handler refers to must live as long.
#pragma once

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

class Listener {
 public:
  // path and query as they came, percent-encoded; query without '?'. Must be quick, for others wait meanwhile. What it
  // throws is logged, and answered with 500. For HEAD the body is dropped.
  using Handler = std::function<Answer(std::string_view path, std::string_view query)>;

  // address: "127.0.0.1:10261", "[::1]:10261", "name:10261" (its first address), or ":10261" (every IPv4 address). Port
  // 0 takes a free one. Fails with
  //   failed to create listener: failed to listen on 127.0.0.1:10261: bind: address already in use
  static base::Result<std::unique_ptr<Listener>> Start(const std::string& address, Handler handler);
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
