#include "client/http/listener.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/steady_timer.hpp>
#include <thread>
#include <utility>

#include "base/text.h"
#include "base/thread_name.h"
#include "client/http/session.h"

namespace berth::http {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

// Of a connection. Otherwise the kernel buffers megabytes of an answer that the client does not read.
constexpr int kSendBuffer = 64 * 1024;

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

}  // namespace

class Listener::Server {
 public:
  Server(Handler handler, ListenerOptions options) : sessions_(std::move(handler), std::move(options)) {}
  ~Server() {
    io_.stop();
    if (thread_.joinable()) thread_.join();
    sessions_.End();
    sessions_.EndStreams();
  }

  // Returns the failed step, or "".
  std::string Open(const Place& place) {
    boost::system::error_code error;
    const auto found = tcp::resolver(io_).resolve(place.host, place.port, tcp::resolver::passive, error);
    if (error) return "lookup " + place.host + ": " + base::LowerFirst(error.message());
    const tcp::endpoint endpoint = *found.begin();
    const char* step = OpenSocket(endpoint, error);
    if (!error) acceptor_.bind(Bound(endpoint), error), step = "bind";
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error), step = "listen";
    return error ? step + (": " + base::LowerFirst(error.message())) : std::string();
  }

  void Run() {
    Accept();
    thread_ = std::jthread([this] {
      base::NameThread("http-server");
      io_.run();
    });
  }

  uint16_t port() const { return acceptor_.local_endpoint().port(); }

 private:
  using SharePort = asio::detail::socket_option::boolean<SOL_SOCKET, SO_REUSEPORT>;

  // Returns the step. A machine without IPv6 keeps the family of the address.
  const char* OpenSocket(const tcp::endpoint& endpoint, boost::system::error_code& error) {
    if (sessions_.options.both_families && endpoint.address().is_unspecified()) {
      acceptor_.open(tcp::v6(), error);
      if (!error) acceptor_.set_option(asio::ip::v6_only(false), error);
      if (error) acceptor_.close();
    }
    if (!acceptor_.is_open()) acceptor_.open(endpoint.protocol(), error);
    if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error && sessions_.options.share_port) acceptor_.set_option(SharePort(true), error);
    return "socket";
  }

  tcp::endpoint Bound(const tcp::endpoint& endpoint) {
    const bool other_family = acceptor_.local_endpoint().protocol() != endpoint.protocol();
    return other_family ? tcp::endpoint(tcp::v6(), endpoint.port()) : endpoint;
  }

  void Accept() {
    acceptor_.async_accept([this](boost::system::error_code error, tcp::socket socket) {
      if (error) return Rest();
      Take(std::move(socket));
      Accept();
    });
  }

  // When all places are taken, a new client replaces the one that has been idle for longest, so that a probe is
  // answered although other clients stay connected without a request.
  void Take(tcp::socket socket) {
    boost::system::error_code ignored;
    if (sessions_.open >= sessions_.options.connections && !sessions_.MakeRoom()) {
      socket.set_option(asio::socket_base::linger(true, 0), ignored);  // leaves no TIME_WAIT state in the kernel
      return;
    }
    socket.set_option(asio::socket_base::send_buffer_size(kSendBuffer), ignored);
    std::make_shared<Session>(std::move(socket), sessions_)->Begin();
  }

  // Probably no free descriptors: an immediate retry does not help.
  void Rest() {
    rest_.expires_after(std::chrono::milliseconds(100));
    rest_.async_wait([this](boost::system::error_code) { Accept(); });
  }

  Sessions sessions_;
  asio::io_context io_{1};
  tcp::acceptor acceptor_{io_};
  asio::steady_timer rest_{io_};
  std::jthread thread_;
};

Listener::Listener(std::unique_ptr<Server> server) : server_(std::move(server)) {}
Listener::~Listener() = default;
uint16_t Listener::port() const { return server_->port(); }

base::Result<std::unique_ptr<Listener>> Listener::Start(const std::string& address, Handler handler,
                                                        ListenerOptions options) {
  const auto fail = [&](const std::string& why) {
    return base::Fail("failed to create listener: failed to listen on " + address + ": " + why);
  };
  auto place = ParsePlace(address);
  if (!place) return fail(place.error().message);
  auto server = std::make_unique<Server>(std::move(handler), std::move(options));
  if (const std::string wrong = server->Open(*place); !wrong.empty()) return fail(wrong);
  server->Run();
  return std::unique_ptr<Listener>(new Listener(std::move(server)));
}

}  // namespace berth::http
