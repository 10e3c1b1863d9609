// The server behind an extender: questions posted to it, answers taken, in the time that it has for both together.
// Thread: Ask from any thread but one of host/http, several at a time, each of which it blocks; Close from any.
// Ownership: must not be destroyed while somebody asks.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

#include "base/result.h"
#include "extender/deadlines.h"
#include "http/tls_options.h"
#include "http/transport.h"

namespace berth::extender {

inline constexpr size_t kMaxAnswerBytes = size_t{64} << 20;

class Server {
 public:
  // options: url without a slash at its end, proxy and TLS; the limits are set here. timeout <= 0: none to speak of.
  static base::Result<std::unique_ptr<Server>> Make(http::ClientOptions options, std::chrono::nanoseconds timeout);

  // The body of the answer, which had status 200. kube-scheduler's errors:
  //   failed filter with extender at URL http://127.0.0.1:8888/filter, code 500
  //   Post "http://127.0.0.1:8888/filter": context deadline exceeded (Client.Timeout exceeded while awaiting headers)
  // A request may reach the server twice: where a kept connection turns out to be closed, it is sent again.
  base::Result<std::string> Ask(const std::string& verb, std::string question);

  // What is asked, and what will be asked, fails.
  void Close() { deadlines_.Close(); }

  std::string UrlOf(const std::string& verb) const { return url_ + "/" + verb; }

 private:
  Server(std::unique_ptr<http::Transport> transport, std::string url, std::chrono::nanoseconds patience)
      : transport_(std::move(transport)), url_(std::move(url)), deadlines_(patience) {}

  const std::unique_ptr<http::Transport> transport_;
  const std::string url_;
  Deadlines deadlines_;
};

}  // namespace berth::extender
