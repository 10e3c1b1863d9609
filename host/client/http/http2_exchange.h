// One request over HTTP/2, from the queue to the last byte of its reply. Thread: the I/O thread, except for the
// constructor. Ownership: shared by the queue, the link that sends it, and its Cancel.
#pragma once

#include <cerrno>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "client/http/cpprest_connection.h"
#include "client/http2/client_session.h"

namespace berth::http {

class Http2Exchange {
 public:
  using Clock = std::chrono::steady_clock;

  // timeout: without traffic of this request. other: for a server without HTTP/2.
  Http2Exchange(std::shared_ptr<Peer> peer, Request request, std::shared_ptr<Receiver> receiver,
                std::chrono::milliseconds timeout, std::shared_ptr<LazyConnection> other)
      : peer_(std::move(peer)),
        timeout_(timeout),
        other_(std::move(other)),
        request_(std::move(request)),
        receiver_(std::move(receiver)) {}

  // What to write, after the last objection. Throws SetupFault.
  std::vector<http2::Header> Head();
  std::string_view body() const { return request_.body; }

  // What a link reports.
  void Sent() { written_ = true; }
  void HeaderCame(const http2::ReplyHeader& header);
  bool DataCame(std::string_view bytes);
  void Complete();
  // The request fails, unless it has ended. Error: one that Explain understands.
  void Fail(const Fault& fault);
  // Fails it because of a broken connection. The fault has a code, or a sentence that is complete.
  void Break(const Fault& fault);
  // The server has not processed the request: it may be sent again. false: it was, too often.
  bool MayGoAgain();
  // How long to wait before that: nothing the first time, then 1 s, 2 s, and so on, as golang.org/x/net/http2.
  std::chrono::seconds Pause() const;

  bool over() const { return receiver_ == nullptr; }
  bool written() const { return written_; }
  // When it fails unless something arrives, or a link takes it.
  Clock::time_point deadline() const { return active_ + timeout_; }
  void Begin() { active_ = began_ = Clock::now(); }
  // Nothing has arrived in time, or no link has taken it.
  void Expire() { Break({{}, ETIMEDOUT}); }

  // Ends it, wherever it is; a link must have dropped it before.
  void Cancel();
  // Leaves it to the connection for HTTP/1.1.
  void MoveToOther();

 private:
  const std::shared_ptr<Peer> peer_;
  const std::chrono::milliseconds timeout_;
  const std::shared_ptr<LazyConnection> other_;
  Request request_;
  std::shared_ptr<Receiver> receiver_;  // null: it has ended, or is elsewhere
  Connection::Cancel elsewhere_;        // of the other connection
  Clock::time_point began_ = Clock::now(), active_ = began_;
  int sendings_ = 0;
  bool written_ = false, has_header_ = false;
};

}  // namespace berth::http
