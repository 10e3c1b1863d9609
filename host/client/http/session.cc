#include "client/http/session.h"

#include <boost/asio/post.hpp>
#include <chrono>
#include <exception>

#include "telemetry/log/log.h"

namespace berth::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace field = boost::beast::http;

constexpr std::chrono::seconds kFarewell{2};
constexpr uint32_t kHeaderLimit = 16 * 1024;
constexpr size_t kBufferLimit = kHeaderLimit + 4 * 1024;  // and what follows the header

bool IsHttpError(beast::error_code error) {
  return error.category() == make_error_code(field::error::end_of_stream).category() &&
         error != field::error::end_of_stream && error != field::error::partial_message;
}

std::string_view TargetOf(const field::request<field::empty_body>& request) {
  return {request.target().data(), request.target().size()};
}
std::string_view PathOf(std::string_view target) { return target.substr(0, target.find('?')); }

}  // namespace

bool Sessions::MakeRoom() {
  if (expendable.empty()) return false;
  expendable.front()->Cut();
  return true;
}

Session::Session(asio::ip::tcp::socket socket, Sessions& all)
    : stream_(std::move(socket)), all_(all), buffer_(kBufferLimit) {
  ++all_.open;
}

Session::~Session() {
  SetExpendable(false);
  if (!cut_) --all_.open;
}

void Session::SetExpendable(bool expendable) {
  if (place_) all_.expendable.erase(*place_);
  place_.reset();
  if (expendable) place_ = all_.expendable.insert(all_.expendable.end(), this);
}

void Session::Cut() {
  SetExpendable(false);
  cut_ = true;
  --all_.open;
  Error ignored;
  stream_.socket().set_option(asio::socket_base::linger(true, 0), ignored);  // leaves no TIME_WAIT state in the kernel
  stream_.close();
}

void Session::Read() {
  SetExpendable(true);
  parser_.emplace();
  parser_->header_limit(kHeaderLimit);
  stream_.expires_after(all_.options.header_time);
  field::async_read_header(stream_, buffer_, *parser_,
                           [self = shared_from_this()](Error error, size_t) { self->OnHeader(error); });
}

void Session::OnHeader(Error error) {
  if (cut_) return;
  if (error == field::error::header_limit || error == field::error::buffer_overflow) {
    return Refuse(field::status::request_header_fields_too_large);
  }
  if (error && !IsHttpError(error)) return;  // the client has disconnected or sends nothing
  if (error) return Refuse(field::status::bad_request);
  SetExpendable(true);
  const field::verb method = parser_->get().method();
  if (method != field::verb::get && method != field::verb::head) {
    Response response = ResponseOf({.status = 405, .body = "Method Not Allowed\n"});
    response.set(field::field::allow, "GET, HEAD");
    return Write(std::move(response));
  }
  const bool prompt = all_.options.prompt && all_.options.prompt(PathOf(TargetOf(parser_->get())));
  if (prompt) return Write(ResponseOf(Ask()));
  AskWhenThereIsRoom();
}

void Session::Refuse(field::status status) {
  Response response(status, 11);
  response.keep_alive(false);
  Write(std::move(response));
}

void Session::AskWhenThereIsRoom() {
  SetExpendable(false);
  if (all_.answers.Enter([self = shared_from_this()] { self->AskOnTheOtherThread(); })) return;
  SetExpendable(true);
  Write(ResponseOf({.status = 503, .body = "Too many requests, please try again later.\n"}));
}

void Session::AskOnTheOtherThread() {
  among_answers_ = true;
  asio::post(*all_.maker, [self = shared_from_this()]() mutable {
    Answer answer = self->Ask();
    const auto back = self->stream_.get_executor();
    asio::post(back, [self = std::move(self), answer = std::move(answer)]() mutable {
      self->Write(self->ResponseOf(std::move(answer)));
    });
  });
}

Answer Session::Ask() const {
  const std::string_view target = TargetOf(parser_->get());
  const std::string_view path = PathOf(target);
  const std::string_view query = path.size() == target.size() ? std::string_view() : target.substr(path.size() + 1);
  try {
    return all_.handler(path, query);
  } catch (const std::exception& e) {
    log::Error("Handler of an HTTP request failed", {{"path", path}, {"err", e.what()}});
    return {.status = 500, .body = "Internal Server Error\n"};
  }
}

Session::Response Session::ResponseOf(Answer answer) const {
  const Request& request = parser_->get();
  Response response(static_cast<field::status>(answer.status), request.version());
  response.keep_alive(request.keep_alive() && parser_->is_done());  // otherwise a body follows, which is not read
  response.set(field::field::content_type, answer.content_type);
  response.content_length(answer.body.size());
  if (request.method() != field::verb::head) response.body() = std::move(answer.body);
  return response;
}

void Session::Write(Response response) {
  response_ = std::move(response);
  stream_.expires_after(all_.options.answer_time);
  field::async_write(stream_, *response_, [self = shared_from_this()](Error error, size_t) { self->Answered(error); });
}

void Session::Answered(Error error) {
  const bool last = response_->need_eof();
  response_.reset();  // frees its memory before the next answer is made
  if (among_answers_) {
    among_answers_ = false;
    all_.answers.Leave();
  }
  if (error || cut_) return;
  if (!last) return Read();
  stream_.socket().shutdown(asio::ip::tcp::socket::shutdown_send, error);
  SetExpendable(true);
  stream_.expires_after(kFarewell);
  Drain();
}

// Closing with unread bytes would reset the connection, and the client could lose the answer.
void Session::Drain() {
  buffer_.clear();
  stream_.async_read_some(buffer_.prepare(4096), [self = shared_from_this()](Error error, size_t) {
    if (!error) self->Drain();
  });
}

}  // namespace berth::http
