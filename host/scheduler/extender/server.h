// The HTTP server of an extender: sends a request and reads the reply before a common deadline. Source: send in
// pkg/scheduler/extender.go.
// Thread: Send blocks, and any thread except those of host/client/http can call it, several at the same time; Close:
// any. Ownership: must not be destroyed during Send.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

#include "base/result.h"
#include "client/http/tls_options.h"
#include "client/http/transport.h"
#include "scheduler/extender/deadlines.h"

namespace berth::extender {

inline constexpr size_t kMaxReplyBytes = size_t{64} << 20;

class Server {
 public:
  // options: url without a trailing slash, proxy, and TLS; Make sets the limits. timeout <= 0: one day.
  static base::Result<std::unique_ptr<Server>> Make(http::ClientOptions options, std::chrono::nanoseconds timeout);

  // Returns the body of a reply with status 200. Errors are those of kube-scheduler:
  //   failed filter with extender at URL http://127.0.0.1:8888/filter, code 500
  //   Post "http://127.0.0.1:8888/filter": context deadline exceeded (Client.Timeout exceeded while awaiting headers)
  // The server can receive a request twice: after a failure of a reused connection, the request is sent again.
  base::Result<std::string> Send(const std::string& verb, std::string body);

  // Ends open calls of Send with an error; later calls fail.
  void Close() { deadlines_.Close(); }

  std::string UrlOf(const std::string& verb) const { return url_ + "/" + verb; }

 private:
  Server(std::unique_ptr<http::Transport> transport, std::string url, std::chrono::nanoseconds timeout)
      : transport_(std::move(transport)), url_(std::move(url)), deadlines_(timeout) {}

  const std::unique_ptr<http::Transport> transport_;
  const std::string url_;
  Deadlines deadlines_;
};

}  // namespace berth::extender
