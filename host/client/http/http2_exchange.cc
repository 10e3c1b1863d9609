#include "client/http/http2_exchange.h"

#include <cerrno>

#include "base/text.h"
#include "client/http/reply_head.h"
#include "client/http/request_head.h"
#include "client/http/tls.h"

namespace berth::http {
namespace {

constexpr int kEndOfFile = 2;     // boost::asio::error::eof
constexpr int kMostSendings = 6;  // golang.org/x/net/http2 RoundTripOpt

}  // namespace

std::vector<http2::Header> Http2Exchange::Head() {
  if (!IsPath(request_.path)) throw SetupFault("invalid path");
  CheckObjection(*peer_, request_);
  std::string host = HostHeader(*peer_);
  std::vector<http2::Header> head{{":method", request_.method},
                                  {":scheme", "https"},
                                  {":authority", host.empty() ? peer_->server.Address() : std::move(host)},
                                  {":path", peer_->server.prefix + request_.path}};
  for (auto& [name, value] : HeaderFields(*peer_, request_)) head.push_back({base::Lower(name), std::move(value)});
  if (!request_.body.empty()) {
    head.push_back({"content-type", request_.content_type});
    head.push_back({"content-length", std::to_string(request_.body.size())});
  }
  return head;
}

void Http2Exchange::HeaderCame(const http2::ReplyHeader& header) {
  active_ = Clock::now();
  has_header_ = true;
  LogResponse(*peer_, request_, header.status, began_);
  receiver_->Headers({.status = header.status,
                      .retry_after_seconds = RetryAfterSeconds(header.retry_after),
                      .content_type = header.content_type});
}

bool Http2Exchange::DataCame(std::string_view bytes) {
  active_ = Clock::now();
  return receiver_->Bytes(bytes);
}

void Http2Exchange::Complete() {
  if (const auto receiver = std::exchange(receiver_, nullptr)) receiver->End(std::nullopt);
}

void Http2Exchange::Fail(const Fault& fault) {
  const auto receiver = std::exchange(receiver_, nullptr);
  if (!receiver) return;
  Failure failure = Explain(*peer_, fault, written_, timeout_);
  // A request that no connection has written did not reach the server, whatever broke.
  failure.maybe_delivered = written_;
  failure.error.insert(0, ErrorPrefix(*peer_, request_.method, request_.path));
  receiver->End(std::move(failure));
}

void Http2Exchange::Break(const Fault& fault) {
  if (fault.code == 0) return Fail(fault);
  if (has_header_) return Fail({"Failed to read response body", fault.code});
  Fail({"Failed to read HTTP status line", fault.code == kEndOfFile ? ECONNABORTED : fault.code});
}

void Http2Exchange::Cancel() {
  if (elsewhere_) return elsewhere_();
  Fail({"Request canceled by user.", ECANCELED});
}

void Http2Exchange::MoveToOther() {
  if (!over()) elsewhere_ = other_->Get().Start(std::move(request_), std::exchange(receiver_, nullptr));
}

bool Http2Exchange::MayGoAgain() {
  written_ = false;
  return ++sendings_ < kMostSendings;
}

std::chrono::seconds Http2Exchange::Pause() const {
  return std::chrono::seconds(sendings_ < 2 ? 0 : 1 << (sendings_ - 2));
}

}  // namespace berth::http
