#include "http/session.h"

#include <exception>

#include "log/log.h"

namespace berth::http {
namespace {

namespace beast = boost::beast;
namespace field = boost::beast::http;

constexpr std::chrono::seconds kPatience{60};
constexpr std::chrono::seconds kFarewell{2};
constexpr uint32_t kHeaderLimit = 16 * 1024;

bool IsHttpError(beast::error_code error) {
  return error.category() == make_error_code(field::error::end_of_stream).category() &&
         error != field::error::end_of_stream && error != field::error::partial_message;
}

}  // namespace

void Session::Read() {
  parser_.emplace();
  parser_->header_limit(kHeaderLimit);
  stream_.expires_after(kPatience);
  field::async_read_header(stream_, buffer_, *parser_, [self = shared_from_this()](Error error, size_t) {
    if (!error) return self->Write(self->Respond(self->parser_->get()));
    if (!IsHttpError(error)) return;  // who asked has gone, or keeps silent
    Response bad(field::status::bad_request, 11);
    bad.keep_alive(false);
    self->Write(std::move(bad));
  });
}

void Session::Write(Response response) {
  response_ = std::move(response);
  if (!parser_->is_done()) response_->keep_alive(false);  // a body follows, which nobody will read
  stream_.expires_after(kPatience);
  field::async_write(stream_, *response_, [self = shared_from_this()](Error error, size_t) { self->Answered(error); });
}

void Session::Answered(Error error) {
  if (error) return;
  if (!response_->need_eof()) return Read();
  stream_.socket().shutdown(boost::asio::ip::tcp::socket::shutdown_send, error);
  stream_.expires_after(kFarewell);
  Drain();
}

// Closing over bytes that nobody has read would reset the connection, and the answer might be lost with it.
void Session::Drain() {
  stream_.async_read_some(buffer_.prepare(4096), [self = shared_from_this()](Error error, size_t) {
    if (!error) self->Drain();
  });
}

Session::Response Session::Respond(const Request& request) const {
  const bool head = request.method() == field::verb::head;
  const bool allowed = head || request.method() == field::verb::get;
  Answer answer = allowed ? Ask(request) : Answer{.status = 405, .body = "Method Not Allowed\n"};
  Response response(static_cast<field::status>(answer.status), request.version());
  response.keep_alive(request.keep_alive());
  response.set(field::field::content_type, answer.content_type);
  if (!allowed) response.set(field::field::allow, "GET, HEAD");
  response.content_length(answer.body.size());
  if (!head) response.body() = std::move(answer.body);
  return response;
}

Answer Session::Ask(const Request& request) const {
  const std::string_view target(request.target().data(), request.target().size());
  const size_t mark = target.find('?');
  const std::string_view query = mark == std::string_view::npos ? std::string_view() : target.substr(mark + 1);
  try {
    return handler_(target.substr(0, mark), query);
  } catch (const std::exception& e) {
    log::Error("Handler of an HTTP request failed", {{"path", target.substr(0, mark)}, {"err", e.what()}});
    return {.status = 500, .body = "Internal Server Error\n"};
  }
}

}  // namespace berth::http
