#include "client/http/session.h"

#include <algorithm>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <exception>
#include <limits>

#include "base/text.h"
#include "client/http/request_fields.h"
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

// Go's answer to a client that does not speak TLS (net/http conn.serve).
constexpr std::string_view kPlainText =
    "HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n";
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

bool IsPlainText(beast::error_code error) {
  return error.category() == asio::error::get_ssl_category() &&
         ERR_GET_REASON(static_cast<unsigned long>(error.value())) == SSL_R_HTTP_REQUEST;
}

bool HasBody(const std::string& method) { return method != "GET" && method != "HEAD"; }

}  // namespace

bool Sessions::MakeRoom() {
  if (expendable.empty()) return false;
  expendable.front()->Cut();
  return true;
}

void Sessions::CloseAll() {
  answers.DropWaiting();
  while (!open.empty()) (*open.begin())->Disconnect();
}

std::shared_ptr<Session> Session::Make(asio::ip::tcp::socket socket, Sessions& all, std::shared_ptr<void> life) {
  const asio::any_io_executor home = socket.get_executor();
  // A thread that makes an answer may be the last owner.
  const auto discard = [home, life = std::move(life)](Session* session) {
    asio::dispatch(home, [session, life] { delete session; });
  };
  return {new Session(std::move(socket), all), discard};
}

Session::Session(asio::ip::tcp::socket socket, Sessions& all)
    : wire_(std::move(socket), all.options.tls.get()), all_(all), buffer_(kBufferLimit) {
  all_.open.insert(this);
}

Session::~Session() {
  DropSource();
  SetExpendable(false);
  all_.open.erase(this);
}

void Session::SetExpendable(bool expendable) {
  if (place_) all_.expendable.erase(*place_);
  place_.reset();
  if (expendable) place_ = all_.expendable.insert(all_.expendable.end(), this);
}

void Session::Cut() {
  Error ignored;
  wire_.tcp().socket().set_option(asio::socket_base::linger(true, 0), ignored);  // no TIME_WAIT state in the kernel
  Disconnect();
}

// A close resets the connection only if the client has sent something that it was not asked for.
void Session::Disconnect() {
  DropSource();
  SetExpendable(false);
  all_.open.erase(this);
  if (!std::exchange(cut_, true)) wire_.tcp().close();
}

void Session::Begin() {
  SetExpendable(true);
  wire_.tcp().expires_after(all_.options.header_time);
  if (!wire_.tls()) return Read();
  wire_.over_tls().async_handshake(asio::ssl::stream_base::server, Then(&Session::OnHandshake));
}

void Session::OnHandshake(Error error) {
  if (cut_) return;
  if (error && IsPlainText(error)) return RefusePlainText();
  if (error) {
    log::V(5, "http: TLS handshake error", {{"remoteAddress", wire_.RemoteAddress()}, {"err", error.message()}});
    return;
  }
  client_certificates_ = wire_.ClientCertificates();
  Read();
}

void Session::RefusePlainText() {
  asio::async_write(wire_.tcp(), asio::buffer(kPlainText.data(), kPlainText.size()),
                    [self = shared_from_this()](Error, size_t) { self->Close(); });
}

void Session::Read() {
  SetExpendable(true);
  parser_.emplace();
  parser_->header_limit(kHeaderLimit);
  parser_->body_limit(std::numeric_limits<uint64_t>::max());  // ReadBody sets it: here it would come before the method
  wire_.With([this](auto& stream) { field::async_read_header(stream, buffer_, *parser_, Then(&Session::OnHeader)); });
}

void Session::OnHeader(Error error) {
  if (cut_) return;
  if (error == field::error::header_limit || error == field::error::buffer_overflow) {
    return Refuse(field::status::request_header_fields_too_large);
  }
  if (error && !IsHttpError(error)) return;  // the client has disconnected or sends nothing
  if (error) return Refuse(field::status::bad_request);
  SetExpendable(true);
  const auto method = parser_->get().method_string();
  const std::vector<std::string>& methods = all_.options.methods;
  if (std::find(methods.begin(), methods.end(), std::string_view(method.data(), method.size())) == methods.end()) {
    Response response = ResponseOf({.status = 405, .body = "Method Not Allowed\n"});
    response.set(field::field::allow, base::Join(methods, ", "));
    return Write(std::move(response));
  }
  if (!parser_->is_done() && HasBody(std::string(method.data(), method.size()))) return ReadBody();
  Respond();
}

void Session::ReadBody() {
  const auto announced = parser_->content_length();
  if (announced && *announced > all_.options.body_limit) return Refuse(field::status::payload_too_large);
  parser_->body_limit(all_.options.body_limit);
  wire_.tcp().expires_after(all_.options.header_time);
  if (beast::iequals(parser_->get()[field::field::expect], "100-continue")) return InviteBody();
  wire_.With([this](auto& stream) { field::async_read(stream, buffer_, *parser_, Then(&Session::OnBody)); });
}

