#include "client/http/cpprest_connection.h"

#include <cpprest/http_client.h>

#include <atomic>
#include <cerrno>

#include "client/http/push_buffer.h"
#include "client/http/reply_head.h"
#include "client/http/request_head.h"
#include "client/http/threads.h"
#include "client/http/tls.h"

namespace berth::http {
namespace {

namespace rest = web::http;
using Clock = std::chrono::steady_clock;

web::uri Uri(const Endpoint& endpoint) {
  // Without the brackets of an IPv6 host, which the resolver does not accept: cpprestsdk takes the text before the last
  // colon for the host.
  return web::uri(std::string(endpoint.https ? "https" : "http") + "://" + endpoint.host + ":" +
                  std::to_string(endpoint.port) + endpoint.prefix);
}

// With a tunnel, cpprestsdk writes the proxy's credentials into the CONNECT, which only it can write; it leaks some
// bytes each time. Otherwise Berth writes the header.
web::web_proxy Proxy(const Endpoint& endpoint, bool tunnel) {
  web::web_proxy proxy(Uri(endpoint));
  if (tunnel && !endpoint.user.empty()) proxy.set_credentials(web::credentials(endpoint.user, endpoint.password));
  return proxy;
}

std::string BasicAuthorization(const Endpoint& proxy) {
  const std::string text = proxy.user + ":" + proxy.password;
  return "Basic " + utility::conversions::to_base64({text.begin(), text.end()});
}

rest::client::http_client_config Config(const std::shared_ptr<Peer>& peer, std::chrono::milliseconds timeout) {
  rest::client::http_client_config config;
  config.set_timeout(timeout);
  config.set_request_compressed_response(false);
  config.set_max_redirects(0);  // a redirect could send Authorization to another server
  config.set_validate_certificates(!peer->options.tls.insecure);
  config.set_tlsext_sni_enabled(!IsIpAddress(peer->VerifiedName()));  // an address is no server name (RFC 6066)
  config.set_ssl_context_callback([peer](boost::asio::ssl::context& context) { PrepareTls(context, *peer); });
  if (peer->proxy) config.set_proxy(Proxy(*peer->proxy, peer->server.https));
  return config;
}

std::optional<int64_t> RetryAfter(const rest::http_response& response) {
  const auto header = response.headers().find(rest::header_names::retry_after);
  if (header == response.headers().end()) return std::nullopt;
  return RetryAfterSeconds(header->second);
}

Fault FaultOf(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const rest::http_exception& e) {
    return {e.what(), e.error_code().value()};
  } catch (const SetupFault& e) {
    return {e.what(), 0, true};
  } catch (const std::exception& e) {
    return {e.what()};
  }
}

struct Client {
  Client(std::shared_ptr<Peer> of, std::chrono::milliseconds timeout_in)
      : peer(std::move(of)), timeout(timeout_in), http(Uri(peer->server), Config(peer, timeout_in)) {}

  const std::shared_ptr<Peer> peer;
  const std::chrono::milliseconds timeout;
  rest::client::http_client http;
};

// One request in flight. Its pending tasks keep it alive.
class Exchange : public std::enable_shared_from_this<Exchange> {
 public:
  Exchange(std::shared_ptr<Peer> peer, std::chrono::milliseconds timeout, Request request,
           std::shared_ptr<Receiver> receiver)
      : peer_(std::move(peer)),
        timeout_(timeout),
        request_(std::move(request)),
        receiver_(std::move(receiver)),
        has_body_(!request_.body.empty()) {}

  // One source per request: cpprestsdk leaves registrations in it when it sends a request again.
  pplx::cancellation_token_source& cancellation() { return cancellation_; }

  void Run(rest::client::http_client& http) noexcept {
    begin_ = Clock::now();
    try {
      if (cancellation_.get_token().is_canceled()) throw rest::http_exception(ECANCELED, std::generic_category());
      const auto message = Message();
      WithoutSystemTrust fast;
      CheckObjection(*peer_, request_);
      http.request(message, cancellation_.get_token())
          .then([self = shared_from_this()](const pplx::task<rest::http_response>& task) { self->HeadersCame(task); });
    } catch (...) {
      Broke(std::current_exception());
    }
  }

 private:
  rest::http_request Message() {
    rest::http_request message(request_.method);
    message.set_request_uri(CheckedPath());
    auto& headers = message.headers();
    if (auto host = HostHeader(*peer_); !host.empty()) headers.add(rest::header_names::host, host);
    for (const auto& [name, value] : HeaderFields(*peer_, request_)) headers.add(name, value);
    if (peer_->proxy && !peer_->proxy->user.empty() && !peer_->server.https) {
      headers.add(rest::header_names::proxy_authorization, BasicAuthorization(*peer_->proxy));
    }
    if (!request_.body.empty()) message.set_body(std::move(request_.body), request_.content_type);
    Listen(message);
    return message;
  }

