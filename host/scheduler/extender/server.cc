#include "scheduler/extender/server.h"

#include <algorithm>
#include <utility>

#include "client/http/rest_client.h"

namespace berth::extender {
namespace {

using End = Deadlines::End;

// Receives the reply; see http::BodySink.
class ReplyBody final : public http::BodySink {
 public:
  void OnHead(const http::ReplyHead& head) override { status_ = head.status; }
  bool OnBytes(std::string_view bytes) override {
    too_large_ = bytes.size() > kMaxReplyBytes - body_.size();
    if (!too_large_) body_ += bytes;
    return !too_large_;
  }

  int status() const { return status_; }  // 0 if none arrived
  bool too_large() const { return too_large_; }
  std::string Take() { return std::move(body_); }

 private:
  int status_ = 0;
  bool too_large_ = false;
  std::string body_;
};

// The error text of Go's http.Client.
std::string EndText(End end, bool has_status) {
  if (end == End::kClosed) return "context canceled";
  return has_status ? "context deadline exceeded (Client.Timeout or context cancellation while reading body)"
                    : "context deadline exceeded (Client.Timeout exceeded while awaiting headers)";
}

}  // namespace

base::Result<std::unique_ptr<Server>> Server::Make(http::ClientOptions options, std::chrono::nanoseconds timeout) {
  constexpr std::chrono::nanoseconds kLongest = std::chrono::hours(24);
  const auto limit = timeout.count() > 0 ? std::min(timeout, kLongest) : kLongest;
  // The deadline must end an exchange first, so the timeout of the transport is longer.
  options.idle_timeout = std::chrono::ceil<std::chrono::milliseconds>(limit) + std::chrono::seconds(1);
  options.max_body_bytes = size_t{1} << 20;  // of replies with an error status, which are not read
  std::string url = options.url;
  auto transport = http::MakeRestClient(std::move(options));
  if (!transport) return tl::unexpected(transport.error());
  return std::unique_ptr<Server>(new Server(std::move(*transport), std::move(url), limit));
}

base::Result<std::string> Server::Send(const std::string& verb, std::string body) {
  const http::Request request{
      .method = "POST", .path = "/" + verb, .body = std::move(body), .content_type = "application/json"};
  Deadlines::Exchange exchange(deadlines_);
  ReplyBody received;
  const http::Reply reply = transport_->Stream(request, received, exchange.token());
  const int status = received.status() != 0 ? received.status() : reply.status;
  if (status != 0 && status != 200) {
    return base::Fail("failed " + verb + " with extender at URL " + UrlOf(verb) + ", code " + std::to_string(status));
  }
  const std::string prefix = "Post \"" + UrlOf(verb) + "\": ";
  if (received.too_large()) {
    return base::Fail(prefix + "the answer is larger than " + std::to_string(kMaxReplyBytes) + " bytes");
  }
  // An exchange that was ended after the status arrived has no error, and its body can be incomplete.
  if (exchange.end() != End::kNone) return base::Fail(prefix + EndText(exchange.end(), status != 0));
  if (!reply.error.empty()) return base::Fail(reply.error);
  return received.Take();
}

}  // namespace berth::extender