void Session::InviteBody() {
  parser_->get().erase(field::field::expect);
  const auto read = [self = shared_from_this()](Error error, size_t) {
    if (!error && !self->cut_) self->ReadBody();
  };
  wire_.With([&](auto& stream) { asio::async_write(stream, asio::buffer(kContinue.data(), kContinue.size()), read); });
}

void Session::OnBody(Error error) {
  if (cut_) return;
  if (error == field::error::body_limit) return Refuse(field::status::payload_too_large);
  if (error && !IsHttpError(error)) return;
  if (error) return Refuse(field::status::bad_request);
  Respond();
}

void Session::Respond() {
  request_ = IncomingOf(parser_->get());
  request_.remote_address = wire_.RemoteAddress();
  request_.tls = wire_.tls();
  request_.client_certificates = client_certificates_;
  const bool prompt = all_.options.prompt && all_.options.prompt(request_);
  if (prompt) return Send(Ask());
  const bool slow = all_.options.slow && all_.options.slow(request_);
  slow ? AskWhenThereIsRoom(all_.slow_answers, all_.slow_maker) : AskWhenThereIsRoom(all_.answers, all_.maker);
}

void Session::Refuse(field::status status) {
  Response response(status, 11);
  response.keep_alive(false);
  Write(std::move(response));
}

void Session::AskWhenThereIsRoom(Turnstile& answers, base::TaskThreads& maker) {
  SetExpendable(false);
  const bool entered = answers.Enter([self = shared_from_this(), &answers, &maker] {
    self->among_answers_ = &answers;
    self->AskOnAnotherThread(maker);
  });
  if (entered) return;
  SetExpendable(true);
  Write(ResponseOf({.status = 503, .body = "Too many requests, please try again later.\n"}));
}

void Session::AskOnAnotherThread(base::TaskThreads& maker) {
  const auto posted = maker.Post([self = shared_from_this()]() mutable {
    Answer answer = self->Ask();
    const auto back = self->wire_.tcp().get_executor();
    asio::post(back, [self = std::move(self), answer = std::move(answer)]() mutable {
      if (!self->cut_) self->Send(std::move(answer));
    });
  });
  if (posted == base::TaskThreads::Posted::kNoThread) {
    Send({.status = 503, .body = "The system gives no thread for an answer.\n"});
  }
}

Answer Session::Ask() const {
  try {
    return all_.handler(request_);
  } catch (const std::exception& e) {
    log::Error("Handler of an HTTP request failed", {{"path", request_.path}, {"err", e.what()}});
    return {.status = 500, .body = "Internal Server Error\n"};
  }
}

Session::Response Session::ResponseOf(Answer answer) const {
  const auto& request = parser_->get();
  Response response(static_cast<field::status>(answer.status), request.version());
  response.keep_alive(request.keep_alive() && parser_->is_done());  // otherwise a body follows, which is not read
  response.set(field::field::content_type, HeaderValue(std::move(answer.content_type)));
  for (auto& [name, value] : answer.headers) response.insert(name, HeaderValue(std::move(value)));
  response.content_length(answer.body.size());
  if (request.method() != field::verb::head) response.body() = std::move(answer.body);
  return response;
}

void Session::Send(Answer answer) {
  if (answer.source != nullptr && request_.method != "HEAD") return Stream(std::move(answer));
  Write(ResponseOf(std::move(answer)));
}

void Session::Write(Response response) {
  response_ = std::move(response);
  wire_.tcp().expires_after(all_.options.answer_time);
  wire_.With([this](auto& stream) { field::async_write(stream, *response_, Then(&Session::Answered)); });
}

void Session::Answered(Error error) {
  const bool last = response_->need_eof();
  response_.reset();  // frees its memory before the next answer is made
  request_ = {};
  if (Turnstile* entered = std::exchange(among_answers_, nullptr)) entered->Leave();
  if (error || cut_) return;
  if (last) return Close();
  wire_.tcp().expires_after(all_.options.idle_time);
  Read();
}

void Session::Close() {
  if (cut_) return;
  SetExpendable(true);
  wire_.tcp().expires_after(kFarewell);
  const auto drain = [self = shared_from_this()](Error, size_t = 0) {
    Error ignored;
    if (self->cut_) return;
    self->wire_.tcp().socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
    self->Drain();
  };
  if (!wire_.tls() || !SSL_is_init_finished(wire_.over_tls().native_handle())) return drain({});
  wire_.over_tls().async_shutdown(drain);  // sends close_notify, and waits for the client's
}

// Closing with unread bytes would reset the connection, and the client could lose the answer.
void Session::Drain() {
  buffer_.clear();
  wire_.tcp().async_read_some(buffer_.prepare(4096), [self = shared_from_this()](Error error, size_t) {
    if (!error) self->Drain();
  });
}

}  // namespace berth::http