  web::uri CheckedPath() const {
    const std::string& path = request_.path;
    // cpprestsdk would read a host from a path that does not begin as one.
    if (!IsPath(path) || !web::uri::validate(path)) throw SetupFault("invalid path");
    return web::uri(path);
  }

  void Listen(rest::http_request& message) {
    auto self = shared_from_this();
    message.set_progress_handler([self](rest::message_direction::direction direction, utility::size64_t bytes) {
      if (direction == rest::message_direction::upload) self->Writes(bytes);
    });
    auto buffer =
        std::make_shared<PushBuffer>([self](const uint8_t* bytes, size_t size) { return self->Put(bytes, size); });
    message.set_response_stream(concurrency::streams::streambuf<uint8_t>(buffer).create_ostream());
  }

  // bytes of the body are written, and more will follow unless these are all.
  void Writes(uint64_t bytes) {
    if (bytes == 0 && has_body_) CheckObjectionToBody();
    written_ = true;
  }

  // The connection has the headers of the request, which the server does not process without the body. A connection
  // with half a request cannot be used again, and cpprestsdk closes it when the request is canceled.
  void CheckObjectionToBody() {
    try {
      CheckObjection(*peer_, request_);
    } catch (...) {
      objection_ = std::current_exception();
      cancellation_.cancel();
      throw;
    }
  }

  void HeadersCame(const pplx::task<rest::http_response>& task) noexcept {
    try {
      rest::http_response response = task.get();
      LogResponse(*peer_, request_, response.status_code(), begin_);
      receiver_->Headers({.status = response.status_code(),
                          .retry_after_seconds = RetryAfter(response),
                          .content_type = response.headers().content_type()});
      headers_told_ = true;
      told_.set();
      response.content_ready().then(
          [self = shared_from_this()](const pplx::task<rest::http_response>& body) { self->BodyCame(body); });
    } catch (...) {
      Broke(std::current_exception());
    }
  }

  void BodyCame(const pplx::task<rest::http_response>& task) noexcept {
    try {
      task.get();
    } catch (...) {
      return Broke(std::current_exception());
    }
    receiver_->End(std::nullopt);
  }

  // The first bytes may arrive before a thread has run HeadersCame: they wait for it.
  pplx::task<size_t> Put(const uint8_t* bytes, size_t size) {
    if (headers_told_) return Deliver(bytes, size);
    return pplx::create_task(told_).then(
        [self = shared_from_this(), bytes, size] { return self->Deliver(bytes, size); });
  }

  pplx::task<size_t> Deliver(const uint8_t* bytes, size_t size) {
    if (receiver_->Bytes({reinterpret_cast<const char*>(bytes), size})) return pplx::task_from_result(size);
    return pplx::task_from_exception<size_t>(rest::http_exception("the receiver wants no more"));
  }

  void Broke(const std::exception_ptr& thrown) noexcept {
    Failure failure = Explain(*peer_, FaultOf(objection_ ? objection_ : thrown), written_, timeout_);
    failure.error.insert(0, ErrorPrefix(*peer_, request_.method, request_.path));
    receiver_->End(std::move(failure));
  }

  const std::shared_ptr<Peer> peer_;
  const std::chrono::milliseconds timeout_;
  Request request_;
  const std::shared_ptr<Receiver> receiver_;
  const bool has_body_;
  std::exception_ptr objection_;  // to the body; set before the request is canceled
  pplx::cancellation_token_source cancellation_;
  Clock::time_point begin_;
  std::atomic<bool> written_ = false;  // completely, at least once
  std::atomic<bool> headers_told_ = false;
  pplx::task_completion_event<void> told_;
};

class CpprestConnection final : public Connection {
 public:
  CpprestConnection(std::shared_ptr<Peer> peer, std::chrono::milliseconds timeout)
      : client_(std::make_shared<Client>(std::move(peer), timeout)) {}

  Cancel Start(Request request, std::shared_ptr<Receiver> receiver) override {
    auto exchange =
        std::make_shared<Exchange>(client_->peer, client_->timeout, std::move(request), std::move(receiver));
    pplx::create_task([client = client_, exchange] { exchange->Run(client->http); });
    return [source = exchange->cancellation()] { source.cancel(); };
  }
  bool multiplexes() const override { return false; }

 private:
  const std::shared_ptr<Client> client_;
};

}  // namespace

void CheckUrls(const Peer& peer) {
  Uri(peer.server);
  if (peer.proxy) Proxy(*peer.proxy, peer.server.https);
}

std::unique_ptr<Connection> MakeCpprestConnection(std::shared_ptr<Peer> peer, std::chrono::milliseconds timeout) {
  StartPool();
  return std::make_unique<CpprestConnection>(std::move(peer), timeout);
}

}  // namespace berth::http
