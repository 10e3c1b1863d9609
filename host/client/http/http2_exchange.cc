#include "client/http/http2_exchange.h"

#include <cctype>
#include <cerrno>
#include <charconv>

#include "client/http/request_head.h"
#include "client/http/tls.h"
#include "telemetry/log/log.h"

namespace berth::http {
namespace {

constexpr int kEndOfFile = 2;     // boost::asio::error::eof
constexpr int kMostSendings = 6;  // golang.org/x/net/http2 RoundTripOpt

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

std::optional<int64_t> Seconds(const std::string& text) {
  int64_t seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || end != text.data() + text.size() || seconds < 0) return std::nullopt;
  return seconds;
}

}  // namespace

std::vector<http2::Header> Http2Exchange::Head() {
  if (!IsPath(request_.path)) throw SetupFault("invalid path");
  CheckObjection(*peer_, request_);
  std::string host = HostHeader(*peer_);
  std::vector<http2::Header> head{{":method", request_.method},
                                  {":scheme", "https"},
                                  {":authority", host.empty() ? peer_->server.Address() : std::move(host)},
                                  {":path", peer_->server.prefix + request_.path}};
  for (auto& [name, value] : HeaderFields(*peer_, request_)) head.push_back({Lower(name), std::move(value)});
  if (!request_.body.empty()) {
    head.push_back({"content-type", request_.content_type});
    head.push_back({"content-length", std::to_string(request_.body.size())});
  }
  return head;
}

void Http2Exchange::HeaderCame(const http2::ReplyHeader& header) {
  active_ = Clock::now();
  has_header_ = true;
  Trace(header.status);
  receiver_->Headers({.status = header.status,
                      .retry_after_seconds = Seconds(header.retry_after),
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

void Http2Exchange::Break(const std::string& sentence, int code) {
  if (code == 0) return Fail({sentence, 0});
  if (has_header_) return Fail({"Failed to read response body", code});
  Fail({"Failed to read HTTP status line", code == kEndOfFile ? ECONNABORTED : code});
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

// client-go's line, at its verbosity.
void Http2Exchange::Trace(int status) const {
  if (!log::LogEnabled(6)) return;
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - began_);
  log::V(6, "Response",
         {{"verb", request_.method},
          {"url", peer_->server.Url() + request_.path},
          {"status", status},
          {"milliseconds", took.count()}});
}

}  // namespace berth::http
