#include "http/listener.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <thread>
#include <utility>

#include "http/session.h"

namespace berth::http {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

struct Place {
  std::string host, port;
};

base::Result<Place> ParsePlace(std::string_view address) {
  const size_t colon = address.rfind(':');
  if (colon == std::string_view::npos) return base::Fail("missing port in address");
  std::string_view host = address.substr(0, colon), port = address.substr(colon + 1);
  const bool digits =
      !port.empty() && port.size() <= 5 && port.find_first_not_of("0123456789") == std::string_view::npos;
  if (!digits || std::stoi(std::string(port)) > 65535) return base::Fail("invalid port");
  if (host.empty()) host = "0.0.0.0";
  if (host.starts_with('[') && host.ends_with(']')) {
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != std::string_view::npos) {
    return base::Fail("too many colons in address");
  }
  return Place{std::string(host), std::string(port)};
}

std::string LowerFirst(std::string text) {
  if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z') text[0] = static_cast<char>(text[0] + 32);
  return text;
}

}  // namespace

class Listener::Server {
 public:
  explicit Server(Handler handler) : handler_(std::move(handler)) {}
  ~Server() {
    io_.stop();
    if (thread_.joinable()) thread_.join();
  }

  // Empty, or what failed.
  std::string Open(const Place& place) {
    boost::system::error_code error;
    const auto found = tcp::resolver(io_).resolve(place.host, place.port, tcp::resolver::passive, error);
    if (error) return "lookup " + place.host + ": " + LowerFirst(error.message());
    const tcp::endpoint endpoint = *found.begin();
    const char* step = "socket";
    acceptor_.open(endpoint.protocol(), error);
    if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor_.bind(endpoint, error), step = "bind";
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error), step = "listen";
    return error ? step + (": " + LowerFirst(error.message())) : std::string();
  }

  void Run() {
    Accept();
    thread_ = std::jthread([this] { io_.run(); });
  }

  uint16_t port() const { return acceptor_.local_endpoint().port(); }

 private:
  void Accept() {
    acceptor_.async_accept([this](boost::system::error_code error, tcp::socket socket) {
      if (error) return Rest();
      std::make_shared<Session>(std::move(socket), handler_)->Read();
      Accept();
    });
  }

  // No more descriptors, most likely: they do not come back faster for asking at once again.
  void Rest() {
    rest_.expires_after(std::chrono::milliseconds(100));
    rest_.async_wait([this](boost::system::error_code) { Accept(); });
  }

  const Handler handler_;
  asio::io_context io_{1};
  tcp::acceptor acceptor_{io_};
  asio::steady_timer rest_{io_};
  std::jthread thread_;
};

Listener::Listener(std::unique_ptr<Server> server) : server_(std::move(server)) {}
Listener::~Listener() = default;
uint16_t Listener::port() const { return server_->port(); }

base::Result<std::unique_ptr<Listener>> Listener::Start(const std::string& address, Handler handler) {
  const auto fail = [&](const std::string& why) {
    return base::Fail("failed to create listener: failed to listen on " + address + ": " + why);
  };
  auto place = ParsePlace(address);
  if (!place) return fail(place.error().message);
  auto server = std::make_unique<Server>(std::move(handler));
  if (const std::string wrong = server->Open(*place); !wrong.empty()) return fail(wrong);
  server->Run();
  return std::unique_ptr<Listener>(new Listener(std::move(server)));
}

}  // namespace berth::http
