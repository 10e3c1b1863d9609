#include "extender/server.h"

#include <algorithm>
#include <utility>

#include "http/rest_client.h"

namespace berth::extender {
namespace {

using End = Deadlines::End;

// Takes the answer in; see http::BodySink.
class Answer final : public http::BodySink {
 public:
  void OnStatus(int status) override { status_ = status; }
  bool OnBytes(std::string_view bytes) override {
    too_large_ = bytes.size() > kMaxAnswerBytes - body_.size();
    if (!too_large_) body_ += bytes;
    return !too_large_;
  }

  int status() const { return status_; }  // 0: none came
  bool too_large() const { return too_large_; }
  std::string Take() { return std::move(body_); }

 private:
  int status_ = 0;
  bool too_large_ = false;
  std::string body_;
};

// As http.Client words it.
std::string EndText(End end, bool has_status) {
  if (end == End::kClosed) return "context canceled";
  return has_status ? "context deadline exceeded (Client.Timeout or context cancellation while reading body)"
                    : "context deadline exceeded (Client.Timeout exceeded while awaiting headers)";
}

}  // namespace

base::Result<std::unique_ptr<Server>> Server::Make(http::ClientOptions options, std::chrono::nanoseconds timeout) {
  constexpr std::chrono::nanoseconds kLongest = std::chrono::hours(24);
  const auto patience = timeout.count() > 0 ? std::min(timeout, kLongest) : kLongest;
  // The deadline is to end an exchange, whatever it is about; the transport's patience is for what nobody waits for.
  options.idle_timeout = std::chrono::ceil<std::chrono::milliseconds>(patience) + std::chrono::seconds(1);
  options.max_body_bytes = size_t{1} << 20;  // of answers that nobody reads, for they are errors
  std::string url = options.url;
  auto transport = http::MakeRestClient(std::move(options));
  if (!transport) return tl::unexpected(transport.error());
  return std::unique_ptr<Server>(new Server(std::move(*transport), std::move(url), patience));
}

base::Result<std::string> Server::Ask(const std::string& verb, std::string question) {
  const http::Request request{
      .method = "POST", .path = "/" + verb, .body = std::move(question), .content_type = "application/json"};
  Deadlines::Exchange exchange(deadlines_);
  Answer answer;
  const http::Reply reply = transport_->Stream(request, answer, exchange.token());
  const int status = answer.status() != 0 ? answer.status() : reply.status;
  if (status != 0 && status != 200) {
    return base::Fail("failed " + verb + " with extender at URL " + UrlOf(verb) + ", code " + std::to_string(status));
  }
  const std::string prefix = "Post \"" + UrlOf(verb) + "\": ";
  if (answer.too_large()) {
    return base::Fail(prefix + "the answer is larger than " + std::to_string(kMaxAnswerBytes) + " bytes");
  }
  // An ended exchange says nothing of it when a status had come, and what it has of the answer may be a part.
  if (exchange.end() != End::kNone) return base::Fail(prefix + EndText(exchange.end(), status != 0));
  if (!reply.error.empty()) return base::Fail(reply.error);
  return answer.Take();
}

}  // namespace berth::extender
