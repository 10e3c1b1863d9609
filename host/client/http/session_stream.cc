#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <utility>

#include "client/http/session.h"

namespace berth::http {
namespace {

namespace asio = boost::asio;
namespace field = boost::beast::http;

// Bytes: a client that sends more is no client of a stream.
constexpr size_t kMostUnasked = size_t{16} * 1024;

}  // namespace

void Session::DropSource() {
  if (source_ == nullptr) return;
  source_->SetWake({});
  source_.reset();
}

// A stream keeps no place among the answers: its source limits how many there are.
void Session::Stream(Answer answer) {
  source_ = std::move(answer.source);
  answer.body.clear();
  response_ = ResponseOf(std::move(answer));
  response_->keep_alive(false);
  response_->erase(field::field::content_length);
  if (response_->version() == 11) response_->chunked(true);
  if (Turnstile* entered = std::exchange(among_answers_, nullptr)) entered->Leave();
  stream_header_.emplace(*response_);
  wire_.tcp().expires_after(all_.options.answer_time);
  wire_.With(
      [this](auto& stream) { field::async_write_header(stream, *stream_header_, Then(&Session::OnStreamHeader)); });
}

void Session::OnStreamHeader(Error error) {
  if (error || cut_) return Disconnect();
  wire_.tcp().expires_never();  // for WatchClient; each write sets its own time
  n_unasked_ = buffer_.size();
  buffer_.clear();
  WatchClient();
  const auto pump = [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->Pump();
  };
  source_->SetWake([pump, back = wire_.tcp().get_executor()] { asio::post(back, pump); });
  Pump();
}

// A client sends nothing more: it only disconnects. This read keeps the session while there is nothing to send.
void Session::WatchClient() {
  const auto then = [self = shared_from_this()](Error error, size_t read) {
    if (self->cut_) return;
    self->n_unasked_ += read;
    error || self->n_unasked_ > kMostUnasked ? self->Disconnect() : self->WatchClient();
  };
  wire_.With([&](auto& stream) { stream.async_read_some(buffer_.prepare(4096), then); });
}

void Session::Pump() {
  if (writing_ || complete_ || source_ == nullptr) return;
  std::optional<std::string> next = source_->Next();
  complete_ = !next;
  if (next && next->empty()) return;
  WritePiece(next.value_or(std::string()));
}

void Session::WritePiece(std::string piece) {
  writing_ = true;
  piece_ = std::move(piece);
  wire_.tcp().expires_after(all_.options.answer_time);
  wire_.With([this](auto& stream) {
    const auto bytes = asio::buffer(piece_);
    if (!response_->chunked()) {
      asio::async_write(stream, bytes, Then(&Session::OnPiece));
    } else if (complete_) {
      asio::async_write(stream, field::make_chunk_last(), Then(&Session::OnPiece));
    } else {
      asio::async_write(stream, field::make_chunk(bytes), Then(&Session::OnPiece));
    }
  });
}

void Session::OnPiece(Error error) {
  writing_ = false;
  piece_ = {};
  if (cut_) return;
  if (error || complete_) return Disconnect();
  Pump();
}

}  // namespace berth::http
