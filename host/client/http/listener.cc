#include "client/http/listener.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <utility>

#include "base/async.h"
#include "base/text.h"
#include "client/http/server_thread.h"
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
  // The connections that are open and what waits on the thread hold a life. After the last one, nothing uses this
  // object any more.
  ~Server() {
    asio::post(io_, [this, life = life_] {
      boost::system::error_code ignored;
      acceptor_.close(ignored);
      rest_.cancel();
      sessions_.CloseAll();
    });
    sessions_.StopMakers();
    life_.reset();
    over_->Wait({});
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
    if (error) return step + (": " + base::LowerFirst(error.message()));
    port_ = acceptor_.local_endpoint().port();
    return "";
  }

  void Run() {
    asio::post(io_, [this, life = life_] { Accept(life); });
  }

  uint16_t port() const { return port_; }

 private:
  using Life = std::shared_ptr<void>;
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

  void Accept(const Life& life) {
    acceptor_.async_accept([this, life](boost::system::error_code error, tcp::socket socket) {
      if (!acceptor_.is_open()) return;
      if (error) return Rest(life);
      Take(std::move(socket), life);
      Accept(life);
    });
  }

  // When all places are taken, a new client replaces the one that has been idle for longest, so that a probe is
  // answered although other clients stay connected without a request.
  void Take(tcp::socket socket, const Life& life) {
    boost::system::error_code ignored;
    if (sessions_.open.size() >= sessions_.options.connections && !sessions_.MakeRoom()) {
      socket.set_option(asio::socket_base::linger(true, 0), ignored);  // leaves no TIME_WAIT state in the kernel
      return;
    }
    socket.set_option(asio::socket_base::send_buffer_size(kSendBuffer), ignored);
    Session::Make(std::move(socket), sessions_, life)->Begin();
  }

  // Probably no free descriptors: an immediate retry does not help.
  void Rest(const Life& life) {
    rest_.expires_after(std::chrono::milliseconds(100));
    rest_.async_wait([this, life](boost::system::error_code) {
      if (acceptor_.is_open()) Accept(life);
    });
  }

  const std::shared_ptr<ServerThread> thread_ = ServerThread::OfProcess();
  asio::io_context& io_ = thread_->context();
  Sessions sessions_;
  tcp::acceptor acceptor_{io_};
  asio::steady_timer rest_{io_};
  uint16_t port_ = 0;
  const std::shared_ptr<base::Bell> over_ = std::make_shared<base::Bell>();
  Life life_{nullptr, [over = over_](void*) { over->Ring(); }};
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
